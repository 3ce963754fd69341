import Foundation
import MediaMirror
import TestSupport
import Testing
import ThreadStore

/// Sizes that the media store reads from files.
@Suite struct MediaDimensionsTests {
  let folder: TemporaryFolder
  let mediaStore: MediaStore

  init() throws {
    folder = try TemporaryFolder()
    mediaStore = try MediaStore(store: ThreadStore(folder: folder.path))
  }

  func size(_ bytes: [UInt8]) throws -> [Int] {
    let shape = try mediaStore.keep(bytes).shape
    return [shape.width, shape.height]
  }

  @Test func readsEachFormat() throws {
    #expect(try size(Samples.png(width: 800, height: 600)) == [800, 600])
    #expect(try size(Samples.gif(width: 320, height: 200)) == [320, 200])
    #expect(try size(Samples.jpeg(width: 1024, height: 768)) == [1024, 768])
    #expect(try size(Samples.webp(.lossy, width: 1000, height: 700)) == [1000, 700])
    #expect(try size(Samples.webp(.lossless, width: 16_384, height: 100)) == [16_384, 100])
    #expect(try size(Samples.webp(.extended, width: 20_000, height: 3)) == [20_000, 3])
    #expect(try size(Samples.avif(width: 1200, height: 675)) == [1200, 675])
    #expect(try size(Samples.avif(width: 1200, height: 675, isTurned: true)) == [675, 1200])
    // Decoders allocate memory for the largest image, whatever the order.
    #expect(try size(Samples.avif(width: 20, height: 10, others: [200, 2000, 300])) == [2000, 2000])
    #expect(try size(Samples.avif(width: 20, height: 10, others: [100])) == [20, 10])
  }

  /// Files of real encoders; `file` and `ffprobe` report the same sizes.
  @Test(arguments: [
    ("2aaff3a14e1a060ca29d91dc4b11f94c.png", 1200, 675), ("45459db83feacdc6e1e0a102f3ee690c.jpg", 1200, 630),
    ("bc4cd1a3af78c0b98b1cb7448df8ff03.webp", 1000, 700),
  ])
  func readsRealFiles(_ name: String, _ width: Int, _ height: Int) throws {
    #expect(try size(Samples.stored(name)) == [width, height])
  }

  /// A drawn rectangle, written by Pillow and ffmpeg. Pillow rotates an AVIF by its `irot` property, as
  /// browsers do.
  @Test(arguments: [
    ("plain.avif", 48, 32), ("turned.avif", 32, 48), ("turned.jpg", 32, 48), ("lossless.webp", 48, 32),
    ("alpha.gif", 48, 32), ("data-first.mp4", 64, 36), ("fragmented.mp4", 64, 36), ("turned.mp4", 36, 64),
  ])
  func readsFilesOfEncoders(_ name: String, _ width: Int, _ height: Int) throws {
    let path = ProjectFolders.fixtures(of: "MediaMirrorTests").appending(path: name).path
    let shape = try mediaStore.keep(copying: path).shape
    #expect(shape.width == width)
    #expect(shape.height == height)
    if name.hasSuffix("first.mp4") { #expect((400...450).contains(shape.durationMilliseconds ?? 0)) }
  }

  @Test func rejectsAVideoWithOnlySound() throws {
    let path = ProjectFolders.fixtures(of: "MediaMirrorTests").appending(path: "sound-only.mp4").path
    #expect(throws: MediaError.damaged(.mp4)) { try mediaStore.keep(copying: path) }
  }

  @Test func readsEveryFileOfTheSampleStore() throws {
    let media = ProjectFolders.repository.appending(path: "threads/media")
    for name in try FileManager.default.contentsOfDirectory(atPath: media.path) where !name.hasPrefix(".") {
      #expect(try mediaStore.keep(copying: media.path + "/" + name).name == name)
    }
  }

  @Test(arguments: 1...8, [true, false])
  func rotatesByTheOrientation(_ orientation: Int, _ isLittle: Bool) throws {
    let bytes = Samples.jpeg(width: 40, height: 30, orientation: orientation, isLittle: isLittle)
    #expect(try size(bytes) == (orientation < 5 ? [40, 30] : [30, 40]))
  }

  @Test func invalidOrientationRotatesNothing() throws {
    for orientation in [0, 9, 65_535] {
      #expect(try size(Samples.jpeg(width: 40, height: 30, orientation: orientation)) == [40, 30])
    }
  }

  /// Otherwise many segments could refer to one long directory.
  @Test func orientationOutsideOfItsSegmentRotatesNothing() throws {
    let directory = Samples.directory(orientation: 6)
    // The TIFF header has 8 bytes; the marker and the length of the next segment have 4.
    let exif = Array("Exif\0\0MM".utf8) + Samples.big(42, 2) + Samples.big(12, 4)
    let segments: [UInt8] =
      [0xFF, 0xE1] + Samples.big(exif.count + 2, 2) + exif + [0xFF, 0xDB]
      + Samples.big(directory.count + 2, 2) + directory
    let plain = Samples.jpeg(width: 40, height: 30)
    #expect(try size(Array(plain[..<2]) + segments + Array(plain[2...])) == [40, 30])
  }

  @Test(arguments: [true, false], [true, false])
  func readsAVideoWithItsHeaderAtEitherEnd(_ isMovieFirst: Bool, _ usesLargeNumbers: Bool) throws {
    let film = Samples.Film(isMovieFirst: isMovieFirst, usesLargeNumbers: usesLargeNumbers)
    let shape = try mediaStore.keep(Samples.mp4(film)).shape
    #expect((shape.width, shape.height, shape.durationMilliseconds) == (640, 360, 2500))
  }

  @Test func rotatesAVideoByItsMatrix() throws {
    #expect(try size(Samples.mp4(Samples.Film(isTurned: true))) == [360, 640])
  }

  @Test func rejectsAVideoWithoutATrackAndATruncatedOne() throws {
    #expect(throws: MediaError.damaged(.mp4)) {
      try mediaStore.keep(Samples.mp4(Samples.Film(handler: "soun")))
    }
    #expect(throws: MediaError.damaged(.mp4)) { try mediaStore.keep(Samples.mp4(Samples.Film(width: 0))) }
    #expect(throws: MediaError.damaged(.mp4)) { try mediaStore.keep(Samples.mp4().dropLast(10)) }
    #expect(throws: MediaError.damaged(.mp4)) {
      try mediaStore.keep(Samples.mp4(Samples.Film(isMovieFirst: false)).dropLast(10))
    }
  }

  @Test func rejectsZeroSizes() throws {
    for bytes in [
      Samples.png(width: 0, height: 5), Samples.gif(width: 5, height: 0), Samples.jpeg(width: 0, height: 1),
      Samples.avif(width: 0, height: 1), Samples.webp(.lossy, width: 0, height: 1),
    ] {
      #expect(throws: MediaError.self) { try mediaStore.keep(bytes) }
    }
  }

  /// Any bytes give a result or an error, and never a trap.
  @Test func survivesTruncationAndRandomChanges() throws {
    var random = SeededRandom()
    for sample in Samples.all {
      let header = Array(sample.prefix(2000))
      let lengths = TestDepth.sample(Array(0..<min(header.count, 400)), fast: 60)
      for length in lengths { attempt(Array(header.prefix(length))) }
      for _ in 0..<TestDepth.cases(fast: 60, deep: 400) {
        var bytes = sample.count < 3000 ? sample : header + sample.suffix(600)
        for _ in 0...Int.random(in: 0..<6, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] =
            [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
            ?? 0
        }
        attempt(bytes)
      }
    }
  }

  @Test func survivesHostileLengths() throws {
    let huge: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 7)
    let start = Samples.box("ftyp", Array("isom\0\0\0\0isom".utf8))
    for name in ["moov", "mdat", "meta", "free"] {
      attempt(start + Samples.big(1, 4) + Array(name.utf8) + huge + Samples.big(0, 64))
      attempt(start + Samples.big(1, 4) + Array(name.utf8) + [UInt8](repeating: 0xFF, count: 64))
      attempt(start + Samples.big(0xFFFF_FFFF, 4) + Array(name.utf8) + Samples.big(0, 64))
      for size in 0..<17 { attempt(start + Samples.big(size, 4) + Array(name.utf8) + Samples.big(size, 64)) }
    }
    // A million empty boxes cost no more than ten thousand.
    attempt(start + [[UInt8]](repeating: Samples.box("free", []), count: 100_000).flatMap { $0 })
  }

  private func attempt(_ bytes: [UInt8]) {
    do throws(MediaError) {
      let kept = try mediaStore.keep(bytes)
      #expect(kept.shape.width > 0 && kept.shape.height > 0)
    } catch .file, .store {
      Issue.record("an error of the file system or the store")
    } catch {}
  }
}
