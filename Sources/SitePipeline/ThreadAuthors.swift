import ThreadModel
import ThreadStore

/// Who wrote the threads of a store, as each file says it; what many files say alike is there once.
struct ThreadAuthors: Sendable {
  /// What a file says of its author.
  struct Author: Hashable, Sendable {
    let id: AuthorID
    /// `nil` where the file has nothing but the id.
    let record: ThreadModel.Author?
  }

  private(set) var seen: [Author] = []
  /// The files that could be read, in the order of the listing, each with the position of its author in `seen`.
  private(set) var ofFiles: [(file: StoredFile, author: Int)] = []

  init() {}

  /// Reads what is not known; a file that cannot be read is passed over, as whoever needs it says what is wrong.
  ///
  /// - Parameter previous: the last build's, for files that have not changed since.
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
    // Whom no file names any more is not in the store.
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
