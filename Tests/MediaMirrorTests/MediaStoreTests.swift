import Foundation
import MediaMirror
import TestSupport
import Testing
import ThreadStore

@Suite struct MediaStoreTests {
  let folder: TemporaryFolder
  let mediaStore: MediaStore

  init() throws {
    folder = try TemporaryFolder()
    mediaStore = try MediaStore(store: ThreadStore(folder: folder.path))
  }

  /// The media folder's files without temporary files.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/media").filter { !$0.hasPrefix(".") }
      .sorted()
  }

  func unfinished() throws -> [String] {
    try folder.tree("media/.incoming").keys.filter { $0 != ".gitignore" }.sorted()
  }

  @Test func namesAFileByItsContent() throws {
    let bytes = try Samples.stored("1e60249c42d2d7862e2fb943b3c8d8b2.jpg")
    let kept = try mediaStore.keep(bytes, accepting: .image)
    #expect(kept.name == "1e60249c42d2d7862e2fb943b3c8d8b2.jpg")
    #expect(kept.type == .jpeg)
    #expect(kept.bytes == bytes.count)
    #expect(kept.isNew)
    #expect((kept.shape.width, kept.shape.height) == (640, 360))
    #expect(try folder.tree("media")[kept.name] == Data(bytes))
    #expect(mediaStore.stored(kept.name)?.shape == kept.shape)
    #expect(try unfinished().isEmpty)
  }

  @Test func storesARepeatedFileOnce() throws {
    let first = try mediaStore.keep(Samples.png(width: 3, height: 2))
    let second = try mediaStore.keep(Samples.png(width: 3, height: 2))
    #expect(first.name == second.name)
    #expect(!second.isNew)
    #expect(try names() == [first.name])
  }

  @Test func replacesATruncatedFile() throws {
    let bytes = Samples.png(width: 3, height: 2, salt: "whole")
    let name = try mediaStore.keep(bytes).name
    try folder.write(Data(bytes.dropLast(2)), to: "media/" + name)
    #expect(try mediaStore.keep(bytes).isNew)
    #expect(try folder.tree("media")[name] == Data(bytes))
  }

  @Test func writesInPieces() throws {
    let bytes = try Samples.stored("c6066d619512669e68518b9d11c6bd55.mp4")
    var writer = try mediaStore.begin(accepting: .video)
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      let piece = Array(bytes[start..<min(start + 1000, bytes.count)])
      try piece.withUnsafeBytes { try writer.write($0) }
    }
    let kept = try writer.finish()
    #expect(kept.name == "c6066d619512669e68518b9d11c6bd55.mp4")
    #expect(kept.type == .mp4)
  }

  @Test func unfinishedFileLeavesNothing() throws {
    func start() throws {
      var writer = try mediaStore.begin()
      try Samples.gif(width: 1, height: 1).withUnsafeBytes { try writer.write($0) }
      #expect(try unfinished().count == 1)
    }
    try start()
    #expect(try unfinished().isEmpty)
    #expect(try names().isEmpty)
  }

  @Test func copiesAFileWithoutFollowingLinks() throws {
    try folder.write(Data(Samples.gif(width: 7, height: 5)), to: "archive/photo.jpg")
    let kept = try mediaStore.keep(copying: folder.path + "/archive/photo.jpg")
    #expect(kept.type == .gif)
    #expect(kept.name.hasSuffix(".gif"))
    #expect(folder.exists("archive/photo.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/archive/link.jpg", withDestinationPath: folder.path + "/archive/photo.jpg")
    #expect(throws: MediaError.self) { try mediaStore.keep(copying: folder.path + "/archive/link.jpg") }
    #expect(throws: MediaError.self) { try mediaStore.keep(copying: folder.path + "/archive") }
    #expect(throws: MediaError.self) { try mediaStore.keep(copying: folder.path + "/archive/none.jpg") }
    #expect(try unfinished().isEmpty)
  }

  @Test func rejectsOtherContent() throws {
    for text in ["<html><body>Not found", "<svg onload='alert(1)'/>", "", "hello"] {
      #expect(throws: MediaError.self) { try mediaStore.keep(Array(text.utf8)) }
    }
    #expect(throws: MediaError.notMedia("a markup file, such as HTML or SVG")) {
      try mediaStore.keep(Array("  <svg/>".utf8))
    }
    #expect(throws: MediaError.wrongFamily(.mp4)) { try mediaStore.keep(Samples.mp4(), accepting: .image) }
    #expect(throws: MediaError.wrongFamily(.gif)) {
      try mediaStore.keep(Samples.gif(width: 1, height: 1), accepting: .video)
    }
    #expect(throws: MediaError.damaged(.png)) {
      try mediaStore.keep(Array(Samples.png(width: 1, height: 1).prefix(20)))
    }
    #expect(try names().isEmpty)
    #expect(try unfinished().isEmpty)
  }

  @Test func rejectsAPixelBombByItsHeader() throws {
    #expect(throws: MediaError.tooManyPixels(width: 20_000, height: 20_000)) {
      try mediaStore.keep(Samples.png(width: 20_000, height: 20_000))
    }
    #expect(throws: MediaError.tooManyPixels(width: 30_001, height: 1)) {
      try mediaStore.keep(Samples.png(width: 30_001, height: 1))
    }
    #expect(throws: MediaError.tooManyPixels(width: 3_000_000_000, height: 3_000_000_000)) {
      try mediaStore.keep(Samples.avif(width: 3_000_000_000, height: 3_000_000_000))
    }
    #expect(throws: MediaError.tooManyPixels(width: 65_535, height: 65_535)) {
      try mediaStore.keep(Samples.mp4(Samples.Film(width: 65_535, height: 65_535)))
    }
    // A decoder may read a second image that is larger than the first.
    #expect(throws: MediaError.tooManyPixels(width: 60_000, height: 60_000)) {
      try mediaStore.keep(Samples.avif(width: 10, height: 10, thumbnail: 60_000))
    }
    #expect(try mediaStore.keep(Samples.png(width: 10_000, height: 10_000)).isNew)
  }

  @Test func appliesSeparateLimitsToImagesAndVideos() throws {
    var limits = MediaLimits()
    limits.imageBytes = 1000
    limits.videoBytes = 50_000
    let small = try MediaStore(store: ThreadStore(folder: folder.path), limits: limits)
    let large = Samples.png(width: 1, height: 1, salt: String(repeating: "x", count: 2000))
    #expect(throws: MediaError.tooLarge(limit: 1000)) { try small.keep(large) }
    #expect(throws: MediaError.tooLarge(limit: 1000)) { try small.keep(large, accepting: .image) }
    #expect(try small.keep(Samples.mp4()).isNew)
    #expect(throws: MediaError.tooLarge(limit: 50_000)) {
      try small.keep(Samples.mp4(Samples.Film(salt: String(repeating: "x", count: 10_000))))
    }
  }

  @Test func removesFilesOfACrashedRunButNoneInUse() throws {
    try folder.write("half", to: "media/.incoming/99999-0/0")
    var writer = try mediaStore.begin()
    try Samples.gif(width: 1, height: 1).withUnsafeBytes { try writer.write($0) }
    let second = try MediaStore(store: ThreadStore(folder: folder.path))
    #expect(!folder.exists("media/.incoming/99999-0"))
    #expect(try writer.finish().isNew)
    _ = second
  }

  @Test func rejectsAMediaFolderThatIsALink() throws {
    try folder.write("", to: "elsewhere/file")
    try FileManager.default.createDirectory(atPath: folder.path + "/store", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/store/media", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: MediaError.self) { try MediaStore(store: ThreadStore(folder: folder.path + "/store")) }
  }
}
