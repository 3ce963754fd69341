import Basics
import Foundation
import Testing
import XStub

/// Files match their names, and have the sizes in the payloads.
@Suite struct MediaTests {
  /// The width and height in the file: IHDR of a PNG, SOF0 of a JPEG.
  private func size(_ bytes: [UInt8]) -> [Int] {
    if bytes.starts(with: [0x89, 0x50]) {
      return [16, 20].map { Int(bytes[$0 + 2]) << 8 | Int(bytes[$0 + 3]) }
    }
    guard let frame = bytes.firstRange(of: [0xFF, 0xC0])?.lowerBound else { return [] }
    return [7, 5].map { Int(bytes[frame + $0]) << 8 | Int(bytes[frame + $0 + 1]) }
  }

  @Test("Images have the requested size and differ by name") func pictures() async throws {
    try await withStub(StubWorld()) { stub in
      let a = await stub.get("/media/1600x900/a.jpg")
      let b = await stub.get("/media/1600x900/b.jpg")
      let png = await stub.get("/media/640x480/c.png")
      #expect(a.status == 200 && a.headers["content-type"] == "image/jpeg" && a.body != b.body)
      #expect(size(a.body) == [1600, 900])
      #expect(png.headers["content-type"] == "image/png" && size(png.body) == [640, 480])
      #expect(await stub.get("/media/1600x900/a.jpg").body == a.body)
      #expect(size(await stub.get("/media/1600x900/a.jpg", ["name": "small"]).body) == [680, 382])
      #expect(size(await stub.get("/media/profile_images/1/x_400x400.png").body) == [400, 400])
    }
  }

  @Test("Videos, playlists, and files with wrong types") func others() async throws {
    try await withStub(StubWorld()) { stub in
      let video = await stub.get("/media/video/ferry-large.mp4")
      #expect(video.headers["content-type"] == "video/mp4")
      #expect(Array(video.body.dropFirst(4).prefix(4)) == Array("ftyp".utf8))
      #expect(await stub.get("/media/video/ferry.m3u8").text.hasPrefix("#EXTM3U"))
      #expect(await stub.get(StubMediaFiles.missing).status == 404)
      #expect(await stub.get("/media/nothing").status == 404)
      let page = await stub.get(StubMediaFiles.page)
      #expect(page.headers["content-type"] == "image/jpeg" && page.text.hasPrefix("<!doctype html>"))
      #expect(await stub.get(StubMediaFiles.drawing).headers["content-type"] == "image/svg+xml")
    }
  }

  @Test("The rest of an incomplete file") func ranges() async throws {
    try await withStub(StubWorld()) { stub in
      let whole = await stub.get("/media/80x60/a.jpg")
      let rest = await stub.get("/media/80x60/a.jpg", headers: ["Range": "bytes=100-"])
      #expect(rest.status == 206 && rest.body == Array(whole.body.dropFirst(100)))
      #expect(rest.headers["content-range"] == "bytes 100-\(whole.body.count - 1)/\(whole.body.count)")
      #expect(rest.headers["etag"] == whole.headers["etag"])
    }
  }

  @Test("An image in the sample has the size in its payload") func sizes() async throws {
    let sample = StubWorld.sampleThread(startingAt: Date(timeIntervalSinceNow: -86_400))
    try await withStub(sample.world) { stub in
      let query = allFields().merging(["ids": sample.visible.map(\.description).joined(separator: ",")]) {
        $1
      }
      let media = try await stub.json("/2/tweets", query)["includes"]?["media"]?.array ?? []
      var checked = 0
      for file in media {
        let address = (file["url"] ?? file["preview_image_url"])?.string ?? ""
        let answer = await stub.get(String(address.dropFirst(stub.baseURL.count)))
        guard answer.status == 200, let expected = file["width"]?.int, !address.contains("/odd/") else {
          continue
        }
        #expect(size(answer.body) == [expected, file["height"]?.int ?? 0], "\(address)")
        checked += 1
      }
      #expect(checked >= 8)
    }
  }
}
