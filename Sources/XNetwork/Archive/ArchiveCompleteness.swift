package import Basics
import NetworkSources

/// Whether an archive is complete, according to the counts in its manifest and the numbers of its parts.
package struct ArchiveCompleteness: Sendable, Hashable {
  /// A file of which less was read than expected.
  package struct Shortfall: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
      /// The file is missing. The text is a clause with the evidence.
      case missing(String)
      /// The file is truncated at a line and column.
      case cut(JSONError)
      case fewer
    }

    /// The path in the archive.
    package var path: String
    package var cause: Cause
    /// The number of entries according to the manifest; `nil` if it has no count.
    package var expected: Int?
    package var read: Int
    /// The noun for an entry, singular and plural.
    fileprivate var words: (one: String, many: String) { Self.words(ArchiveAllowList.kind(ofFile: name)) }

    private var name: Substring { path.split(atBytes: "/").last ?? "" }
    fileprivate var kind: ArchiveAllowList.Kind? { ArchiveAllowList.kind(ofFile: name) }

    private static func words(_ kind: ArchiveAllowList.Kind?) -> (String, String) {
      switch kind {
      case .notes: ("full text of a long post", "full texts of long posts")
      case .circle: ("post to a circle", "posts to a circle")
      case .account: ("account", "accounts")
      case .profile: ("profile", "profiles")
      case .manifest: ("manifest", "manifests")
      default: ("post", "posts")
      }
    }

    /// The message without the file's name.
    var clause: String {
      let words = words
      func number(_ count: Int) -> String { "\(count) \(count == 1 ? words.one : words.many)" }
      switch cause {
      case .missing(let how):
        return "is missing, although \(how)" + (expected.map { " with \(number($0))" } ?? "")
      case .fewer:
        return "contains \(number(read)), but the archive's manifest counts \(number(expected ?? 0))"
      case .cut(let error):
        let read = expected.map { "\(self.read) of \(number($0))" } ?? number(self.read)
        return "\(error.message); \(read) \(self.read == 1 ? "was" : "were") read"
      }
    }

    /// The whole message: the file, the line and column if known, and the problem.
    package func message(in archive: String) -> String {
      if case .cut(let error) = cause {
        return "\(archive)/\(path):\(error.line):\(error.column): error: \(clause)"
      }
      return "\(archive)/\(path): error: \(clause)"
    }
  }

  /// The files that are certainly missing or incomplete.
  package var shortfalls: [Shortfall] = []
  /// The reasons why it is unknown whether the archive has every post, although no post is known to be missing. Each is a clause.
  package var doubts: [String] = []
  /// The number of posts according to the manifest; `nil` if it has no count.
  package var expectedPosts: Int?

  package init(shortfalls: [Shortfall] = [], doubts: [String] = [], expectedPosts: Int? = nil) {
    self.shortfalls = shortfalls
    self.doubts = doubts
    self.expectedPosts = expectedPosts
  }

  /// Whether no file is known to be missing or incomplete.
  package var isWhole: Bool { shortfalls.isEmpty }
}

extension ArchiveCompleteness {
  /// Compares the files that were read with the manifest.
  ///
  /// - Parameters:
  ///   - readings: how far each file was read, by path.
  ///   - posts: the number of distinct posts that were read.
  init(
    _ manifest: ArchiveManifest, _ layout: ArchiveLayout, _ readings: [String: ArchiveFileReading], posts: Int
  ) {
    let files = Dictionary(
      layout.listed.map { (String($0.name), $0.path) }, uniquingKeysWith: { first, _ in first })
    let isCounted = manifest.counts.contains { name, count in
      count != nil && Part(name)?.isMain == true
    }
    compare(manifest, layout, files, readings)
    if isCounted {
      doubt(manifest, files, readings)
    } else {
      findGaps(layout, files)
      doubts.append(
        layout.manifest.isEmpty
          ? "it has no manifest.js with the expected number of posts"
          : "its manifest does not state the number of posts")
    }
    let read = layout.posts.reduce(0) { $0 + (readings[$1.path]?.count ?? 0) }
    if read > posts {
      doubts.append(
        "\(read - posts) of its posts appear more than once, as if a file replaced another")
    }
    if manifest.isPartial {
      doubts.append("X marks it as a partial archive (isPartialArchive in manifest.js)")
    }
    doubts.sort()
    shortfalls.sort { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
  }

  private mutating func compare(
    _ manifest: ArchiveManifest, _ layout: ArchiveLayout, _ files: [String: String],
    _ readings: [String: ArchiveFileReading]
  ) {
    for (name, count) in manifest.counts {
      let isPosts = ArchiveAllowList.kind(ofFile: name) == .posts
      if isPosts, let count {
        expectedPosts = (expectedPosts ?? 0).addingReportingOverflow(count).partialValue
      }
      // A missing file without entries is not a loss.
      guard files[name] == nil, count != 0 else { continue }
      shortfalls.append(
        Shortfall(
          path: layout.path(of: name), cause: .missing("the archive's manifest lists it"), expected: count,
          read: 0))
    }
    for (name, path) in files {
      let reading = readings[path] ?? ArchiveFileReading()
      let listed = manifest.counts[name]
      let count = listed ?? nil
      if let cut = reading.cut {
        shortfalls.append(Shortfall(path: path, cause: .cut(cut), expected: count, read: reading.count))
      } else if let count, reading.count < count {
        shortfalls.append(Shortfall(path: path, cause: .fewer, expected: count, read: reading.count))
      }
    }
  }

  /// Adds doubts about the files of posts that have more entries than the manifest states, or whose number or name is missing from it.
  private mutating func doubt(
    _ manifest: ArchiveManifest, _ files: [String: String], _ readings: [String: ArchiveFileReading]
  ) {
    for (name, path) in files where ArchiveAllowList.kind(ofFile: name) == .posts {
      let read = readings[path]?.count ?? 0
      switch manifest.counts[name] {
      case .some(.some(let count)) where read > count:
        doubts.append("\(path) contains \(read) posts, but the manifest counts \(count)")
      case .some(.none): doubts.append("its manifest does not count the posts of \(path)")
      case .none where read > 0: doubts.append("its manifest does not list \(path)")
      default: break
      }
    }
  }

  /// Adds the parts that are missing before other parts, and the first part, which every archive has.
  private mutating func findGaps(_ layout: ArchiveLayout, _ files: [String: String]) {
    let parts = files.keys.compactMap { Part($0) }
    var families = Dictionary(grouping: parts, by: \.base).mapValues { Set($0.map(\.number)) }
    if !families.keys.contains(where: Part.mainBases.contains) { families["tweets"] = [] }
    let known = Set(shortfalls.map(\.path))
    for (base, numbers) in families {
      var missing: [Int] = []
      var number = 0
      // The number of steps depends on the number of parts and not on their numbers, and the number of messages is limited.
      while number < max(1, numbers.max() ?? 0), missing.count < XArchiveLimits.shortfalls {
        if !numbers.contains(number) { missing.append(number) }
        number += 1
      }
      for number in missing {
        let path = layout.path(of: number == 0 ? "\(base).js" : "\(base)-part\(number).js")
        guard !known.contains(path) else { continue }
        let how = numbers.isEmpty ? "every X archive contains it" : "later parts of it are present"
        shortfalls.append(Shortfall(path: path, cause: .missing(how), expected: nil, read: 0))
      }
    }
  }

  /// A part of a file that X splits: `tweets.js` is number 0 of `tweets`, `tweets-part3.js` is number 3.
  private struct Part {
    static let mainBases: Set<String> = ["tweets", "tweet"]

    let base: String
    let number: Int
    var isMain: Bool { Self.mainBases.contains(base) }

    init?(_ name: some StringProtocol) {
      guard [.posts, .notes].contains(ArchiveAllowList.kind(ofFile: name)),
        let stem = ArchiveAllowList.stem(name)
      else { return nil }
      base = stem.base
      number = stem.part
    }
  }

  /// The reason why the archive must not be imported: the list of private posts is incomplete, so private posts could not be left out.
  var circleProblem: Shortfall? { shortfalls.first { $0.kind == .circle } }
}

/// How much of a file of an archive was read.
struct ArchiveFileReading: Sendable, Hashable {
  /// The number of valid entries.
  var count = 0
  /// The place and the reason if the file is truncated. All entries before that place are complete.
  var cut: JSONError?
}
