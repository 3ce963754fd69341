/// The display size of a picture or a video, and the duration of a video or a sound, as stated in the file's header. Pages reserve space of
/// this size.
package struct MediaDimensions: Sendable, Hashable {
  /// In pixels, after the rotation specified by the file; 0 for a sound or captions.
  package var width: Int
  /// In pixels, after the rotation specified by the file; 0 for a sound or captions.
  package var height: Int
  /// The duration of a video or a sound; `nil` if the header does not state it.
  package var durationMilliseconds: Int?

  /// Returns `nil` if a side is less than 1 or more than 32 bits, or if the product of the sides overflows.
  init?(width: Int, height: Int, durationMilliseconds: Int? = nil) {
    guard (1...Int(UInt32.max)).contains(width), (1...Int(UInt32.max)).contains(height),
      !width.multipliedReportingOverflow(by: height).overflow
    else { return nil }
    self.width = width
    self.height = height
    self.durationMilliseconds = durationMilliseconds
  }

  /// The dimensions of a sound or captions, which have no size.
  init(withoutSizeOfMilliseconds duration: Int?) {
    width = 0
    height = 0
    durationMilliseconds = duration
  }

  /// Reads the dimensions of a file whose bytes are all in memory; `nil` if the header is invalid.
  package init?(_ type: MediaType, of bytes: [UInt8]) {
    var window = ByteWindow(bytes)
    self.init(type, reading: &window)
  }

  /// Reads the dimensions from a file's header; `nil` if the header is damaged, truncated or of a different type.
  init?(_ type: MediaType, reading window: inout ByteWindow) {
    let shape =
      switch type {
      case .jpeg: Self.jpeg(&window)
      case .png: Self.png(&window)
      case .gif: Self.gif(&window)
      case .webp: Self.webp(&window)
      case .avif: Self.avif(&window)
      case .mp4: Self.mp4(&window)
      case .vtt: Self.captions(&window)
      case .mp3: Self.mp3(&window)
      case .ogg: Self.ogg(&window)
      case .wav: Self.wav(&window)
      case .flac: Self.flac(&window)
      case .m4a: Self.m4a(&window)
      }
    guard let shape else { return nil }
    self = shape
  }

  /// The dimensions turned by 90 degrees.
  private var turned: MediaDimensions {
    var result = self
    (result.width, result.height) = (height, width)
    return result
  }

  /// The first chunk is `IHDR` (PNG specification, 5.6 and 11.2.1).
  private static func png(_ window: inout ByteWindow) -> MediaDimensions? {
    guard window.matches("IHDR", at: 12), let width = window.big(4, at: 16),
      let height = window.big(4, at: 20)
    else { return nil }
    return MediaDimensions(width: width, height: height)
  }

  /// The size of the logical screen (GIF89a specification, 18).
  private static func gif(_ window: inout ByteWindow) -> MediaDimensions? {
    guard let width = window.little(2, at: 6), let height = window.little(2, at: 8) else { return nil }
    return MediaDimensions(width: width, height: height)
  }

  /// Reads the first chunk, which is extended, lossless or lossy (WebP container specification; RFC 6386, 9.1, for lossy).
  private static func webp(_ window: inout ByteWindow) -> MediaDimensions? {
    if window.matches("VP8X", at: 12) {
      guard let width = window.little(3, at: 24), let height = window.little(3, at: 27) else { return nil }
      return MediaDimensions(width: width + 1, height: height + 1)
    }
    if window.matches("VP8L", at: 12) {
      guard window.big(1, at: 20) == 0x2F, let bits = window.little(4, at: 21) else { return nil }
      return MediaDimensions(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    guard window.matches("VP8 ", at: 12), window.big(3, at: 23) == 0x9D012A,
      let width = window.little(2, at: 26), let height = window.little(2, at: 28)
    else { return nil }
    return MediaDimensions(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  /// Reads the size property of the primary item (ISO/IEC 23008-12, 6.5.3; AVIF 1.1), rotated as specified by its rotation property.
  ///
  /// A decoder also allocates memory for the other items. So if any item has more than 100 times the pixels of the primary item, the
  /// largest size is returned instead of the primary item's size.
  static func avif(_ window: inout ByteWindow) -> MediaDimensions? {
    let top = window.boxes(from: 0, to: window.count)
    guard let meta = top.first(where: { $0.type == Box.type("meta") }), meta.end <= window.count,
      let primary = primaryItem(meta, &window), let store = window.box("iprp", in: meta, skipping: 4),
      let container = window.box("ipco", in: store)
    else { return nil }
    let properties = window.boxes(in: container)
    var shape: MediaDimensions?
    var isTurned = false
    for index in propertyIndexes(of: primary, in: store, &window) where properties.indices.contains(index - 1)
    {
      let property = properties[index - 1]
      if property.type == Box.type("ispe") { shape = size(property, &window) }
      if property.type == Box.type("irot") { isTurned = (window.big(1, at: property.start) ?? 0) & 1 == 1 }
    }
    guard let shape else { return nil }
    var largest = shape
    for property in properties where property.type == Box.type("ispe") {
      guard let other = size(property, &window) else { return nil }
      if other.width * other.height > largest.width * largest.height { largest = other }
    }
    if largest.width * largest.height / 100 > shape.width * shape.height { return largest }
    return isTurned ? shape.turned : shape
  }

  private static func size(_ property: Box, _ window: inout ByteWindow) -> MediaDimensions? {
    guard let width = window.big(4, at: property.start + 4),
      let height = window.big(4, at: property.start + 8)
    else { return nil }
    return MediaDimensions(width: width, height: height)
  }

  /// Returns the identifier of the primary item from the box `pitm` (ISO/IEC 14496-12, 8.11.4).
  private static func primaryItem(_ meta: Box, _ window: inout ByteWindow) -> Int? {
    guard let box = window.box("pitm", in: meta, skipping: 4), let version = window.big(1, at: box.start)
    else {
      return nil
    }
    return window.big(version == 0 ? 2 : 4, at: box.start + 4)
  }

  /// Returns the indexes of an item's properties, counted from 1, from the box `ipma` (ISO/IEC 23008-12, 9.3). An index has 1 or 2 bytes,
  /// and its most significant bit specifies whether the property is essential.
  private static func propertyIndexes(of item: Int, in store: Box, _ window: inout ByteWindow) -> [Int] {
    guard let box = window.box("ipma", in: store), let version = window.big(1, at: box.start),
      let flags = window.big(3, at: box.start + 1), let entries = window.big(4, at: box.start + 4)
    else { return [] }
    let idLength = version == 0 ? 2 : 4
    let indexLength = flags & 1 == 1 ? 2 : 1
    let mask = indexLength == 2 ? 0x7FFF : 0x7F
    var offset = box.start + 8
    for _ in 0..<min(entries, 10_000) {
      guard let id = window.big(idLength, at: offset), let count = window.big(1, at: offset + idLength) else {
        return []
      }
      let first = offset + idLength + 1
      if id == item {
        return (0..<count).compactMap { window.big(indexLength, at: first + $0 * indexLength) }.map {
          $0 & mask
        }
      }
      offset = first + count * indexLength
    }
    return []
  }

  /// Reads the frame header (ITU-T T.81, B.2.2). The size is rotated by the EXIF orientation before the header, as browsers rotate the
  /// picture.
  static func jpeg(_ window: inout ByteWindow) -> MediaDimensions? {
    var offset = 2
    var isTurned = false
    // Real files have a few dozen segments.
    for _ in 0..<10_000 {
      guard let marker = nextMarker(&window, &offset), let length = window.big(2, at: offset), length >= 2
      else { return nil }
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard length >= 8, let height = window.big(2, at: offset + 3),
          let width = window.big(2, at: offset + 5)
        else { return nil }
        let shape = MediaDimensions(width: width, height: height)
        return isTurned ? shape?.turned : shape
      // The picture's data, or its end, before any frame header.
      case 0xDA, 0xD9: return nil
      case 0xE1:
        if let orientation = TIFFOrientation.of(&window, exifAt: offset + 2, end: offset + length) {
          isTurned = orientation >= 5
        }
      default: break
      }
      offset += length
    }
    return nil
  }

  /// Returns the next marker from `offset` on, and moves `offset` after it. Any number of FF bytes may precede a marker. The markers D0 to
  /// D8 and 01 have no segment and are skipped.
  private static func nextMarker(_ window: inout ByteWindow, _ offset: inout Int) -> Int? {
    guard window.big(1, at: offset) == 0xFF else { return nil }
    for _ in 0..<10_000 {
      offset += 1
      guard let byte = window.big(1, at: offset) else { return nil }
      if byte == 0xFF { continue }
      if byte == 0x01 || (0xD0...0xD8).contains(byte) {
        offset += 1
        guard window.big(1, at: offset) == 0xFF else { return nil }
        continue
      }
      offset += 1
      return byte
    }
    return nil
  }

  /// Reads the display size of the first video track, and the video's duration. The box `moov` may be before or after the data.
  static func mp4(_ window: inout ByteWindow) -> MediaDimensions? {
    guard let parts = partsOfMovie(&window) else { return nil }
    for track in parts where track.type == Box.type("trak") {
      guard isTrack("vide", track, &window), let header = window.box("tkhd", in: track),
        var shape = shownSize(header, &window)
      else { continue }
      shape.durationMilliseconds = duration(parts, &window)
      return shape
    }
    return nil
  }

  /// Returns the boxes in the box `moov`; `nil` if it is missing, or if the file is incomplete.
  private static func partsOfMovie(_ window: inout ByteWindow) -> [Box]? {
    let top = window.boxes(from: 0, to: window.count)
    // An incomplete download ends within the data.
    guard let movie = top.first(where: { $0.type == Box.type("moov") }), movie.end <= window.count,
      !top.contains(where: { $0.type == Box.type("mdat") && $0.end > window.count })
    else { return nil }
    return window.boxes(in: movie)
  }

  /// Returns whether a track is of a kind: `vide` or `soun`.
  private static func isTrack(_ handlerType: StaticString, _ track: Box, _ window: inout ByteWindow) -> Bool {
    guard let media = window.box("mdia", in: track), let handler = window.box("hdlr", in: media) else {
      return false
    }
    return window.matches(handlerType, at: handler.start + 8)
  }

  /// Reads the end of `tkhd` (ISO/IEC 14496-12, 8.3.2): a matrix of nine numbers of 4 bytes, then width and height as fixed-point numbers
  /// (16.16). In the matrix of a video that is rotated by 90 degrees, the first number is 0 and the second is not.
  private static func shownSize(_ header: Box, _ window: inout ByteWindow) -> MediaDimensions? {
    guard let version = window.big(1, at: header.start), version <= 1 else { return nil }
    let matrix = header.start + (version == 1 ? 52 : 40)
    guard matrix + 44 <= header.end, let across = window.big(4, at: matrix),
      let down = window.big(4, at: matrix + 4), let width = window.big(4, at: matrix + 36),
      let height = window.big(4, at: matrix + 40)
    else { return nil }
    let shape = MediaDimensions(width: width >> 16, height: height >> 16)
    return across == 0 && down != 0 ? shape?.turned : shape
  }

  /// Reads the duration in milliseconds from `mvhd` (ISO/IEC 14496-12, 8.2.2), or from `mehd` (8.8.2) if the video is in fragments and
  /// `mvhd` states 0.
  private static func duration(_ parts: [Box], _ window: inout ByteWindow) -> Int? {
    guard let header = parts.first(where: { $0.type == Box.type("mvhd") }),
      let version = window.big(1, at: header.start), version <= 1,
      let scale = window.big(4, at: header.start + (version == 1 ? 20 : 12)), scale > 0
    else { return nil }
    let length = version == 1 ? 8 : 4
    var units = window.big(length, at: header.start + (version == 1 ? 24 : 16)) ?? 0
    if units == 0, let extends = parts.first(where: { $0.type == Box.type("mvex") }),
      let fragments = window.box("mehd", in: extends), let version = window.big(1, at: fragments.start)
    {
      units = window.big(version == 1 ? 8 : 4, at: fragments.start + 4) ?? 0
    }
    // All bits set means that the duration is unknown.
    return units == Int(UInt32.max) ? nil : milliseconds(of: units, per: scale)
  }

  /// Returns the milliseconds of `units / rate` seconds; `nil` for zero, and for 1,000 hours or more, which counts as invalid.
  private static func milliseconds(of units: Int, per rate: Int) -> Int? {
    let (product, isOverflow) = units.multipliedReportingOverflow(by: 1000)
    return units > 0 && !isOverflow && product / rate < 3_600_000_000 ? product / rate : nil
  }

  /// Returns the dimensions of a sound of `samples / rate` seconds.
  ///
  /// - Parameters:
  ///   - samples: the number of samples of one channel, or of bits or bytes; 0 if unknown.
  ///   - rate: the number of the same units per second.
  private static func sound(samples: Int, rate: Int) -> MediaDimensions? {
    guard rate > 0, samples >= 0 else { return nil }
    return MediaDimensions(withoutSizeOfMilliseconds: milliseconds(of: samples, per: rate))
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

  /// Requires a first frame and, unless the file ends there, a second frame directly after it, because the two bytes that begin a frame
  /// occur in many files.
  private static func mp3(_ window: inout ByteWindow) -> MediaDimensions? {
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
    // The first frame may state the number of frames (the header of Xing, or `Info` of LAME), after its side information.
    let side = frame.isFirstVersion ? (frame.isMono ? 17 : 32) : (frame.isMono ? 9 : 17)
    let xing = start + 4 + side
    if window.matches("Xing", at: xing) || window.matches("Info", at: xing),
      let flags = window.big(4, at: xing + 4), flags & 1 == 1, let frames = window.big(4, at: xing + 8)
    {
      return sound(samples: frames * frame.samples, rate: frame.rate)
    }
    return sound(samples: (window.count - start) * 8, rate: frame.bitrate)
  }

  /// Returns the offset after a tag of ID3 version 2, whose length is four bytes of seven bits each, and after the zeros that some programs
  /// write after the tag.
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

  /// Reads Vorbis, Opus or FLAC in pages of Ogg (RFC 3533, 6). The first page states the format, the last page the number of samples.
  private static func ogg(_ window: inout ByteWindow) -> MediaDimensions? {
    guard let segments = window.big(1, at: 26) else { return nil }
    let packet = 27 + segments
    let (rate, skipped): (Int, Int)
    if window.matches("OpusHead", at: packet) {
      // RFC 7845, 4: the rate is always 48 kHz; a decoder drops the first `skip` samples.
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

  /// Returns the position stated in the last page. Only the last 64 KB are searched, because a page is not longer.
  private static func lastPosition(_ window: inout ByteWindow) -> Int? {
    var position: Int?
    var offset = max(0, window.count - 65_536)
    while offset + 14 <= window.count {
      // A page on which no packet ends has the position -1, for which `little` returns `nil`.
      if window.matches("OggS", at: offset), let value = window.little(8, at: offset + 6) { position = value }
      offset += 1
    }
    return position
  }

  // MARK: Other formats

  /// Reads the chunks `fmt ` and `data` of a RIFF file.
  private static func wav(_ window: inout ByteWindow) -> MediaDimensions? {
    var offset = 12
    var rate: Int?
    for _ in 0..<1000 {
      guard let size = window.little(4, at: offset + 4) else { return nil }
      if window.matches("fmt ", at: offset) {
        rate = window.little(4, at: offset + 16)
      } else if window.matches("data", at: offset) {
        // A file that was written as a stream may state a length that is too large.
        return rate.flatMap { sound(samples: min(size, window.count - offset - 8), rate: $0) }
      }
      offset += 8 + size + size & 1
    }
    return nil
  }

  /// Reads the block STREAMINFO, which is the first one (RFC 9639, 8.2).
  private static func flac(_ window: inout ByteWindow) -> MediaDimensions? {
    guard window.big(1, at: 4).map({ $0 & 0x7F }) == 0, let rate = window.big(3, at: 18),
      let samples = window.big(5, at: 21)
    else { return nil }
    return sound(samples: samples & 0xF_FFFF_FFFF, rate: rate >> 4)
  }

  /// Reads an MP4 container with a sound track and without a video track.
  private static func m4a(_ window: inout ByteWindow) -> MediaDimensions? {
    guard let parts = partsOfMovie(&window) else { return nil }
    let tracks = parts.filter { $0.type == Box.type("trak") }
    guard tracks.contains(where: { isTrack("soun", $0, &window) }),
      !tracks.contains(where: { isTrack("vide", $0, &window) })
    else { return nil }
    return MediaDimensions(withoutSizeOfMilliseconds: duration(parts, &window))
  }

  /// Checks that a file is captions with text only; `nil` otherwise.
  ///
  /// WebVTT (https://www.w3.org/TR/webvtt1/, 4.1) is UTF-8 in blocks between blank lines. Browsers run no scripts in it, but a `STYLE`
  /// block is a style sheet, which captions do not need. So a file with a `STYLE` block is refused, and so is a file without any cue.
  static func captions(_ window: inout ByteWindow) -> MediaDimensions? {
    guard let bytes = window.whole(upTo: MediaLimits().captionBytes), !bytes.contains(0) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    var isBlockStart = false
    var hasCue = false
    for line in bytes.linesOfText {
      // Spaces and tabs may follow the word `STYLE`; any other character makes it a different word.
      let word = line.prefix { $0 != 0x20 && $0 != 0x09 }
      if isBlockStart, word.elementsEqual("STYLE".utf8) { return nil }
      hasCue = hasCue || line.containsArrow
      isBlockStart = line.isEmpty
    }
    return hasCue ? MediaDimensions(withoutSizeOfMilliseconds: nil) : nil
  }
}

extension [UInt8] {
  /// The lines of a text, split at LF, CR and CR LF.
  fileprivate var linesOfText: [ArraySlice<UInt8>] {
    split(separator: 0x0A, omittingEmptySubsequences: false).flatMap { line in
      (line.last == 0x0D ? line.dropLast() : line).split(separator: 0x0D, omittingEmptySubsequences: false)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the line contains the arrow between the two times of a cue.
  fileprivate var containsArrow: Bool {
    guard count >= 3 else { return false }
    return (startIndex...endIndex - 3).contains { self[$0..<$0 + 3].elementsEqual("-->".utf8) }
  }
}
