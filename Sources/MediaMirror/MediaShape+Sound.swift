extension MediaShape {
  /// How long a sound is, as its frames and headers say; `nil` where they are damaged or of something else.
  static func sound(_ type: MediaType, _ window: inout ByteWindow) -> MediaShape? {
    switch type {
    case .mp3: mp3(&window)
    case .ogg: ogg(&window)
    case .wav: wav(&window)
    case .flac: flac(&window)
    case .m4a: m4a(&window)
    default: nil
    }
  }

  /// - Parameters:
  ///   - samples: of one channel; 0 where nobody says.
  ///   - rate: of them a second.
  private static func sound(samples: Int, rate: Int) -> MediaShape? {
    guard rate > 0, samples >= 0 else { return nil }
    let (product, isOverflow) = samples.multipliedReportingOverflow(by: 1000)
    // Nobody posts a sound of a thousand hours.
    guard samples > 0, !isOverflow, product / rate < 3_600_000_000 else {
      return MediaShape(withoutSizeOfMilliseconds: nil)
    }
    return MediaShape(withoutSizeOfMilliseconds: product / rate)
  }

  // MARK: MP3

  /// The header of a frame of MPEG audio, layer III (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3 for the lower rates).
  private struct Frame {
    let rate: Int
    let samples: Int
    let bitrate: Int
    let length: Int
    let isMono: Bool
    let isFirstVersion: Bool

    init?(_ header: Int) {
      guard header >> 21 & 0x7FF == 0x7FF, header >> 17 & 3 == 1 else { return nil }
      let (version, rateIndex) = (header >> 19 & 3, header >> 10 & 3)
      guard version != 1, rateIndex != 3 else { return nil }
      isFirstVersion = version == 3
      let kilobits =
        isFirstVersion
        ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
        : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
      bitrate = kilobits[header >> 12 & 15] * 1000
      guard bitrate > 0 else { return nil }
      rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirstVersion ? 0 : version == 2 ? 1 : 2)
      samples = isFirstVersion ? 1152 : 576
      length = samples / 8 * bitrate / rate + (header >> 9 & 1)
      isMono = header >> 6 & 3 == 3
    }
  }

  /// A first frame, and another right behind it: two bytes alone are in many files.
  private static func mp3(_ window: inout ByteWindow) -> MediaShape? {
    let start = startOfFrames(&window)
    guard let header = window.big(4, at: start), let frame = Frame(header) else { return nil }
    let next = start + frame.length
    if next < window.count {
      guard let other = window.big(4, at: next).flatMap(Frame.init), other.rate == frame.rate else {
        return nil
      }
    } else if next > window.count {
      return nil
    }
    // How many frames there are stands in the first one, behind what it has for its sides (Xing's header, and LAME's `Info`).
    let side = frame.isFirstVersion ? (frame.isMono ? 17 : 32) : (frame.isMono ? 9 : 17)
    let xing = start + 4 + side
    if window.matches("Xing", at: xing) || window.matches("Info", at: xing),
      let flags = window.big(4, at: xing + 4), flags & 1 == 1, let frames = window.big(4, at: xing + 8)
    {
      return sound(samples: frames * frame.samples, rate: frame.rate)
    }
    return sound(samples: (window.count - start) * 8, rate: frame.bitrate)
  }

  /// Behind a tag of ID3 version 2, whose length is four bytes of seven bits, and the zeros that some leave behind it.
  private static func startOfFrames(_ window: inout ByteWindow) -> Int {
    guard window.matches("ID3", at: 0), let flags = window.big(1, at: 5), let size = window.big(4, at: 6),
      size & 0x8080_8080 == 0
    else { return 0 }
    let length = size & 0x7F | size >> 1 & 0x3F80 | size >> 2 & 0x1F_C000 | size >> 3 & 0xFE0_0000
    var start = 10 + length + (flags & 0x10 == 0 ? 0 : 10)
    let end = start + 4096
    while start < end, window.big(1, at: start) == 0 { start += 1 }
    return start
  }

  // MARK: Ogg

  /// Vorbis, Opus or FLAC in pages of Ogg (RFC 3533, 6): the first page has what it is, the last how many samples there are.
  private static func ogg(_ window: inout ByteWindow) -> MediaShape? {
    guard let segments = window.big(1, at: 26) else { return nil }
    let packet = 27 + segments
    let (rate, skipped): (Int, Int)
    if window.matches("OpusHead", at: packet) {
      // RFC 7845, 4: always 48 kHz, but for what a decoder drops at the start.
      guard let skip = window.little(2, at: packet + 10) else { return nil }
      (rate, skipped) = (48_000, skip)
    } else if window.matches("\u{1}vorbis", at: packet) {
      guard let value = window.little(4, at: packet + 12) else { return nil }
      (rate, skipped) = (value, 0)
    } else if window.matches("\u{7F}FLAC", at: packet) {
      guard let value = window.big(3, at: packet + 27) else { return nil }
      (rate, skipped) = (value >> 4, 0)
    } else {
      return nil
    }
    return sound(samples: max(0, (lastPosition(&window) ?? 0) - skipped), rate: rate)
  }

  /// The position that the last page names: of 64 KB at the end, as a page is not longer.
  private static func lastPosition(_ window: inout ByteWindow) -> Int? {
    var position: Int?
    var offset = max(0, window.count - 65_536)
    while offset + 14 <= window.count {
      // A position of -1 belongs to a page on which no packet ends.
      if window.matches("OggS", at: offset), let value = window.little(8, at: offset + 6) { position = value }
      offset += 1
    }
    return position
  }

  // MARK: The others

  /// The chunks `fmt ` and `data` of a RIFF file.
  private static func wav(_ window: inout ByteWindow) -> MediaShape? {
    var offset = 12
    var rate: Int?
    for _ in 0..<1000 {
      guard let size = window.little(4, at: offset + 4) else { return nil }
      if window.matches("fmt ", at: offset) {
        rate = window.little(4, at: offset + 16)
      } else if window.matches("data", at: offset) {
        // What is written as it comes has no length yet.
        return rate.flatMap { sound(samples: min(size, window.count - offset - 8), rate: $0) }
      }
      offset += 8 + size + size & 1
    }
    return nil
  }

  /// The block STREAMINFO, which is the first (RFC 9639, 8.2).
  private static func flac(_ window: inout ByteWindow) -> MediaShape? {
    guard window.big(1, at: 4).map({ $0 & 0x7F }) == 0, let rate = window.big(3, at: 18),
      let samples = window.big(5, at: 21)
    else { return nil }
    return sound(samples: samples & 0xF_FFFF_FFFF, rate: rate >> 4)
  }

  /// A film's container in which there is sound, and no film.
  private static func m4a(_ window: inout ByteWindow) -> MediaShape? {
    let top = window.boxes(from: 0, to: window.count)
    guard let movie = top.first(where: { $0.type == Box.type("moov") }), movie.end <= window.count,
      !top.contains(where: { $0.type == Box.type("mdat") && $0.end > window.count })
    else { return nil }
    let parts = window.boxes(in: movie)
    let tracks = parts.filter { $0.type == Box.type("trak") }
    guard tracks.contains(where: { isTrack("soun", $0, &window) }),
      !tracks.contains(where: { isTrack("vide", $0, &window) })
    else { return nil }
    return MediaShape(withoutSizeOfMilliseconds: duration(parts, &window))
  }
}
