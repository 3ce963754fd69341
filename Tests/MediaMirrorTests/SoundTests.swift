import Foundation
import HTTPTransport
import MediaMirror
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Audio by its bytes: handmade files that consist of headers.
@Suite struct SoundTests {
  let folder: TemporaryFolder
  let mediaStore: MediaStore

  init() throws {
    folder = try TemporaryFolder()
    mediaStore = try MediaStore(store: ThreadStore(folder: folder.path))
  }

  /// Frames of 128,000 bits per second at 44,100 Hz: 417 bytes, which are 1,152 samples.
  static func mp3(frames: Int, tag: Int? = nil, xing: Int? = nil) -> [UInt8] {
    var frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
    var bytes: [UInt8] = []
    if let tag {
      let size = [21, 14, 7, 0].map { UInt8(tag >> $0 & 0x7F) }
      bytes = Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0x41, count: tag)
    }
    if let xing {
      frame.replaceSubrange(36..<48, with: Array("Xing".utf8) + Samples.big(1, 4) + Samples.big(xing, 4))
      bytes += frame
      frame.replaceSubrange(36..<48, with: [UInt8](repeating: 0, count: 12))
    }
    for _ in 0..<frames { bytes += frame }
    return bytes
  }

  static func wav(seconds: Int) -> [UInt8] {
    let rate = 8000
    let format =
      Samples.little(1, 2) + Samples.little(1, 2) + Samples.little(rate, 4) + Samples.little(rate, 4)
      + Samples.little(1, 2) + Samples.little(8, 2)
    let data = [UInt8](repeating: 0x80, count: seconds * rate)
    let chunks: [UInt8] =
      Array("WAVEfmt ".utf8) + Samples.little(16, 4) + format + Array("LIST".utf8) + Samples.little(3, 4)
      + [1, 2, 3, 0] + Array("data".utf8) + Samples.little(data.count, 4) + data
    return Array("RIFF".utf8) + Samples.little(chunks.count, 4) + chunks
  }

  static func flac(samples: Int) -> [UInt8] {
    let rate = 44_100
    let numbers = rate << 44 | 1 << 41 | 15 << 36 | samples
    return Array("fLaC".utf8) + [0x80, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0] + Samples.big(numbers, 8)
      + [UInt8](repeating: 0, count: 16)
  }

  static func ogg(_ packet: [UInt8], position: Int) -> [UInt8] {
    func page(_ position: Int, _ packet: [UInt8]) -> [UInt8] {
      Array("OggS".utf8) + [0, 2] + Samples.little(position, 8) + [UInt8](repeating: 0, count: 12)
        + [1, UInt8(packet.count)] + packet
    }
    return page(0, packet) + page(960, [1, 2, 3]) + page(position, [9, 9])
  }

  static let opus: [UInt8] =
    Array("OpusHead".utf8) + [1, 2] + Samples.little(312, 2) + Samples.little(44_100, 4) + [0, 0, 0]
  static let vorbis: [UInt8] =
    [1] + Array("vorbis".utf8) + Samples.little(0, 4) + [2] + Samples.little(22_050, 4)
    + [UInt8](repeating: 0, count: 14)

  static func m4a(_ milliseconds: Int, handler: String = "soun") -> [UInt8] {
    var film = Samples.Film()
    film.brand = "M4A "
    film.handler = handler
    film.milliseconds = milliseconds
    return Samples.mp4(film)
  }

  private func typeAndDuration(_ bytes: [UInt8]) throws -> (name: String, milliseconds: Int?) {
    let stored = try mediaStore.keep(bytes, accepting: .audio)
    #expect(stored.shape.width == 0 && stored.shape.height == 0)
    // A stored file is found again by its name alone.
    #expect(mediaStore.stored(stored.name, accepting: .audio)?.shape == stored.shape)
    return (stored.name.components(separatedBy: ".").last ?? "", stored.shape.durationMilliseconds)
  }

  @Test func recognizesEachTypeAndItsDurationByItsBytes() throws {
    // 100 frames of 1,152 samples at 44,100 Hz last 2,612 ms; estimated from the bytes at 128,000 bits per
    // second, 2,606 ms.
    #expect(try typeAndDuration(Self.mp3(frames: 100)) == ("mp3", 2606))
    #expect(try typeAndDuration(Self.mp3(frames: 100, tag: 3000)) == ("mp3", 2606))
    #expect(try typeAndDuration(Self.mp3(frames: 2, xing: 1000)) == ("mp3", 26_122))
    #expect(try typeAndDuration(Self.wav(seconds: 3)) == ("wav", 3000))
    #expect(try typeAndDuration(Self.flac(samples: 441_000)) == ("flac", 10_000))
    #expect(try typeAndDuration(Self.flac(samples: 0)) == ("flac", nil))
    #expect(try typeAndDuration(Self.ogg(Self.opus, position: 48_312)) == ("ogg", 1000))
    #expect(try typeAndDuration(Self.ogg(Self.vorbis, position: 44_100)) == ("ogg", 2000))
    #expect(try typeAndDuration(Self.m4a(7500)) == ("m4a", 7500))
  }

  /// The sample rates of each version of MPEG audio by their bits (ISO/IEC 11172-3, table in 2.4.2.3; ISO/IEC
  /// 13818-3, 2.4.2.3; MPEG 2.5 as in decoders): the second byte of a frame, the rates, the samples per
  /// frame, and the bits per second for index 8.
  static let versions:
    [(byte: UInt8, rates: [Int], samples: Int, bitrate: Int, sides: (stereo: Int, mono: Int))] = [
      (0xFB, [44_100, 48_000, 32_000], 1152, 112_000, (32, 17)),
      (0xF3, [22_050, 24_000, 16_000], 576, 64_000, (17, 9)),
      (0xE3, [11_025, 12_000, 8000], 576, 64_000, (17, 9)),
    ]

  @Test(arguments: 0..<3, 0..<3) func readsFramesOfAllRates(version: Int, rate index: Int) throws {
    let kind = Self.versions[version]
    let rate = kind.rates[index]
    for (isMono, isPadded) in [(false, false), (true, false), (false, true)] {
      let length = kind.samples / 8 * kind.bitrate / rate + (isPadded ? 1 : 0)
      let head: [UInt8] = [
        0xFF, kind.byte, 0x80 | UInt8(index << 2) | (isPadded ? 2 : 0), isMono ? 0xC4 : 0x44,
      ]
      let frame = head + [UInt8](repeating: 0, count: length - 4)
      // Estimated from the bytes.
      let bytes = (0..<50).flatMap { _ in frame }
      #expect(try typeAndDuration(bytes) == ("mp3", bytes.count * 8 * 1000 / kind.bitrate))
      // Then by the number of frames in the first one: samples per frame divided by samples per second.
      var first = frame
      let place = 4 + (isMono ? kind.sides.mono : kind.sides.stereo)
      first.replaceSubrange(
        place..<place + 12, with: Array("Info".utf8) + Samples.big(1, 4) + Samples.big(500, 4))
      let milliseconds = Double(500 * kind.samples) * 1000 / Double(rate)
      #expect(try typeAndDuration(first + frame + frame) == ("mp3", Int(milliseconds)))
      // The next frame must begin where this one ends, with the same rate.
      #expect(throws: MediaError.self) { try mediaStore.keep(frame.dropLast() + frame, accepting: .audio) }
      var other = frame
      other[2] = other[2] & 0xF3 | UInt8(((index + 1) % 3) << 2)
      #expect(throws: MediaError.self) { try mediaStore.keep(frame + other, accepting: .audio) }
    }
    // The fourth value of the two bits is invalid.
    var none = Self.mp3(frames: 2)
    for start in [0, 417] { none[start + 2] |= 0x0C }
    #expect(throws: MediaError.self) { try mediaStore.keep(none, accepting: .audio) }
  }

  @Test func rejectsOtherContent() throws {
    func rejection(_ bytes: [UInt8]) -> MediaError? {
      #expect(throws: MediaError.self) { try mediaStore.keep(bytes, accepting: .audio) }
    }
    // Many files contain the two bytes of a frame header, so the next frame is also required.
    #expect(rejection([0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0x20, count: 1000)) == .damaged(.mp3))
    #expect(rejection(Self.mp3(frames: 1).dropLast(3) + []) == .damaged(.mp3))
    #expect(rejection(Array("ID3\u{4}\0\0\0\0\0\u{5}abcde<script>alert(1)</script>".utf8)) == .damaged(.mp3))
    #expect(rejection(Array("ID3<html><script>alert(1)</script>".utf8)) == .damaged(.mp3))
    #expect(rejection(Array("RIFF\0\0\0\0WAVE".utf8)) == .damaged(.wav))
    #expect(rejection(Array("fLaC<script>".utf8)) == .damaged(.flac))
    #expect(rejection(Self.m4a(10, handler: "vide")) == .damaged(.m4a))
    #expect(rejection(Samples.mp4()) == .wrongFamily(.mp4))
    #expect(rejection(Samples.png(width: 3, height: 3)) == .wrongFamily(.png))
    #expect(throws: MediaError.wrongFamily(.wav)) {
      try mediaStore.keep(Self.wav(seconds: 1), accepting: .image)
    }
    // A video in Ogg, a raw AAC stream, UTF-16, markup.
    for bytes in [
      Self.ogg([0x80] + Array("theora".utf8), position: 9), [0xFF, 0xF1, 0x50, 0x80, 0, 0, 0, 0],
      [0xFF, 0xFE, 0x3C, 0], Array("OggS<script>".utf8), Array("<audio src=x>".utf8),
    ] {
      if case .notMedia? = rejection(bytes) { continue }
      Issue.record("\(bytes)")
    }
  }

  @Test(arguments: [mp3(frames: 3), wav(seconds: 1), flac(samples: 9), ogg(opus, position: 99), m4a(50)])
  func truncatedFilesAreAudioOrRejected(_ bytes: [UInt8]) {
    for length in Set(stride(from: 0, to: bytes.count, by: 7)).union(0..<min(200, bytes.count)) {
      let cut = Array(bytes.prefix(length))
      guard let type = MediaType(head: Array(cut.prefix(256))), let shape = MediaDimensions(type, of: cut)
      else {
        continue
      }
      #expect(type.family == .audio && (shape.durationMilliseconds ?? 0) >= 0)
    }
  }

  @Test func copiesAudioWithItsImages() async throws {
    let bench = try MirrorBench()
    bench.network.answer("https://a.example/sound", .bytes(Self.wav(seconds: 2)))
    bench.network.answer("https://a.example/cover", .bytes(Samples.png(width: 300, height: 200)))
    var sound = Media(id: "1", kind: .audio, url: "https://a.example/sound")
    sound.posterURL = "https://a.example/cover"
    let page = Media(id: "2", kind: .audio, url: "https://a.example/page")
    bench.network.answer("https://a.example/page", .bytes(Array("<html>".utf8)))
    let conversation = MirrorBench.conversation([MirrorBench.post("1", media: [sound, page])])
    let (result, report) = try await bench.mirror().mirror(conversation)
    let media = result.posts[0].media
    #expect(media[0].file?.hasSuffix(".wav") == true && media[0].durationMilliseconds == 2000)
    #expect(media[0].posterFile?.hasSuffix(".png") == true && media[0].width == 300)
    #expect(media[1].file == nil)
    #expect(report.failures.map(\.reason) == ["it is a markup file, such as HTML or SVG"])
    let names = try bench.names()
    #expect(result.mediaFiles == Set(names) && names.count == 2)
  }
}
