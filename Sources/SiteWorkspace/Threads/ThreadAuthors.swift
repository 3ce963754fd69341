import Basics
package import ThreadModel
package import ThreadStore

/// The authors of a store's threads, as stated in the files; equal statements of several files are stored once.
package struct ThreadAuthors: Sendable {
  /// A file's statement of its author.
  package struct Author: Hashable, Sendable {
    package let id: AuthorID
    /// `nil` if the file contains only the id.
    package let record: ThreadModel.Author?

    package init(id: AuthorID, record: ThreadModel.Author?) {
      self.id = id
      self.record = record
    }
  }

  package private(set) var seen: [Author] = []
  /// The readable files, in the order of the listing, each with the index of its author in `seen`.
  package private(set) var ofFiles: [(file: StoredFile, author: Int)] = []

  package init() {}

  /// Returns these authors and those of another store's threads.
  package func joined(_ other: ThreadAuthors) -> ThreadAuthors {
    var result = self
    result.seen += other.seen
    result.ofFiles += other.ofFiles.map { (file: $0.file, author: $0.author + seen.count) }
    return result
  }

  /// Reads the files that are not known. An unreadable file is skipped, because other callers report it.
  ///
  /// - Parameters:
  ///   - known: authors that are already known.
  ///   - authorOf: returns the index in `known` of the author of a file that need not be read.
  package init(
    of files: [StoredFile], in store: ThreadStore, known all: [Author] = [],
    authorOf: (StoredFile) -> Int? = { _ in nil }, jobs: Int
  ) {
    var all = all
    var positions = files.map(authorOf)
    let unknown = files.indices.filter { positions[$0] == nil }
    let parts = ParallelWork.run(
      count: unknown.count, jobs: jobs, makeState: { [(position: Int, author: Author)]() }
    ) {
      index, part in
      guard let (id, record) = try? store.readAuthor(files[unknown[index]]) else { return }
      part.append((unknown[index], Author(id: id, record: record)))
    }
    var known: [Author: Int] = [:]
    for (position, author) in all.enumerated() { known[author] = position }
    for (position, author) in parts.joined() {
      if known[author] == nil {
        known[author] = all.count
        all.append(author)
      }
      positions[position] = known[author]
    }
    // Authors that no file names anymore are dropped.
    var numbers: [Int: Int] = [:]
    for (position, author) in positions.enumerated() {
      guard let author else { continue }
      if numbers[author] == nil {
        numbers[author] = seen.count
        seen.append(all[author])
      }
      ofFiles.append((files[position], numbers[author] ?? 0))
    }
  }
}
