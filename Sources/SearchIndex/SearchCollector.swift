package import Basics

/// The documents of one worker for an index. Terms are stored as numbers, and each term's bytes only once.
///
/// A thread of twelve posts takes about 2 KB, which are stored in a file if there is one. Workers share no data; `SearchIndexWriter`
/// combines their collections, and the result does not depend on which worker had which document.
package struct SearchCollector: Sendable {
  /// A document, and the place of its record and words.
  struct Entry: Sendable {
    /// The position in the order of the index, which may have gaps.
    let position: Int
    /// The number of the block; see ``bytes(ofBlock:)``.
    let block: Int
    /// The document's bytes in the block: the length of the record in bytes and the record, then for each term its number, the length of
    /// the use in bytes, and the use.
    let range: Range<Int>
    let length: Int
    let titleLength: Int
  }

  /// The amount of data for one term in all documents of a collector.
  struct Volume: Sendable {
    var documents = 0
    /// The bytes of the term's uses. A use consists of flags for the title (2) and labels (1), the weight, and the positions as in `SearchTerms.log`.
    var bytes = 0
  }

  private enum Block: Sendable {
    case memory([UInt8])
    case file(Range<Int>)
  }

  private(set) var terms = TermTable()
  /// The volumes by the terms' numbers.
  private(set) var volumes: [Volume] = []
  private(set) var entries: [Entry] = []

  private var analyzer = SearchAnalyzer()
  private let file: SpoolFile?
  private var blocks: [Block] = []
  /// The block that is being filled.
  private var last: [UInt8] = []

  /// The size in bytes after which a block is closed.
  private static let blockSize = 256 * 1024

  /// - Parameter file: the file for the words, which several collectors may share; `nil` to keep them in memory.
  package init(in file: SpoolFile? = nil) {
    self.file = file
    last.reserveCapacity(Self.blockSize * 5 / 4)
  }

  /// Adds a document.
  package mutating func add(_ document: SearchDocument, at position: Int) throws(FileError) {
    try add(analyzer.terms(of: document), at: position)
  }

  /// Adds a document whose terms were stored.
  ///
  /// - Parameter position: the position in the order of the index, from 0. No two documents have the same position.
  package mutating func add(_ document: SearchTerms, at position: Int) throws(FileError) {
    let start = last.count
    last.append(varint: document.record.count)
    last += document.record
    document.log.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      while reader.offset < bytes.count {
        let count = min(reader.next(), bytes.count - reader.offset)
        let number = terms.number(
          of: UnsafeBufferPointer(rebasing: bytes[reader.offset..<reader.offset + count]))
        reader.offset += count
        let use = reader.offset
        reader.skip(2)
        reader.skip(reader.next())
        let end = min(reader.offset, bytes.count)
        last.append(varint: number)
        last.append(varint: end - use)
        last.append(contentsOf: bytes[use..<end])
        if number == volumes.count { volumes.append(Volume()) }
        volumes[number].documents += 1
        volumes[number].bytes += end - use
      }
    }
    entries.append(
      Entry(
        position: position, block: blocks.count, range: start..<last.count, length: document.length,
        titleLength: document.titleLength))
    if last.count >= Self.blockSize { try closeBlock() }
  }

  private mutating func closeBlock() throws(FileError) {
    if let file {
      blocks.append(.file(try file.append(last)))
      last.removeAll(keepingCapacity: true)
    } else {
      blocks.append(.memory(last))
      last = []
    }
  }

  /// Returns the bytes of a block, which contains documents that were added one after the other.
  func bytes(ofBlock number: Int) throws(FileError) -> [UInt8] {
    guard number < blocks.count else { return last }
    switch blocks[number] {
    case .memory(let bytes): return bytes
    case .file(let range): return try file?.read(range) ?? []
    }
  }
}
