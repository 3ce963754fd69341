/// Removes metadata from pictures and videos, such as the place and the camera, names and texts. A site should not publish data that its
/// owner does not see.
///
/// X and Mastodon remove metadata; files on Bluesky's servers and in archives may have it. It is removed without decoding a pixel: the rest
/// stays byte for byte, including color profiles and the picture's orientation. A file whose structure is not understood is kept unchanged.
enum MediaMetadata {
  /// A piece of the cleaned file.
  enum Piece: Equatable {
    /// A range of bytes of the original file.
    case kept(Range<Int>)
    case bytes([UInt8])
    case zeros(Int)
  }

  /// Returns the pieces of the cleaned file; `nil` if there is nothing to remove, or if the file is not understood.
  static func cleaned(_ type: MediaType, _ window: inout ByteWindow) -> [Piece]? {
    var pieces: [Piece]?
    switch type {
    case .jpeg: pieces = jpeg(&window)
    case .png: pieces = png(&window)
    case .gif: pieces = gif(&window)
    case .webp: pieces = webp(&window)
    case .mp4: pieces = mp4(&window)
    case .avif: pieces = avif(&window)
    case .mp3, .ogg, .wav, .flac, .m4a, .vtt: pieces = nil
    }
    guard let pieces else { return nil }
    let joined = join(pieces)
    return joined == [.kept(0..<window.count)] ? nil : joined
  }

  /// Joins neighboring pieces that were adjacent in the original file.
  private static func join(_ pieces: [Piece]) -> [Piece] {
    var joined: [Piece] = []
    for piece in pieces {
      if case .kept(let range) = piece, range.isEmpty { continue }
      if case .kept(let range) = piece, case .kept(let last) = joined.last,
        last.upperBound == range.lowerBound
      {
        joined[joined.count - 1] = .kept(last.lowerBound..<range.upperBound)
      } else {
        joined.append(piece)
      }
    }
    return joined
  }

  // MARK: JPEG

  /// Cleans the segments (ITU-T T.81, B.1.1). The only application segments that stay are those of JFIF, ICC profiles and Adobe; Adobe's
  /// segment specifies the meaning of the colors. Comments are removed, and so is everything after the end of the picture, where telephones
  /// store videos and second pictures.
  private static func jpeg(_ window: inout ByteWindow) -> [Piece]? {
    var pieces: [Piece] = []
    // The index of the piece for the orientation: after the start marker, and after JFIF's segment, which must be the first one.
    var place = 1
    var orientation: Int?
    var hasMinimal = false
    var offset = 2
    pieces.append(.kept(0..<2))
    while true {
      guard window.big(1, at: offset) == 0xFF else { return nil }
      let start = offset
      // Any number of FF bytes may precede a marker.
      while window.big(1, at: offset) == 0xFF { offset += 1 }
      guard let marker = window.big(1, at: offset) else { return nil }
      offset += 1
      if marker == 0xD9 {
        pieces.append(.kept(start..<offset))
        break
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        pieces.append(.kept(start..<offset))
        continue
      }
      guard let length = window.big(2, at: offset), length >= 2, window.holds(length, at: offset) else {
        return nil
      }
      let content = offset + 2
      offset += length
      var isKept = true
      switch marker {
      case 0xE0: isKept = window.matches("JFIF\0", at: content)
      case 0xE1:
        let segment = TIFFOrientation.of(&window, exifAt: content, end: offset)
        orientation = orientation ?? segment
        // A segment with only the orientation stays: an earlier run wrote it, or it has the same bytes.
        let isMinimal =
          segment != nil && !hasMinimal && segment == orientation
          && window.bytes(start..<offset) == minimalSegment(segment ?? 1)
        hasMinimal = hasMinimal || isMinimal
        isKept = isMinimal
      case 0xE2: isKept = window.matches("ICC_PROFILE\0", at: content)
      case 0xEE: isKept = window.matches("Adobe", at: content)
      case 0xE3...0xED, 0xEF, 0xFE: isKept = false
      default: break
      }
      if isKept {
        pieces.append(.kept(start..<offset))
        if marker == 0xE0, pieces.count == 2 { place = 2 }
      }
      guard marker == 0xDA else { continue }
      // In the picture's data, FF is followed by 0 or by a marker without a segment.
      let data = offset
      while let mark = window.find(0xFF, from: offset) {
        guard let next = window.big(1, at: mark + 1) else { return nil }
        offset = mark
        if next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { break }
        offset = mark + (next == 0xFF ? 1 : 2)
      }
      pieces.append(.kept(data..<offset))
      // An incomplete file has no end marker. It is kept unchanged, because browsers show the available part.
      guard window.find(0xFF, from: offset) != nil else { return nil }
    }
    if let orientation, orientation > 1, !hasMinimal {
      pieces.insert(.bytes(minimalSegment(orientation)), at: min(place, pieces.count))
    }
    return pieces
  }

  /// Returns an Exif segment with only the orientation.
  private static func minimalSegment(_ orientation: Int) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + TIFFOrientation.bytes(orientation)
    return [0xFF, 0xE1] + big(content.count + 2, 2) + content
  }

  // MARK: PNG

  /// Cleans the chunks (PNG specification, 5.3 and 11.3): texts, the time and all of Exif except the orientation are removed, and so is
  /// everything after the last chunk.
  private static func png(_ window: inout ByteWindow) -> [Piece]? {
    var pieces: [Piece] = [.kept(0..<8)]
    var offset = 8
    while true {
      guard let length = window.big(4, at: offset), window.holds(12, at: offset),
        window.holds(length + 12, at: offset)
      else { return nil }
      let end = offset + length + 12
      if window.matches("eXIf", at: offset + 4) {
        let orientation = TIFFOrientation.of(&window, tiffAt: offset + 8, end: end - 4) ?? 1
        let minimal = chunk("eXIf", TIFFOrientation.bytes(orientation))
        if orientation > 1 {
          pieces.append(window.bytes(offset..<end) == minimal ? .kept(offset..<end) : .bytes(minimal))
        }
      } else if !["tEXt", "zTXt", "iTXt", "tIME"].contains(where: { window.matches($0, at: offset + 4) }) {
        pieces.append(.kept(offset..<end))
      }
      if window.matches("IEND", at: offset + 4) { return pieces }
      offset = end
    }
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return big(content.count, 4) + body + big(Int(crc(body)), 4)
  }

  /// Returns the CRC-32 of a chunk (PNG specification, Annex D).
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return ~crc
  }

  // MARK: GIF

  /// Cleans the blocks (GIF89a specification, 17 to 27): comments and XMP are removed, and so is everything after the trailer.
  private static func gif(_ window: inout ByteWindow) -> [Piece]? {
    guard let flags = window.big(1, at: 10) else { return nil }
    var offset = 13 + colours(flags)
    var pieces: [Piece] = [.kept(0..<offset)]
    while true {
      let start = offset
      switch window.big(1, at: offset) {
      case 0x3B:
        pieces.append(.kept(start..<start + 1))
        return pieces
      case 0x2C:
        guard let flags = window.big(1, at: offset + 9) else { return nil }
        offset += 10 + colours(flags) + 1
      case 0x21: offset += 2
      default: return nil
      }
      // Sub-blocks of at most 255 bytes; an empty sub-block is the last one.
      while true {
        guard let length = window.big(1, at: offset) else { return nil }
        offset += 1 + length
        if length == 0 { break }
      }
      guard window.holds(0, at: offset) else { return nil }
      let isExtension = window.big(1, at: start) == 0x21
      let isLeftOut =
        isExtension
        && (window.big(1, at: start + 1) == 0xFE || window.matches("XMP DataXMP", at: start + 3))
      if !isLeftOut { pieces.append(.kept(start..<offset)) }
    }
  }

  private static func colours(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

  // MARK: WebP

  /// Cleans the chunks of a RIFF file (WebP container specification): XMP and all of Exif except the orientation are removed, and so is
  /// everything after the RIFF chunk.
  private static func webp(_ window: inout ByteWindow) -> [Piece]? {
    guard let length = window.little(4, at: 4), window.holds(length, at: 8) else { return nil }
    let end = 8 + length
    var chunks: [Piece] = []
    var header: Int?
    var orientation = 1
    var offset = 12
    var isChanged = end < window.count
    while offset < end {
      guard let length = window.little(4, at: offset + 4), window.holds(length + length & 1 + 8, at: offset)
      else {
        return nil
      }
      let next = offset + 8 + length + length & 1
      if window.matches("VP8X", at: offset) { header = offset }
      if window.matches("EXIF", at: offset) {
        let content = window.matches("Exif\0\0", at: offset + 8) ? offset + 14 : offset + 8
        orientation = TIFFOrientation.of(&window, tiffAt: content, end: next) ?? 1
        let minimal = exifChunk(orientation)
        if orientation > 1 {
          isChanged = isChanged || window.bytes(offset..<next) != minimal
          chunks.append(.bytes(minimal))
        } else {
          isChanged = true
        }
      } else if window.matches("XMP ", at: offset) {
        isChanged = true
      } else {
        chunks.append(.kept(offset..<next))
      }
      offset = next
    }
    guard isChanged else { return [.kept(0..<window.count)] }
    if let header, let flags = window.big(1, at: header + 8) {
      guard let first = chunks.firstIndex(of: .kept(header..<header + 18)) else { return nil }
      let kept = flags & ~(orientation > 1 ? 0x04 : 0x0C)
      chunks.replaceSubrange(
        first...first,
        with: [.kept(header..<header + 8), .bytes([UInt8(kept)]), .kept(header + 9..<header + 18)])
    }
    let size = chunks.reduce(4) { sum, piece in
      switch piece {
      case .kept(let range): sum + range.count
      case .bytes(let bytes): sum + bytes.count
      case .zeros(let count): sum + count
      }
    }
    let little = big(size, 4).reversed()
    return [.bytes(Array("RIFF".utf8) + little + Array("WEBP".utf8))] + chunks
  }

  private static func exifChunk(_ orientation: Int) -> [UInt8] {
    let tiff = TIFFOrientation.bytes(orientation)
    return Array("EXIF".utf8) + big(tiff.count, 4).reversed() + tiff
  }

  // MARK: MP4

  /// Replaces user data and metadata of the video and its tracks, such as places, by free space of the same size, so that the offsets in
  /// the file's tables stay valid (ISO/IEC 14496-12, 8.1.2, 8.10 and 8.11).
  private static func mp4(_ window: inout ByteWindow) -> [Piece]? {
    let top: Set<UInt32> = [Box.type("meta"), Box.type("udta"), Box.type("uuid")]
    guard let parts = metadataBoxes(&window, top: top) else { return nil }
    return replacing(parts, &window)
  }

  /// A range of the original file and the pieces that replace it.
  private struct Replacement {
    let range: Range<Int>
    let pieces: [Piece]
  }

  /// Returns the pieces of the file with its replacements; `nil` if two replacements overlap.
  private static func replacing(_ parts: [Replacement], _ window: inout ByteWindow) -> [Piece]? {
    var pieces: [Piece] = []
    var offset = 0
    for part in parts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard part.range.lowerBound >= offset else { return nil }
      pieces += [.kept(offset..<part.range.lowerBound)] + part.pieces
      offset = part.range.upperBound
    }
    return pieces + [.kept(offset..<window.count)]
  }

  /// Returns the replacements for all metadata boxes; `nil` if one of them reaches beyond the end of the file.
  ///
  /// - Parameter top: the types of metadata boxes that are removed at the top level of the file.
  private static func metadataBoxes(_ window: inout ByteWindow, top: Set<UInt32>) -> [Replacement]? {
    var free: [Box] = []
    for box in window.boxes(from: 0, to: window.count) {
      if box.type == Box.type("moov") {
        // A box that reaches beyond the end of its outer box is not removed, because other boxes would be overwritten.
        for part in window.boxes(in: box) where part.end <= box.end {
          if isAboutTheFilm(part, &window) { free.append(part) }
          guard part.type == Box.type("trak") else { continue }
          free += window.boxes(in: part).filter { $0.end <= part.end && isAboutTheFilm($0, &window) }
        }
      } else if top.contains(box.type), isAboutTheFilm(box, &window) {
        free.append(box)
      }
    }
    guard free.allSatisfy({ window.holds($0.end - $0.start, at: $0.start) && $0.start >= 8 }) else {
      return nil
    }
    return free.map { box in
      // The type is between the 4-byte size and the content. An 8-byte size is between the type and the content.
      let type = box.start - (window.big(4, at: box.start - 16) == 1 && hasLargeSize(box, &window) ? 12 : 4)
      return Replacement(
        range: type..<box.end,
        pieces: [.bytes(Array("free".utf8)), .kept(type + 4..<box.start), .zeros(box.end - box.start)])
    }
  }

  private static func hasLargeSize(_ box: Box, _ window: inout ByteWindow) -> Bool {
    window.big(8, at: box.start - 8) == box.end - box.start + 16
  }

  private static func isAboutTheFilm(_ box: Box, _ window: inout ByteWindow) -> Bool {
    if box.type == Box.type("uuid") {
      // The identifier of XMP (XMP specification, part 3, 1.2.7.1).
      return window.bytes(box.start..<box.start + 16) == [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
      ]
    }
    return box.type == Box.type("meta") || box.type == Box.type("udta") && !namesEncoderOnly(box, &window)
  }

  /// Returns whether user data contain only the name of the program that made the video, as in most videos. Such user data stay, so that
  /// the file is unchanged.
  private static func namesEncoderOnly(_ box: Box, _ window: inout ByteWindow) -> Bool {
    let encoder: UInt32 = 0xA974_6F6F  // ©too
    return window.boxes(in: box).allSatisfy { part in
      guard part.type == Box.type("meta"), part.end <= box.end else { return false }
      return window.boxes(in: part, skipping: 4).allSatisfy { item in
        if item.type == Box.type("ilst") { return window.boxes(in: item).allSatisfy { $0.type == encoder } }
        return item.type == Box.type("hdlr")
      }
    }
  }

  // MARK: AVIF

  /// Replaces items that are Exif or texts, such as XMP, by the same number of meaningless bytes, so that the offsets in the file's tables
  /// stay valid (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, annex A). The orientation is in the picture's properties.
  private static func avif(_ window: inout ByteWindow) -> [Piece]? {
    let top = window.boxes(from: 0, to: window.count)
    guard let meta = top.first(where: { $0.type == Box.type("meta") }), meta.end <= window.count,
      let kinds = itemKinds(meta, &window), let extents = itemExtents(meta, &window),
      var parts = metadataBoxes(&window, top: [Box.type("udta"), Box.type("uuid")])
    else { return nil }
    var others: [Range<Int>] = []
    // Ranges that do not overlap have together at most as many bytes as the file. Overlapping ones could take any amount of memory.
    var room = window.count
    for (item, ranges) in extents {
      guard let kind = kinds[item], kind != .other else {
        others += ranges
        continue
      }
      for range in ranges where !range.isEmpty {
        room -= range.count
        guard room >= 0, window.holds(range.count, at: range.lowerBound) else { return nil }
        let bytes =
          kind == .exif && ranges.count == 1 ? silentExif(range, &window) : silent(kind, range.count)
        parts.append(
          Replacement(range: range, pieces: [stand(bytes, at: range, &window) ? .kept(range) : .bytes(bytes)])
        )
      }
    }
    // Bytes that belong to both the picture and its metadata must not be overwritten.
    guard !overlap(others, parts.map(\.range)) else { return nil }
    return replacing(parts, &window)
  }

  /// Returns whether a range of one list overlaps a range of the other list, in the time that sorting the ranges takes.
  private static func overlap(_ some: [Range<Int>], _ others: [Range<Int>]) -> Bool {
    let all =
      (some.map { ($0, 0) } + others.map { ($0, 1) }).filter { !$0.0.isEmpty }
      .sorted { $0.0.lowerBound < $1.0.lowerBound }
    var ends = [0, 0]
    for (range, side) in all {
      if range.lowerBound < ends[1 - side] { return true }
      ends[side] = max(ends[side], range.upperBound)
    }
    return false
  }

  /// Returns whether the file already has these bytes in this range.
  private static func stand(_ bytes: [UInt8], at range: Range<Int>, _ window: inout ByteWindow) -> Bool {
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      let part = start..<min(start + 4096, bytes.count)
      let place = range.lowerBound + part.lowerBound
      guard let found = window.bytes(place..<place + part.count), found[...] == bytes[part] else {
        return false
      }
    }
    return true
  }

  private enum ItemKind {
    case exif, text, other
  }

  /// Returns the kind of each item from the box `iinf` (ISO/IEC 14496-12, 8.11.6); `nil` if it cannot be read.
  private static func itemKinds(_ meta: Box, _ window: inout ByteWindow) -> [Int: ItemKind]? {
    guard let box = window.box("iinf", in: meta, skipping: 4), let version = window.big(1, at: box.start)
    else {
      return nil
    }
    var kinds: [Int: ItemKind] = [:]
    for entry in window.boxes(in: box, skipping: version == 0 ? 6 : 8) where entry.type == Box.type("infe") {
      // Entries of versions 0 and 1 have no types; AVIF does not use them.
      guard let version = window.big(1, at: entry.start), version == 2 || version == 3 else { return nil }
      let idLength = version == 2 ? 2 : 4
      guard let id = window.big(idLength, at: entry.start + 4) else { return nil }
      let type = entry.start + 4 + idLength + 2
      kinds[id] =
        window.matches("Exif", at: type)
        ? .exif : window.matches("mime", at: type) || window.matches("uri ", at: type) ? .text : .other
    }
    return kinds
  }

  /// The maximum number of byte ranges of all items. A picture has one or two per item; the largest grid has 65,536 items (ISO/IEC 23008-12,
  /// 6.6.2.3). A range without an offset and a length takes no bytes of the file, so the file's size does not limit their number.
  private static let mostExtents = 100_000

  /// Returns the byte ranges of each item from the box `iloc` (ISO/IEC 14496-12, 8.11.3); `nil` if the box is missing, uses a method that is not
  /// supported, or has too many ranges.
  private static func itemExtents(_ meta: Box, _ window: inout ByteWindow) -> [Int: [Range<Int>]]? {
    guard let box = window.box("iloc", in: meta, skipping: 4), let version = window.big(1, at: box.start),
      version <= 2, let sizes = window.big(2, at: box.start + 4)
    else { return nil }
    var offset = box.start + 6
    func next(_ length: Int) -> Int? {
      guard length > 0 else { return 0 }
      defer { offset += length }
      return offset + length <= box.end ? window.big(length, at: offset) : nil
    }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12 & 15, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }),
      let count = next(version == 2 ? 4 : 2)
    else { return nil }
    let smallData = window.box("idat", in: meta, skipping: 4)?.start
    var extents: [Int: [Range<Int>]] = [:]
    var room = mostExtents
    for _ in 0..<count {
      guard let id = next(version == 2 ? 4 : 2), let method = version == 0 ? 0 : next(2), next(2) == 0,
        let base = next(baseSize), let extentCount = next(2), extents[id] == nil
      else { return nil }
      // Offsets are counted from the beginning of the file (method 0) or of the box `idat` (method 1).
      guard let start = method & 15 == 0 ? 0 : method & 15 == 1 ? smallData : nil else { return nil }
      // An item without ranges also takes memory.
      room -= max(1, extentCount)
      guard room >= 0 else { return nil }
      var ranges: [Range<Int>] = []
      for _ in 0..<extentCount {
        guard next(indexSize) != nil, let place = next(offsetSize), let length = next(lengthSize) else {
          return nil
        }
        guard [base, place, length].allSatisfy({ $0 <= window.count }) else { return nil }
        let first = start + base + place
        guard first + length <= window.count else { return nil }
        ranges.append(first..<first + length)
      }
      extents[id] = ranges
    }
    return extents
  }

  /// Returns Exif of the same length with only the orientation, after four bytes with the offset of the TIFF header.
  private static func silentExif(_ range: Range<Int>, _ window: inout ByteWindow) -> [UInt8] {
    let header = window.big(4, at: range.lowerBound) ?? 0
    let orientation =
      header < range.count
      ? TIFFOrientation.of(&window, tiffAt: range.lowerBound + 4 + header, end: range.upperBound) ?? 1 : 1
    let bytes = [0, 0, 0, 0] + TIFFOrientation.bytes(orientation)
    guard bytes.count <= range.count else { return silent(.exif, range.count) }
    return bytes + [UInt8](repeating: 0, count: range.count - bytes.count)
  }

  private static func silent(_ kind: ItemKind, _ count: Int) -> [UInt8] {
    let text = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
    guard kind == .text else { return [UInt8](repeating: 0, count: count) }
    guard text.count <= count else { return [UInt8](repeating: UInt8(ascii: " "), count: count) }
    return text + [UInt8](repeating: UInt8(ascii: " "), count: count - text.count)
  }

  static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

/// The orientation of a picture in Exif (Exif 2.32, 4.6.4): the value of tag 0x0112 of the first directory, 1 to 8.
///
/// Exif is read up to the end of its segment, which contains all of it (Exif 2.32, 4.7.2). Otherwise a million segments could refer to one
/// long directory elsewhere in the file, and reading it for each of them would take an hour.
enum TIFFOrientation {
  /// Reads the orientation from an Exif segment's content, which begins with `Exif`; `nil` if it is missing or invalid.
  ///
  /// - Parameter end: the offset after the segment.
  static func of(_ window: inout ByteWindow, exifAt offset: Int, end: Int) -> Int? {
    window.matches("Exif\0\0", at: offset) ? of(&window, tiffAt: offset + 6, end: end) : nil
  }

  /// Reads the orientation from a TIFF header and its first directory; `nil` if it is missing or invalid.
  ///
  /// - Parameter end: the offset after the segment.
  static func of(_ window: inout ByteWindow, tiffAt base: Int, end: Int) -> Int? {
    let isLittle = window.matches("II", at: base)
    guard isLittle || window.matches("MM", at: base) else { return nil }
    func number(_ length: Int, _ place: Int) -> Int? {
      isLittle ? window.little(length, at: base + place) : window.big(length, at: base + place)
    }
    guard number(2, 2) == 42, let directory = number(4, 4), base + directory + 2 <= end,
      let entries = number(2, directory)
    else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + 12 * index
      guard base + entry + 12 <= end, let tag = number(2, entry) else { return nil }
      if tag == 0x0112 { return number(2, entry + 8).flatMap { (1...8).contains($0) ? $0 : nil } }
    }
    return nil
  }

  /// Returns a TIFF header and a directory with only the orientation.
  static func bytes(_ orientation: Int) -> [UInt8] {
    let header = Array("MM".utf8) + MediaMetadata.big(42, 2) + MediaMetadata.big(8, 4)
    let entry =
      MediaMetadata.big(0x0112, 2) + MediaMetadata.big(3, 2) + MediaMetadata.big(1, 4)
      + MediaMetadata.big(orientation, 2) + [0, 0]
    return header + MediaMetadata.big(1, 2) + entry + MediaMetadata.big(0, 4)
  }
}
