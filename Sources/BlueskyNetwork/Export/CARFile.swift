/// A CAR file, version 1: blocks by their names, and the name of the first.
///
/// Blocks may lie in any order, some may be there twice, and some may be none of the repository's. What is asked for is checked against
/// its name.
struct CARFile {
  let root: ContentID
  private let bytes: [UInt8]
  private let blocks: [ContentID: Range<Int>]

  /// The largest block that is read: a record has a mebibyte at most, and so has a node of the tree.
  private static let largestBlock = 1 << 20

  var count: Int { blocks.count }

  init(_ bytes: [UInt8]) throws(DAGCBORError) {
    self.bytes = bytes
    var place = 0
    let length = try Self.varint(bytes, &place)
    guard length <= 4096, length <= bytes.count - place else {
      throw DAGCBORError("it has no header that could be read")
    }
    let header = try DAGCBORValue(bytes[place..<place + length])
    place += length
    guard header["version"]?.integer == 1 else { throw DAGCBORError("it is no CAR file of version 1") }
    guard let root = header["roots"]?.array?.first?.link else {
      throw DAGCBORError("its header names no root")
    }
    self.root = root
    var blocks: [ContentID: Range<Int>] = [:]
    while place < bytes.count {
      let length = try Self.varint(bytes, &place)
      guard length <= bytes.count - place else {
        throw DAGCBORError(
          "it ends within a block: it was cut, or says of a block that it is longer than the file")
      }
      let end = place + length
      // A block under a name of another kind is none of a repository's.
      if length >= ContentID.length, let id = ContentID(bytes[place..<place + ContentID.length]) {
        if blocks[id] == nil { blocks[id] = place + ContentID.length..<end }
      }
      place = end
    }
    self.blocks = blocks
  }

  /// The bytes of a block; `nil` where the file does not have it.
  func block(_ id: ContentID) throws(DAGCBORError) -> ArraySlice<UInt8>? {
    guard let range = blocks[id] else { return nil }
    guard range.count <= Self.largestBlock else {
      throw DAGCBORError("a block is larger than a record can be")
    }
    let block = bytes[range]
    guard id.names(block) else {
      throw DAGCBORError("a block is not what its name says, so the file was changed")
    }
    return block
  }

  /// An unsigned number in groups of seven bits, the lowest first; at most nine, as in the specification.
  private static func varint(_ bytes: [UInt8], _ place: inout Int) throws(DAGCBORError) -> Int {
    var number: UInt64 = 0
    for group in 0..<9 {
      guard place < bytes.count else { throw DAGCBORError("it ends within a number") }
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) << UInt64(7 * group)
      if byte & 0x80 == 0 { return Int(number) }
    }
    throw DAGCBORError("it holds a length that no file can have")
  }
}
