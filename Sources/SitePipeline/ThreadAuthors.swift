import ThreadModel
import ThreadStore

/// The authors of a store's threads, as stated in the files; equal statements of several files are stored once.
struct ThreadAuthors: Sendable {
  /// A file's statement of its author.
  struct Author: Hashable, Sendable {
    let id: AuthorID
    /// `nil` if the file contains only the id.
    let record: ThreadModel.Author?
  }

  private(set) var seen: [Author] = []
  /// The readable files, in the order of the listing, each with the index of its author in `seen`.
  private(set) var ofFiles: [(file: StoredFile, author: Int)] = []

  init() {}

  /// Reads the files that are not known; an unreadable file is skipped, as other callers report it.
  ///
  /// - Parameter previous: the previous build, for files that have not changed since.
  init(
    of files: [StoredFile], in store: ThreadStore, previous: PreviousBuild? = nil, inputs: BuildInputs? = nil,
    jobs: Int
  ) {
    var positions = [Int?](repeating: nil, count: files.count)
    var all: [Author] = []
    if let previous, let inputs {
      all = previous.authors
      for (position, file) in files.enumerated() {
        positions[position] = previous.entry(of: file, in: inputs)?.author
      }
    }
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
    // Authors that no file names any more are dropped.
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
