extension MediaShape {
  /// The size property of the primary item (ISO/IEC 23008-12, 6.5.3; AVIF 1.1), turned as its rotation says. Larger than any other size
  /// in the file it need not be, but a decoder makes room for those as well, so the largest counts where the primary is smaller
  /// than a hundredth of it.
  static func avif(_ window: inout ByteWindow) -> MediaShape? {
    let top = window.boxes(from: 0, to: window.count)
    guard let meta = top.first(where: { $0.type == Box.type("meta") }), meta.end <= window.count,
      let primary = primaryItem(meta, &window), let store = window.box("iprp", in: meta, skipping: 4),
      let container = window.box("ipco", in: store)
    else { return nil }
    let properties = window.boxes(in: container)
    var shape: MediaShape?
    var isTurned = false
    for index in propertyIndexes(of: primary, in: store, &window) where properties.indices.contains(index - 1)
    {
      let property = properties[index - 1]
      if property.type == Box.type("ispe") { shape = size(property, &window) }
      if property.type == Box.type("irot") { isTurned = (window.big(1, at: property.start) ?? 0) & 1 == 1 }
    }
    guard let shape else { return nil }
    for property in properties where property.type == Box.type("ispe") {
      guard let other = size(property, &window) else { return nil }
      if other.width * other.height / 100 > shape.width * shape.height { return other }
    }
    return isTurned ? shape.turned : shape
  }

  private static func size(_ property: Box, _ window: inout ByteWindow) -> MediaShape? {
    guard let width = window.big(4, at: property.start + 4),
      let height = window.big(4, at: property.start + 8)
    else { return nil }
    return MediaShape(width: width, height: height)
  }

  /// `pitm` (ISO/IEC 14496-12, 8.11.4).
  private static func primaryItem(_ meta: Box, _ window: inout ByteWindow) -> Int? {
    guard let box = window.box("pitm", in: meta, skipping: 4), let version = window.big(1, at: box.start)
    else {
      return nil
    }
    return window.big(version == 0 ? 2 : 4, at: box.start + 4)
  }

  /// `ipma` (ISO/IEC 23008-12, 9.3): for each item the indexes of its properties, counted from 1, each of 1 or 2 bytes
  /// whose first bit says whether the property is essential.
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
}
