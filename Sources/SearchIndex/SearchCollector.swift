package import Basics

/// Documents for an index, as many as one worker takes: their terms as numbers, each term's bytes once.
///
/// About 2 KB of a thread of twelve posts, which wait in a file where there is one. Workers share nothing; `SearchIndexWriter` puts their collections
/// together, and what comes of it does not depend on who had which document.
package struct SearchCollector: Sendable {
  /// A document, and where its record and its words are.
  struct Entry: Sendable {
    /// In the order of the index, which may have gaps.
    let position: Int
    /// See ``bytes(ofBlock:)``.
    let block: Int
    /// The part of the block that is the document's: bytes of the record, and the record; then each term: its number, bytes of its use, and the use.
    let range: Range<Int>
    let length: Int
    let titleLength: Int
  }

  /// How much there is of one term in all documents of a collector.
  struct Volume: Sendable {
    var documents = 0
    /// Bytes of its uses: each whether it is in the title (2) or a label (1), its weight, and its positions as in `SearchTerms.log`.
    var bytes = 0
  }

  private enum Block: Sendable {
    case memory([UInt8])
    case file(Range<Int>)
  }

  private(set) var terms = TermTable()
  /// By the numbers of the terms.
  private(set) var volumes: [Volume] = []
  private(set) var entries: [Entry] = []

  private var analyzer = SearchAnalyzer()
  private let file: SpoolFile?
  private var blocks: [Block] = []
  /// The one that is being filled.
  private var last: [UInt8] = []

  /// Bytes after which a block is closed.
  private static let blockSize = 256 * 1024

  /// - Parameter file: where the words wait, which may be that of several collectors; `nil` keeps them in memory.
  package init(in file: SpoolFile? = nil) {
    self.file = file
    last.reserveCapacity(Self.blockSize * 5 / 4)
  }

  /// Adds a document.
  package mutating func add(_ document: SearchDocument, at position: Int) throws(FileError) {
    try add(analyzer.terms(of: document), at: position)
  }

  /// Adds what was kept of a document.
  ///
  /// - Parameter position: in the order of the index, from 0; there is one document at each.
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

  /// The bytes of some documents that were added one after the other.
  func bytes(ofBlock number: Int) throws(FileError) -> [UInt8] {
    guard number < blocks.count else { return last }
    switch blocks[number] {
    case .memory(let bytes): return bytes
    case .file(let range): return try file?.read(range) ?? []
    }
  }
}
