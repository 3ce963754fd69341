extension MediaShape {
  /// The first video track's size as it is shown, and the film's duration; the `moov` box may stand before or behind the
  /// data.
  static func mp4(_ window: inout ByteWindow) -> MediaShape? {
    let top = window.boxes(from: 0, to: window.count)
    // A download that was cut ends within the data.
    guard let movie = top.first(where: { $0.type == Box.type("moov") }), movie.end <= window.count,
      !top.contains(where: { $0.type == Box.type("mdat") && $0.end > window.count })
    else { return nil }
    let parts = window.boxes(in: movie)
    for track in parts where track.type == Box.type("trak") {
      guard isTrack("vide", track, &window), let header = window.box("tkhd", in: track),
        var shape = shownSize(header, &window)
      else { continue }
      shape.durationMilliseconds = duration(parts, &window)
      return shape
    }
    return nil
  }

  /// Whether a track is of a kind, `vide` or `soun`.
  static func isTrack(_ handlerType: StaticString, _ track: Box, _ window: inout ByteWindow) -> Bool {
    guard let media = window.box("mdia", in: track), let handler = window.box("hdlr", in: media) else {
      return false
    }
    return window.matches(handlerType, at: handler.start + 8)
  }

  /// The end of `tkhd` (ISO/IEC 14496-12, 8.3.2): a matrix of nine numbers of 4 bytes, then width and height as 16.16. A film turned by
  /// a quarter has nothing in the matrix's first place, and something in its second.
  private static func shownSize(_ header: Box, _ window: inout ByteWindow) -> MediaShape? {
    guard let version = window.big(1, at: header.start), version <= 1 else { return nil }
    let matrix = header.start + (version == 1 ? 52 : 40)
    guard matrix + 44 <= header.end, let across = window.big(4, at: matrix),
      let down = window.big(4, at: matrix + 4), let width = window.big(4, at: matrix + 36),
      let height = window.big(4, at: matrix + 40)
    else { return nil }
    let shape = MediaShape(width: width >> 16, height: height >> 16)
    return across == 0 && down != 0 ? shape?.turned : shape
  }

  /// `mvhd` (8.2.2), or `mehd` (8.8.2) where the film comes in fragments and the former says nothing.
  static func duration(_ parts: [Box], _ window: inout ByteWindow) -> Int? {
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
    // All bits set means that it is not known; nobody posts a film of a thousand hours.
    let (product, isOverflow) = units.multipliedReportingOverflow(by: 1000)
    guard units > 0, !isOverflow, product / scale < 3_600_000_000, units != Int(UInt32.max) else {
      return nil
    }
    return product / scale
  }
}
