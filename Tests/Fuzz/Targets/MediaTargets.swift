import MediaMirror

extension FuzzTarget {
  /// Media by their bytes. A recognized type can be measured or not, and is never content that a browser
  /// would execute.
  static let media = FuzzTarget(
    "media",
    dictionary: [
      "GIF89a", "RIFF", "WEBP", "VP8X", "VP8L", "VP8 ", "ftyp", "avif", "isom", "moov", "mvhd", "trak",
      "tkhd",
      "mdia", "mdhd", "hdlr", "vide", "meta", "iprp", "ipco", "ispe", "irot", "ipma", "pitm", "iinf", "iloc",
      "Exif", "IHDR", "<svg", "<!doctype html", "mdat", "moof", "sidx", "free", "soun", "M4A ", "ID3", "OggS",
      "OpusHead", "fLaC", "WAVE", "fmt ", "data", "Xing", "WEBVTT\n", "STYLE", "00:00.000 --> 00:01.000",
    ], maximumLength: 8192,
    seeds: [Seeds("Tests/MediaMirrorTests/Fixtures", ""), Seeds("threads/media", "")], testRuns: 2000
  ) { bytes in
    guard let type = MediaType(head: Array(bytes.prefix(256))) else { return }
    // Only white space may precede the longest signatures of HTML and SVG (WHATWG MIME sniffing, 7.1).
    let text = bytes.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    try require(text.first != UInt8(ascii: "<"), "markup is taken for \(type)")
    guard let shape = MediaDimensions(type, of: bytes) else { return }
    if type.family == .audio || type.family == .captions {
      try require(shape.width == 0 && shape.height == 0, "\(shape)")
    } else {
      try require(shape.width >= 1 && shape.height >= 1, "\(shape)")
    }
    try require(!shape.width.multipliedReportingOverflow(by: shape.height).overflow, "\(shape)")
    try require((shape.durationMilliseconds ?? 0) >= 0, "\(shape)")
    try require(MediaDimensions(type, of: bytes) == shape, "measured twice, it is another")
    // Bytes after the header cannot make an image larger than the header states, except for formats with
    // boxes at the end.
    if type.family == .image, type != .avif, type != .jpeg {
      try require(
        MediaDimensions(type, of: bytes + [0, 0, 0, 0]) == shape, "four bytes at the end change \(shape)")
    }
  }
}
