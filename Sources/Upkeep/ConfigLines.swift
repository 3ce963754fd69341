import Basics
import SiteConfig
import SiteWorkspace

/// The lines of site.yml that named removed threads, for restoring them with the threads.
///
/// They are stored in a file beside the removed threads. For each removal, it contains the removed entries with their threads, the former
/// contents of site.yml, and a digest to detect later changes.
struct ConfigLines: Sendable {
  /// A removed entry of one of site.yml's lists.
  struct Entry: Sendable {
    /// The position in the former contents.
    let place: ConfigEntry
    /// The stems of the threads in the store that it names; empty for an account.
    let threads: Set<String>
    /// The accounts that it names.
    let accounts: Set<String>
    /// The text: of `sources` and `threads` only the entry; of other lists with the keys around it.
    let lines: [String]

    /// The list to which the program can add the entry again.
    var list: ThreadListName? {
      switch place {
      case .source: .sources
      case .thread: .threads
      case .sameAs, .collected, .tag, .hidden: nil
      }
    }

    /// Whether an entry comes before another one in the same list.
    static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
      let (left, right) = (one.place.path, other.place.path)
      return left.list == right.list
        ? left.indices.lexicographicallyPrecedes(right.indices) : left.list < right.list
    }
  }

  struct Removal: Sendable {
    /// The contents of site.yml before the removal; `nil` if they may not be kept, or are no longer useful.
    var before: String?
    /// The digest of site.yml after the removal.
    var after: String
    /// The entries that were not restored.
    var entries: [Entry]
  }

  /// Oldest first.
  var removals: [Removal] = []
  private let path: String

  /// The format of the file.
  private static let format: Int64 = 2

  /// - Parameter folder: the folder of the removed threads.
  init(in folder: String) throws(PipelineError) {
    path = folder + "/site.yml.json"
    guard FileSystem.kind(of: path) != .nothing else { return }
    do {
      let value = try JSONValue(parsing: try FileBytes.read(path))
      guard value["format"]?.integer == Self.format else {
        throw problem("this version of threadsite cannot read it")
      }
      for removal in value["removals"]?.array ?? [] {
        let entries = (removal["entries"]?.array ?? []).map { Entry($0) }
        guard !entries.contains(where: { $0 == nil }) else { throw problem("it has an invalid entry") }
        removals.append(
          Removal(
            before: removal["before"]?.string, after: removal["after"]?.string ?? "",
            entries: entries.compactMap(\.self)))
      }
    } catch {
      throw PipelineError(converting: error, in: path)
    }
  }

  private func problem(_ text: String) -> PipelineError {
    PipelineError(
      .content,
      [
        "\(path): error: \(text); delete this file, and restore the lines of site.yml from version control"
      ])
  }

  /// Deletes the entries that name these threads or accounts, and all former contents of site.yml, which may contain such entries.
  mutating func forget(threads: Set<String>, accounts: Set<String>) {
    guard !threads.isEmpty || !accounts.isEmpty else { return }
    for position in removals.indices {
      removals[position].before = nil
      removals[position].entries.removeAll { entry in
        !entry.threads.isDisjoint(with: threads) || !entry.accounts.isDisjoint(with: accounts)
      }
    }
  }

  /// Writes the file; deletes it if no entry is left.
  func save() throws(PipelineError) {
    let values = removals.filter { !$0.entries.isEmpty }.map { removal -> JSONValue in
      [
        "before": removal.before.map { .string($0) } ?? .null, "after": .string(removal.after),
        "entries": .array(removal.entries.map(\.json)),
      ]
    }
    do {
      guard !values.isEmpty else { return try FileSystem.remove(path) }
      try AtomicFile.write(
        JSONWriter.text(of: .object(["format": .integer(Self.format), "removals": .array(values)])).bytes,
        to: path)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Returns the digest of a file's text.
  static func digest(_ bytes: [UInt8]) -> String { ContentHash.of(bytes) }
}

extension ConfigLines.Entry {
  fileprivate init?(_ value: JSONValue) {
    func texts(_ key: String) -> [String] { (value[key]?.array ?? []).compactMap(\.string) }
    let indices = (value["at"]?.array ?? []).compactMap { $0.integer.map { Int(clamping: $0) } }
    guard let list = value["list"]?.string, let place = ConfigEntry(list: list, indices: indices) else {
      return nil
    }
    self.init(
      place: place, threads: Set(texts("threads")), accounts: Set(texts("accounts")), lines: texts("lines"))
  }

  fileprivate var json: JSONValue {
    func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
    let (list, indices) = place.path
    return [
      "list": .string(list), "at": .array(indices.map { .integer(Int64($0)) }),
      "threads": texts(threads.sorted()), "accounts": texts(accounts.sorted()), "lines": texts(lines),
    ]
  }
}

extension ConfigEntry {
  /// The name of the list, and the indices in it and in the lists around it.
  fileprivate var path: (list: String, indices: [Int]) {
    switch self {
    case .source(let index): ("sources", [index])
    case .thread(let index): ("threads", [index])
    case .sameAs(let thread, let index): ("same_as", [thread, index])
    case .collected(let collection, let index): ("collections", [collection, index])
    case .tag(let thread, let index): ("tags", [thread, index])
    case .hidden(let thread, let index): ("hide", [thread, index])
    }
  }

  fileprivate init?(list: String, indices: [Int]) {
    switch (list, indices.count) {
    case ("sources", 1): self = .source(indices[0])
    case ("threads", 1): self = .thread(indices[0])
    case ("same_as", 2): self = .sameAs(thread: indices[0], indices[1])
    case ("collections", 2): self = .collected(collection: indices[0], indices[1])
    default: return nil
    }
  }
}
