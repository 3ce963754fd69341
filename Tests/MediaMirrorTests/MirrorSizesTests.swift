import HTTPTransport
import MediaMirror
import Testing
import ThreadModel

@Suite struct MirrorSizesTests {
  let bench: MirrorBench

  init() throws { bench = try MirrorBench() }

  private func url(_ size: String) -> String { "https://pbs.twimg.com/media/AbC_-9?format=jpg&name=\(size)" }

  /// Serves X's sizes of a photo of this size.
  private func serve(width: Int, height: Int) {
    bench.network.answer(url("orig"), .bytes(Samples.jpeg(width: width, height: height)))
    for (name, side) in [("small", 680), ("medium", 1200), ("large", 2048)] {
      let scale = min(1, Double(side) / Double(max(width, height)))
      bench.network.answer(
        url(name),
        .bytes(
          Samples.jpeg(width: Int(Double(width) * scale), height: Int(Double(height) * scale), salt: name)))
    }
  }

  @Test(arguments: [
    "https://pbs.twimg.com/media/AbC_-9.jpg", "https://pbs.twimg.com/media/AbC_-9.jpg:large",
    "https://pbs.twimg.com/media/AbC_-9?format=jpg&name=small",
    "https://pbs.twimg.com/media/AbC_-9.jpg?name=orig",
  ])
  func fetchesTheLargestAndSmallerSizes(_ address: String) async throws {
    serve(width: 4000, height: 3000)
    let (result, report) = try await bench.mirror().mirror(MirrorBench.photos(address))
    let photo = result.media[0]
    #expect(photo.width == 4000)
    #expect(photo.height == 3000)
    #expect(photo.sizes.map(\.width) == [680, 1200])
    #expect(photo.sizes.map(\.height) == [510, 900])
    #expect(report.fetched == 3)
    #expect(bench.network.urls == [url("medium"), url("orig"), url("small")])
    #expect(Set(try bench.names()) == result.mediaFiles)
    // All sizes exist.
    bench.network.forget()
    #expect(try await bench.mirror().mirror(result).conversation == result)
    #expect(bench.network.urls.isEmpty)
  }

  @Test func requestsNothingLargerThanThePhoto() async throws {
    serve(width: 1000, height: 500)
    let photo = try await bench.mirror().mirror(MirrorBench.photos("https://pbs.twimg.com/media/AbC_-9.jpg"))
      .conversation.media[0]
    #expect(photo.sizes.map(\.width) == [680])
    #expect(bench.network.urls == [url("orig"), url("small")])
  }

  @Test func smallPhotoHasNoSmallerSizes() async throws {
    serve(width: 600, height: 680)
    let photo = try await bench.mirror().mirror(MirrorBench.photos("https://pbs.twimg.com/media/AbC_-9.jpg"))
      .conversation.media[0]
    #expect(photo.sizes.isEmpty)
    #expect(bench.network.urls == [url("orig")])
  }

  @Test func fallsBackToLargeAndThenToThePlainURL() async throws {
    let plain = "https://pbs.twimg.com/media/AbC_-9.jpg"
    bench.network.answer(plain, .bytes(Samples.jpeg(width: 300, height: 200)))
    #expect(try await bench.mirror().mirror(MirrorBench.photos(plain)).conversation.media[0].width == 300)
    #expect(bench.network.urls == [plain, url("large"), url("orig")])
    bench.network.answer(url("large"), .bytes(Samples.jpeg(width: 2048, height: 10)))
    let second = try MirrorBench()
    second.network.answer(url("large"), .bytes(Samples.jpeg(width: 2048, height: 10)))
    #expect(try await second.mirror().mirror(MirrorBench.photos(plain)).conversation.media[0].width == 2048)
  }

  @Test func doesNotTryOtherURLsAfterServerErrors() async throws {
    bench.network.answer(url("orig"), .status(503))
    let plain = "https://pbs.twimg.com/media/AbC_-9.jpg"
    let report = try await bench.mirror().mirror(MirrorBench.photos(plain)).report
    #expect(bench.network.urls == [url("orig")])
    #expect(report.failures.first?.url == plain)
    #expect(report.failures.first?.isPassing == true)
  }

  @Test func skipsAnUnavailableSize() async throws {
    serve(width: 4000, height: 3000)
    bench.network.answer(url("small"), .status(404))
    let (result, report) = try await bench.mirror().mirror(
      MirrorBench.photos("https://pbs.twimg.com/media/AbC_-9.jpg"))
    #expect(result.media[0].sizes.map(\.width) == [1200])
    #expect(report.failures.isEmpty)
  }

  @Test func fetchesSmallerSizesOfAPhotoFromAnArchive() async throws {
    serve(width: 4000, height: 3000)
    var conversation = MirrorBench.photos("https://pbs.twimg.com/media/AbC_-9.jpg")
    let mirror = try bench.mirror()
    let name = try mirror.mediaStore.keep(Samples.jpeg(width: 4000, height: 3000)).name
    conversation.posts[0].media[0].file = name
    let photo = await mirror.mirror(conversation).conversation.media[0]
    #expect(photo.file == name)
    #expect(photo.width == 4000)
    #expect(photo.sizes.map(\.width) == [680, 1200])
    #expect(bench.network.urls == [url("medium"), url("small")])
  }

  @Test(arguments: [
    "https://pbs.twimg.com/profile_images/1/a_400x400.jpg", "https://pbs.twimg.com/media/a/b.jpg",
    "https://pbs.twimg.com/media/..jpg", "https://pbs.twimg.com/media/a.svg", "https://pbs.twimg.com/media/",
    "https://pbs.twimg.com.a.example/media/a.jpg", "https://pbs.twimg.com/media/a%2Fb.jpg",
    "https://files.example/media/a.jpg",
  ])
  func leavesOtherURLsUnchanged(_ address: String) async throws {
    _ = try await bench.mirror().mirror(MirrorBench.photos(address))
    #expect(bench.network.urls == [address])
  }
}
