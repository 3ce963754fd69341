/// The list of documents that contain a term, with the level of the term in each of them, as browsers read it.
struct PostingList {
  /// In ascending order.
  var documents: [Int] = []
  var levels: [UInt8] = []

  /// Encodes a list.
  ///
  /// - Parameter count: the number of documents in the index.
  static func encode(_ documents: [Int], _ levels: [UInt8], of count: Int) -> [UInt8] {
    list(documents, of: count) + nibbles(levels)
  }

  /// Encodes a list of documents. The first byte is the format: 0 for the distances between documents, 1 for one bit per document of the
  /// site.
  private static func list(_ documents: [Int], of count: Int) -> [UInt8] {
    var distances: [UInt8] = [0]
    var last = -1
    for document in documents {
      distances.append(varint: document - last)
      last = document
    }
    let bitmapLength = bitmapLength(of: count)
    guard distances.count > bitmapLength + 1 else { return distances }
    var bitmap = [UInt8](repeating: 0, count: bitmapLength + 1)
    bitmap[0] = 1
    for document in documents { bitmap[1 + document / 8] |= 1 << UInt8(document % 8) }
    return bitmap
  }

  /// Returns the number of bytes of one bit per document.
  static func bitmapLength(of count: Int) -> Int { (count + 7) / 8 }

  /// Whether the encoded list has one bit per document of the site.
  static func isBitmap(_ bytes: [UInt8]) -> Bool { bytes.first == 1 }

  /// Whether the list of so many documents could have one bit per document of the site. A distance takes at most five bytes.
  static func mayBeBitmap(_ documents: Int, of count: Int) -> Bool {
    documents * 5 > bitmapLength(of: count)
  }

  /// Packs two levels into each byte, the first in the low half.
  private static func nibbles(_ levels: [UInt8]) -> [UInt8] {
    stride(from: 0, to: levels.count, by: 2).map { index in
      levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0)
    }
  }

  /// Reads what ``encode(_:_:of:)`` wrote; `nil` for other bytes.
  ///
  /// - Parameters:
  ///   - size: the number of documents that contain the term.
  ///   - count: the number of documents in the index.
  static func decode(_ bytes: [UInt8], size: Int, of count: Int) -> PostingList? {
    var list = PostingList()
    list.documents.reserveCapacity(size)
    var start = 1
    switch bytes.first {
    case 0:
      var last = -1
      start = bytes.withUnsafeBufferPointer { bytes in
        var reader = VarintReader(bytes: bytes, offset: 1)
        for _ in 0..<size {
          last += reader.next()
          list.documents.append(last)
        }
        return reader.offset
      }
    case 1:
      start += bitmapLength(of: count)
      guard start <= bytes.count else { return nil }
      for document in 0..<count where bytes[1 + document / 8] & (1 << UInt8(document % 8)) != 0 {
        list.documents.append(document)
      }
    default: return nil
    }
    guard list.documents.count == size, start + (size + 1) / 2 == bytes.count else { return nil }
    list.levels = (0..<size).map { index in
      let pair = bytes[start + index / 2]
      return index.isMultiple(of: 2) ? pair & 0xF : pair >> 4
    }
    return list
  }
}
