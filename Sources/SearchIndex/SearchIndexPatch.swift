import Basics

/// The changes to the files of an index after a few documents have changed, or were added at the end.
///
/// Only files that contain a changed term are written, and few others are read. The result has the same bytes as a new index of all documents.
package struct SearchIndexPatch: Sendable {
  /// A document whose terms or URL have changed, or a new document.
  package struct Change: Sendable {
    /// The number of the document in the index, from 0.
    package let document: Int
    /// `nil` for a new document, whose number is higher than those of the existing index.
    package let old: SearchTerms?
    package let new: SearchTerms

    package init(document: Int, old: SearchTerms?, new: SearchTerms) {
      self.document = document
      self.old = old
      self.new = new
    }
  }

  /// The files that the existing index lacks or has with different bytes.
  package let files: [SearchIndex.File]
  /// The paths of the files of the existing index that belong to the new one unchanged.
  package let kept: [String]
  /// The paths of files that no longer belong to the index.
  package let removed: Set<String>
  /// The facts about the new index.
  package let state: SearchIndexState

  /// - Parameters:
  ///   - state: the facts about the existing index.
  ///   - order: the URLs of all documents, by their numbers; `nil` if they are known to be the same as in the existing index, and no document
  ///     is new.
  ///   - read: returns the bytes of a file of the existing index; `nil` if the file is missing.
  ///   - terms: returns the current terms of an unchanged document; `nil` if they are unknown.
  /// - Returns: `nil` if the whole index has to be built again, because other documents have other numbers, because the changes affect the
  ///   scores of all documents, or because a file or the terms of a document are missing or damaged.
  package init?(
    _ changes: [Change], of state: SearchIndexState, order: [String]?, read: @escaping (String) -> [UInt8]?,
    terms: @escaping (Int) -> SearchTerms?
  ) {
    guard let index = ExistingIndex(read: read), index.documents == state.totals.documents,
      let folders = index.folders(after: changes, order)
    else { return nil }
    var totals = state.totals
    for change in changes {
      totals.length += change.new.length - (change.old?.length ?? 0)
      totals.titleLength += change.new.titleLength - (change.old?.titleLength ?? 0)
      if change.old == nil { totals.documents += 1 }
    }
    let scores = TermScores(totals)
    guard scores == TermScores(state.totals) else { return nil }
    let counts = (old: index.documents, new: totals.documents)
    var editor = TermEditor(changes, scores: scores, counts: counts, terms: terms)
    if PostingList.bitmapLength(of: counts.old) != PostingList.bitmapLength(of: counts.new) {
      guard let frequent = index.termsWithBitmaps() else { return nil }
      editor.encodeAgain(frequent)
    }
    guard let dictionary = index.replacing(&editor),
      let records = index.records(of: changes, in: folders, documents: counts.new, terms: terms)
    else { return nil }
    var uses = state.uses
    uses.merge(dictionary.uses) { $0 + $1 }
    guard uses.values.allSatisfy({ $0 >= 0 }) else { return nil }
    let unused = uses.filter { $0.value == 0 }.keys
    var files: [String: [UInt8]] = [:]
    // A file with the name of an existing one has the same bytes.
    for file in dictionary.files where state.uses[file.path] == nil { files[file.path] = file.bytes }
    let same = dictionary.removed.intersection(files.keys)
    for path in same { files[path] = nil }
    for file in records { files[file.path] = file.bytes }
    if dictionary.shards != index.shards || folders != index.folders {
      files[SearchIndex.manifestPath] = SearchIndex.manifest(
        folders: folders, documents: counts.new, shards: dictionary.shards)
    }
    for path in unused {
      uses[path] = nil
      files[path] = nil
    }
    let fixed = Set(ExistingIndex.paths(of: dictionary.shards, documents: counts.new, in: folders))
    kept = fixed.union(uses.keys).subtracting(files.keys).sorted()
    self.files = files.sorted { $0.key < $1.key }.map { SearchIndex.File(path: $0.key, bytes: $0.value) }
    let former = ExistingIndex.recordPaths(documents: counts.old, in: index.folders)
    removed = dictionary.removed.subtracting(same).union(unused.filter { state.uses[$0] != nil })
      .union(Set(former).subtracting(fixed))
    self.state = SearchIndexState(totals: totals, uses: uses)
  }
}

/// The files of an index that was written earlier.
private struct ExistingIndex {
  let documents: Int
  let folders: [String]
  let shards: [ShardWriter.Shard]
  private let read: (String) -> [UInt8]?

  /// - Returns: `nil` if the manifest is missing, or is not of this version.
  init?(read: @escaping (String) -> [UInt8]?) {
    // A damaged manifest is written again.
    guard let bytes = read(SearchIndex.manifestPath), let manifest = try? JSONValue(parsing: bytes),
      manifest["version"]?.int == SearchIndex.version, let documents = manifest["documents"]?.int,
      let folders = manifest["folders"]?.array?.compactMap(\.string),
      let names = manifest["files"]?.array?.compactMap(\.string),
      let terms = manifest["shards"]?.array?.compactMap(\.string), names.count == terms.count,
      folders.count * SearchRecord.perFolder >= documents
    else { return nil }
    self.documents = documents
    self.folders = folders
    shards = zip(terms, names).map { ShardWriter.Shard(firstTerm: $0, name: $1) }
    self.read = read
  }

  /// Returns the folders for the records of documents after changes; `nil` if other documents have other numbers than in this index.
  ///
  /// - Parameter order: the new URLs of all documents; `nil` if they are the same as in this index.
  func folders(after changes: [SearchIndexPatch.Change], _ order: [String]?) -> [String]? {
    let added = changes.filter { $0.old == nil }.map(\.document).sorted()
    guard changes.allSatisfy({ $0.old == nil || (0..<documents).contains($0.document) }),
      added.elementsEqual(documents..<documents + added.count)
    else { return nil }
    guard let order else {
      return added.isEmpty && changes.allSatisfy { $0.old?.url == $0.new.url } ? folders : nil
    }
    guard order.count == documents + added.count,
      changes.allSatisfy({ order[$0.document] == $0.new.url })
    else { return nil }
    var former = Array(order[..<documents])
    for change in changes {
      if let old = change.old { former[change.document] = old.url }
    }
    return folders == SearchRecord.folders(of: former) ? SearchRecord.folders(of: order) : nil
  }

  /// Returns the paths of all files of an index, except those that belong to single terms.
  static func paths(of shards: [ShardWriter.Shard], documents: Int, in folders: [String]) -> [String] {
    [SearchIndex.manifestPath]
      + shards.flatMap { shard in
        let paths = ShardWriter.paths(ofShard: shard.name)
        return [paths.terms, paths.positions]
      } + recordPaths(documents: documents, in: folders)
  }

  static func recordPaths(documents: Int, in folders: [String]) -> [String] {
    stride(from: 0, to: documents, by: SearchRecord.perFile).map { SearchRecord.path(of: $0, in: folders) }
  }

  /// Returns the terms whose documents are listed in one bit per document of the site; `nil` if a file is damaged.
  func termsWithBitmaps() -> [[UInt8]]? {
    var terms: [[UInt8]] = []
    for position in shards.indices {
      guard let entries = entries(position) else { return nil }
      for (term, entry) in entries where PostingList.mayBeBitmap(entry.documents, of: documents) {
        guard let postings = bytes(entry)?.postings else { return nil }
        if PostingList.isBitmap(postings) { terms.append(term) }
      }
    }
    return terms
  }

  /// The new files of the dictionary.
  struct Dictionary {
    var shards: [ShardWriter.Shard] = []
    var files: [SearchIndex.File] = []
    var removed: Set<String> = []
    /// The change of the number of terms for each file that belongs to single terms.
    var uses: [String: Int] = [:]
  }

  /// Returns the dictionary with the terms of the editor replaced; `nil` if a file is damaged.
  func replacing(_ editor: inout TermEditor) -> Dictionary? {
    let edits = placed(editor.edited)
    var result = Dictionary()
    var position = 0
    while position < shards.count || (position == 0 && !editor.edited.isEmpty) {
      guard edits[position] != nil else {
        result.shards.append(shards[position])
        position += 1
        continue
      }
      var writer = ShardWriter()
      while true {
        guard let old = entries(position) else { return nil }
        let isLast = position + 1 >= shards.count
        if shards.indices.contains(position) {
          let paths = ShardWriter.paths(ofShard: shards[position].name)
          result.removed.formUnion([paths.terms, paths.positions])
        }
        guard edit(old, edits[position] ?? [], with: &editor, &writer, &result) else { return nil }
        position += 1
        if isLast { break }
        // The following files are unchanged if a file ends where it ended before.
        if edits[position] == nil {
          guard let next = entries(position)?.first else { return nil }
          if writer.endsShard(before: next.term, next.entry) { break }
        }
      }
      result.files += writer.finish()
      result.shards += writer.shards
      result.uses.merge(writer.uses) { $0 + $1 }
    }
    return result
  }

  /// Returns the changed terms by the index of the file in which each of them is or would be, in order.
  private func placed(_ terms: some Sequence<[UInt8]>) -> [Int: [[UInt8]]] {
    let first = shards.map { Array($0.firstTerm.utf8) }
    var edits: [Int: [[UInt8]]] = [:]
    for term in terms.sorted(by: { SortedTerms.precedesInUTF16($0[...], $1[...]) }) {
      var (low, high) = (0, first.count)
      while low < high {
        let middle = (low + high) / 2
        if SortedTerms.precedesInUTF16(term[...], first[middle][...]) {
          high = middle
        } else {
          low = middle + 1
        }
      }
      let position = max(0, low - 1)
      edits[position, default: []].append(term)
      // The first term of a file decides where the file before it ends.
      if position > 0, first[position] == term, edits[position - 1] == nil { edits[position - 1] = [] }
    }
    return edits
  }

  /// Adds the entries of one file to the writer, with the changed terms replaced.
  ///
  /// - Returns: `false` if an entry is damaged.
  private func edit(
    _ old: [(term: [UInt8], entry: DictionaryEntry)], _ terms: [[UInt8]], with editor: inout TermEditor,
    _ writer: inout ShardWriter, _ result: inout Dictionary
  ) -> Bool {
    var rest = terms[...]
    func add(_ term: [UInt8], _ known: DictionaryEntry?) -> Bool {
      guard let bytes = known.map(bytes) ?? ([], []),
        let encoded = editor.encoded(term, known, postings: bytes.postings, positions: bytes.positions)
      else { return false }
      if encoded.documents > 0 { writer.add(term, encoded) }
      return true
    }
    for (term, entry) in old {
      while let new = rest.first, new != term, SortedTerms.precedesInUTF16(new[...], term[...]) {
        guard add(new, nil) else { return false }
        rest.removeFirst()
      }
      for file in ShardWriter.files(of: entry) { result.uses[file, default: 0] -= 1 }
      if rest.first == term {
        guard add(term, entry) else { return false }
        rest.removeFirst()
      } else {
        writer.add(term, entry)
      }
    }
    return rest.allSatisfy { add($0, nil) }
  }

  /// Returns the terms of a file of the dictionary; none for the only file of an empty dictionary, and `nil` for a damaged file.
  private func entries(_ position: Int) -> [(term: [UInt8], entry: DictionaryEntry)]? {
    guard shards.indices.contains(position) else { return [] }
    let name = shards[position].name
    let paths = ShardWriter.paths(ofShard: name)
    guard let shard = read(paths.terms), let positions = read(paths.positions),
      ShardWriter.name(ofShard: shard, positions: positions) == name
    else { return nil }
    return DictionaryEntry.all(in: shard, positions: positions)
  }

  /// Returns the bytes of a term, of which some may be in separate files; `nil` if a file is damaged.
  private func bytes(_ entry: DictionaryEntry) -> (postings: [UInt8], positions: [UInt8])? {
    var files = ShardWriter.files(of: entry)[...]
    func bytes(_ piece: DictionaryEntry.Piece) -> [UInt8]? {
      switch piece {
      case .bytes(let bytes): return bytes
      case .file(let name):
        guard let bytes = files.popFirst().flatMap(read), SearchIndex.name(of: bytes) == name else {
          return nil
        }
        return bytes
      }
    }
    guard let postings = bytes(entry.postings), let positions = bytes(entry.positions) else { return nil }
    return (postings, positions)
  }

  /// Returns the files with changed records of documents, and all files of folders with new names; `nil` if the record of another document
  /// in such a file is unknown.
  ///
  /// - Parameters:
  ///   - folders: the new folders.
  ///   - count: the new number of documents.
  func records(
    of changes: [SearchIndexPatch.Change], in folders: [String], documents count: Int,
    terms: (Int) -> SearchTerms?
  ) -> [SearchIndex.File]? {
    let new = Swift.Dictionary(changes.map { ($0.document, $0.new) }) { _, last in last }
    var numbers = Set(
      changes.filter { $0.old?.record != $0.new.record }.map { $0.document / SearchRecord.perFile })
    for (position, folder) in folders.enumerated()
    where !self.folders.indices.contains(position) || self.folders[position] != folder {
      let range = position * SearchRecord.perFolder..<min((position + 1) * SearchRecord.perFolder, count)
      numbers.formUnion(range.map { $0 / SearchRecord.perFile })
    }
    var files: [SearchIndex.File] = []
    for number in numbers.sorted() {
      let first = number * SearchRecord.perFile
      var list: [UInt8] = []
      for document in first..<min(first + SearchRecord.perFile, count) {
        guard let record = (new[document] ?? terms(document))?.record else { return nil }
        list.append(UInt8(ascii: list.isEmpty ? "[" : ","))
        list += record
      }
      list.append(UInt8(ascii: "]"))
      files.append(SearchIndex.File(path: SearchRecord.path(of: first, in: folders), bytes: list))
    }
    return files
  }
}

/// The terms that documents gained, lost or use differently.
private struct TermEditor {
  private struct Edit {
    let document: Int
    /// `nil` if the document no longer contains the term.
    let use: DocumentTerms.Use?
  }

  private var edits: [[UInt8]: [Edit]] = [:]
  private let scores: TermScores
  /// The number of documents in the existing and in the new index.
  private let counts: (old: Int, new: Int)
  private let changed: [Int: DocumentTerms]
  private let terms: (Int) -> SearchTerms?
  /// Unchanged documents whose terms were read.
  private var known: [Int: DocumentTerms] = [:]

  /// The terms whose entries have to be encoded again.
  var edited: some Sequence<[UInt8]> & Collection { edits.keys }

  init(
    _ changes: [SearchIndexPatch.Change], scores: TermScores, counts: (old: Int, new: Int),
    terms: @escaping (Int) -> SearchTerms?
  ) {
    self.scores = scores
    self.counts = counts
    self.terms = terms
    var changed: [Int: DocumentTerms] = [:]
    for change in changes {
      let old = change.old.map { DocumentTerms($0, scores) }
      let new = DocumentTerms(change.new, scores)
      changed[change.document] = new
      let (oldUses, newUses) = (old?.uses ?? [:], new.uses)
      for (term, use) in newUses {
        if let old, let before = oldUses[term], before == use, !use.use.isTitled,
          scores.level(use.use, in: old.scale, textShare: 1)
            == scores.level(use.use, in: new.scale, textShare: 1)
        {
          continue
        }
        edits[term, default: []].append(Edit(document: change.document, use: use))
      }
      for term in oldUses.keys where newUses[term] == nil {
        edits[term, default: []].append(Edit(document: change.document, use: nil))
      }
    }
    self.changed = changed
  }

  /// Adds terms whose entries have to be encoded again although their documents are the same.
  mutating func encodeAgain(_ terms: [[UInt8]]) {
    for term in terms { edits[term, default: []] += [] }
  }

  /// Returns the new data of a term; no documents if it is no longer used; `nil` if the old data are damaged, or the terms of another
  /// document are unknown.
  ///
  /// - Parameters:
  ///   - entry: the old entry; `nil` for a new term.
  ///   - postings: the bytes of the old entry.
  ///   - positions: the bytes of the old entry.
  mutating func encoded(
    _ term: [UInt8], _ entry: DictionaryEntry?, postings: [UInt8], positions: [UInt8]
  ) -> PostingEncoder.Encoded? {
    // The positions of a frequent term in each document are ranges of bytes, because slices are counted references.
    var uses: [(document: Int, level: UInt8, positions: Range<Int>)] = []
    var bytes = positions
    if let entry {
      guard let list = PostingList.decode(postings, size: entry.documents, of: counts.old),
        let ranges = Self.ranges(of: positions, count: entry.documents)
      else { return nil }
      uses.reserveCapacity(entry.documents + 1)
      for (index, document) in list.documents.enumerated() {
        uses.append((document, list.levels[index], ranges[index]))
      }
    }
    for edit in edits[term] ?? [] {
      var (low, high) = (0, uses.count)
      while low < high {
        let middle = (low + high) / 2
        if uses[middle].document < edit.document { low = middle + 1 } else { high = middle }
      }
      let isThere = low < uses.count && uses[low].document == edit.document
      guard let use = edit.use else {
        guard isThere else { return nil }
        uses.remove(at: low)
        continue
      }
      // The level is computed below, when the numbers of documents are known.
      let level = use.use.isTitled ? TermScores.firstTitledLevel : 0
      let new = (
        document: edit.document, level: level, positions: bytes.count..<bytes.count + use.positions.count
      )
      bytes += use.positions
      if isThere { uses[low] = new } else { uses.insert(new, at: low) }
    }
    var encoded = PostingEncoder.Encoded()
    encoded.documents = uses.count
    encoded.titled = uses.count { $0.level >= TermScores.firstTitledLevel }
    let share = scores.textShare(documents: encoded.documents, titled: encoded.titled)
    let sharesChange = entry.map { scores.textShare(documents: $0.documents, titled: $0.titled) } != share
    for index in uses.indices {
      let document = uses[index].document
      let isTitled = uses[index].level >= TermScores.firstTitledLevel
      guard changed[document] != nil || (isTitled && sharesChange) else { continue }
      guard let found = documentTerms(document), let use = found.use(of: term), use.use.isTitled == isTitled
      else {
        return nil
      }
      uses[index].level = scores.level(use.use, in: found.scale, textShare: share)
    }
    encoded.positions.reserveCapacity(bytes.count)
    for use in uses { encoded.positions += bytes[use.positions] }
    encoded.postings = PostingList.encode(uses.map(\.document), uses.map(\.level), of: counts.new)
    return encoded
  }

  private mutating func documentTerms(_ document: Int) -> DocumentTerms? {
    if let found = changed[document] ?? known[document] { return found }
    let found = terms(document).map { DocumentTerms($0, scores) }
    known[document] = found
    return found
  }

  /// Returns the byte ranges of the positions in each document: their number and their distances.
  private static func ranges(of positions: [UInt8], count: Int) -> [Range<Int>]? {
    positions.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      var ranges: [Range<Int>] = []
      ranges.reserveCapacity(count)
      for _ in 0..<count {
        let start = reader.offset
        reader.skip(reader.next())
        guard start < bytes.count, reader.offset <= bytes.count else { return nil }
        ranges.append(start..<reader.offset)
      }
      return reader.offset == bytes.count ? ranges : nil
    }
  }
}

/// The terms of a document with their uses.
private struct DocumentTerms {
  struct Use: Equatable {
    let use: TermUse
    /// The number of positions and their distances.
    let positions: ArraySlice<UInt8>
  }

  private let log: [UInt8]
  /// The factors of the document's scores.
  let scale: TermScores.Document

  init(_ terms: SearchTerms, _ scores: TermScores) {
    log = terms.log
    scale = scores.document(length: terms.length, titleLength: terms.titleLength)
  }

  /// All terms.
  var uses: [[UInt8]: Use] {
    var uses: [[UInt8]: Use] = [:]
    scan { term, use in
      uses[Array(log[term])] = use
      return true
    }
    return uses
  }

  /// Returns the use of a term; `nil` if the document does not contain it. Only one term of most documents is needed.
  func use(of term: [UInt8]) -> Use? {
    var found: Use?
    scan { range, use in
      guard log[range].elementsEqual(term) else { return true }
      found = use
      return false
    }
    return found
  }

  /// Calls a function with each term, as the range of its bytes in `log`, until the function returns `false`.
  private func scan(_ body: (Range<Int>, Use) -> Bool) {
    log.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      while reader.offset < bytes.count {
        let count = min(reader.next(), bytes.count - reader.offset)
        let term = reader.offset..<reader.offset + count
        reader.offset += count
        let use = TermUse(flags: reader.next(), weight: reader.next())
        let start = reader.offset
        reader.skip(reader.next())
        guard body(term, Use(use: use, positions: log[start..<min(reader.offset, bytes.count)])) else {
          return
        }
      }
    }
  }
}
