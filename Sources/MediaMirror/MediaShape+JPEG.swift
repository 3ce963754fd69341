extension MediaShape {
  /// The frame header (ITU-T T.81, B.2.2), turned as the EXIF orientation before it says: browsers turn the picture so, too.
  static func jpeg(_ window: inout ByteWindow) -> MediaShape? {
    var offset = 2
    var isTurned = false
    // A real file has some dozens of segments.
    for _ in 0..<10_000 {
      guard let marker = nextMarker(&window, &offset), let length = window.big(2, at: offset), length >= 2
      else { return nil }
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard length >= 8, let height = window.big(2, at: offset + 3),
          let width = window.big(2, at: offset + 5)
        else { return nil }
        let shape = MediaShape(width: width, height: height)
        return isTurned ? shape?.turned : shape
      // The picture's data, or its end, and no frame yet.
      case 0xDA, 0xD9: return nil
      case 0xE1:
        if let orientation = TIFFOrientation.of(&window, exifAt: offset + 2) { isTurned = orientation >= 5 }
      default: break
      }
      offset += length
    }
    return nil
  }

  /// The marker at `offset`, which moves behind it; any number of FF may stand before one, and those of D0 to D8 and 01 stand alone.
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
}
