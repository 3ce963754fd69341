import Basics

/// Splits the dictionary into files that are small enough to be fetched for a single word.
///
/// Short postings are stored beside their term, and short positions together with those of neighboring terms. Long ones are stored in
/// separate files.
struct ShardWriter {
  /// The minimum size, and approximately the maximum size, of a dictionary file in bytes.
  private static let shardSize = 1536..<8192
  /// The average number of bytes after the minimum size at which a file ends.
  private static let shardRest: UInt64 = 2048
  /// The size in bytes above which postings are stored in a separate file.
  private static let longPostings = 768
  /// The size in bytes above which positions are stored in a separate file.
  private static let longPositions = 2048

  /// A file of the dictionary, and the file with its positions.
  struct Shard: Sendable, Equatable {
    let firstTerm: String
    /// The name of both files, a hash of their content.
    let name: String
  }

  private(set) var shards: [Shard] = []

  private var files: [SearchIndex.File] = []
  private var firstTerm: [UInt8] = []
  private var shard: [UInt8] = []
  private var positions: [UInt8] = []
  private var previous: [UInt8] = []
  /// The paths of the files for single terms.
  private var paths: Set<String> = []

  /// The number of terms for each file that belongs to single terms, by its path.
  private(set) var uses: [String: Int] = [:]

  /// Adds a term whose bytes become a part of the index. Terms must be added in order.
  mutating func add(_ term: [UInt8], _ encoded: PostingEncoder.Encoded) {
    let postings = piece(encoded.postings, in: .postings, longest: Self.longPostings)
    let positions = piece(encoded.positions, in: .positions, longest: Self.longPositions)
    add(
      term,
      DictionaryEntry(
        documents: encoded.documents, titled: encoded.titled, postings: postings, positions: positions,
        positionsSize: encoded.positions.count))
  }

  /// Adds a term whose long pieces are already files of the index.
  mutating func add(_ term: [UInt8], _ entry: DictionaryEntry) {
    if endsShard(before: term, entry) { close() }
    if shard.isEmpty {
      firstTerm = term
      previous = []
    }
    entry.write(term, after: previous, to: &shard)
    if case .bytes(let bytes) = entry.positions { positions += bytes }
    for file in Self.files(of: entry) { uses[file, default: 0] += 1 }
    previous = term
  }

  /// The folders of files that belong to single terms.
  private enum Folder: String {
    case postings = "t"
    case positions = "w"
  }

  /// Returns the paths of the files that belong to a term.
  static func files(of entry: DictionaryEntry) -> [String] {
    [(Folder.postings, entry.postings), (.positions, entry.positions)].compactMap { folder, piece in
      if case .file(let name) = piece { path(of: name, in: folder) } else { nil }
    }
  }

  private static func path(of name: String, in folder: Folder) -> String { "\(folder.rawValue)/\(name).bin" }

  /// Returns the paths of a file of the dictionary and of the file with its positions.
  static func paths(ofShard name: String) -> (terms: String, positions: String) {
    ("d/\(name).bin", "p/\(name).bin")
  }

  /// Returns the name of a file of the dictionary and of the file with its positions: a hash of their content.
  static func name(ofShard terms: [UInt8], positions: [UInt8]) -> String {
    SearchIndex.name(of: positions, SearchIndex.name(of: terms))
  }

  /// Whether a file ends before this term. The term decides, and not only the size of the file. So if a word is added, the files soon end
  /// where they ended before, and all others are unchanged.
  func endsShard(before term: [UInt8], _ entry: DictionaryEntry) -> Bool {
    guard Self.shardSize.contains(shard.count) else { return shard.count >= Self.shardSize.upperBound }
    let postings = if case .bytes(let bytes) = entry.postings { bytes.count } else { Self.longPostings }
    let size = UInt64(term.count + 8 + postings)
    return ContentHash.value(term) % Self.shardRest < size
  }

  /// Returns short bytes unchanged; longer ones become a file, whose name is a hash of its content.
  private mutating func piece(_ bytes: [UInt8], in folder: Folder, longest: Int) -> DictionaryEntry.Piece {
    guard bytes.count > longest else { return .bytes(bytes) }
    let name = SearchIndex.name(of: bytes)
    let path = Self.path(of: name, in: folder)
    // Two terms may have the same file.
    if paths.insert(path).inserted { files.append(SearchIndex.File(path: path, bytes: bytes)) }
    return .file(name)
  }

  private mutating func close() {
    guard !shard.isEmpty else { return }
    let name = Self.name(ofShard: shard, positions: positions)
    let paths = Self.paths(ofShard: name)
    files.append(SearchIndex.File(path: paths.terms, bytes: shard))
    files.append(SearchIndex.File(path: paths.positions, bytes: positions))
    shards.append(Shard(firstTerm: String(decoding: firstTerm, as: UTF8.self), name: name))
    shard.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  /// Returns the finished files, and removes them from the writer.
  mutating func takeFiles() -> [SearchIndex.File] {
    defer { files = [] }
    return files
  }

  /// - Returns: the last files.
  mutating func finish() -> [SearchIndex.File] {
    close()
    return takeFiles()
  }
}
