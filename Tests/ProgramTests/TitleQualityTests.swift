import Foundation
import Intake
import InterfaceText
import NetworkSources
import SiteConfig
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// The titles of real first posts in several languages, from archives, repositories and recorded responses.
@Suite(
  "Titles of real threads", .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures")
)
struct TitleQualityTests {
  private static let files = [
    "archive/twitter-archive-2022-11.zip", "networks/atproto-car/real-v2-2022.car",
    "networks/atproto-car/good-thread.car", "networks/mastodon-export/mastodon-4.1-export.zip",
    "networks/mastodon-export/snac-export-outbox.json", "networks/mastodon-export/fossilizer-outbox.json",
    "x/exchanges", "x/tweets", "x/threads",
  ]

  /// The maximum number of threads per account, so that no author dominates.
  private static let mostOfAccount = 150

  private func threads() throws -> [UnrolledThread] {
    let folder = try TemporaryFolder()
    let fixtures = try #require(ProjectFolders.sharedFixtures)
    var archives = ArchiveOptions()
    archives.limits.minPosts = 1
    archives.includesUnlisted = true
    archives.copiesMedia = false
    let store = ThreadStore(folder: folder.path + "/threads")
    _ = try SiteImport(store: store.folder, jobs: 2) { _ in }.run(
      Self.files.map { fixtures.appending(path: $0).path }, archives: archives)
    let all = try store.list().sorted { $0.path < $1.path }.map {
      UnrolledThread(unrolling: try store.read($0))
    }
    return Dictionary(grouping: all) { $0.author.id.value }.values.flatMap { threads in
      let count = min(threads.count, Self.mostOfAccount)
      return (0..<count).map { threads[$0 * threads.count / count] }
    }
  }

  /// 97.2% of these titles were good before sentence boundaries of UAX #29 replaced the earlier rules.
  @Test(.deep) func nearlyAllTitlesAreGood() throws {
    let threads = try threads()
    #expect(threads.count >= 500)
    var bad: [String] = []
    for thread in threads {
      let title = ThreadTitle(of: thread, in: .english, by: .utc)
      for case .post(let threadPost) in thread.items where threadPost.post.id == title.source?.post {
        let faults = TitleJudge.faults(of: title.text, from: threadPost.post.text.text)
        if !faults.isEmpty { bad.append("\(faults.joined(separator: ", ")): \(title.text)") }
      }
    }
    let share = 1 - Double(bad.count) / Double(threads.count)
    #expect(
      share >= 0.972,
      "\(share) of \(threads.count) titles are good; these are not:\n\(bad.joined(separator: "\n"))")
  }
}

/// Judges a title by rules that share no code with the creation of titles.
private enum TitleJudge {
  /// A scalar of a text other than white space.
  private struct Mark {
    let scalar: Unicode.Scalar
    let space: Bool
    let line: Bool
    var isWord: Bool {
      scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    /// Whether its script separates words without spaces.
    var isWide: Bool { TitleJudge.weight(scalar) == 2 }
  }

  static func weight(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100..<0x1160, 0x2E80..<0xA4D0, 0xAC00..<0xD7A4, 0xF900..<0xFB00, 0xFF00..<0xFF61,
      0x20000..<0x3FFFE:
      2
    default: 1
    }
  }

  private static func marks(_ text: String) -> [Mark] {
    var marks: [Mark] = []
    var (space, line) = (false, false)
    for scalar in text.replacing("https://", with: "").replacing("http://", with: "").unicodeScalars {
      if scalar.properties.isWhitespace {
        (space, line) = (true, line || scalar == "\n" || scalar == "\r")
      } else if scalar.properties.generalCategory != .control {
        marks.append(Mark(scalar: scalar, space: space, line: line))
        (space, line) = (false, false)
      }
    }
    return marks
  }

  private static let pairs: [Unicode.Scalar: [Unicode.Scalar]] = [
    "(": [")"], "[": ["]"], "{": ["}"], "“": ["”"], "„": ["“", "”"], "«": ["»"], "»": ["«"], "「": ["」"],
    "『": ["』"],
    "（": ["）"], "”": ["“", "”"],
  ]

  private static func leavesOpen(_ title: [Mark]) -> Bool {
    var open: [Unicode.Scalar] = []
    var quotes = 0
    for (index, mark) in title.enumerated() {
      if mark.scalar == "\"" { quotes += 1 }
      if let last = open.last, pairs[last]?.contains(mark.scalar) == true {
        open.removeLast()
      } else if pairs[mark.scalar] != nil, mark.space || index == 0 {
        open.append(mark.scalar)
      }
    }
    return !open.isEmpty || quotes % 2 == 1 && title.contains { $0.scalar == "\"" && $0.space }
  }

  /// Returns the faults of a title. A good title has none:
  /// - It is not empty, is not too long, and contains a word other than names, URLs and numbers.
  /// - It closes every bracket and quotation mark that it opens.
  /// - It ends with the text, a line, a sentence or a clause, or before a URL, a name, a tag or an emoji, and
  ///   never within a word, a URL or an emoji.
  static func faults(of title: String, from text: String) -> [String] {
    var faults: [String] = []
    var title = title
    // The date behind tags.
    if title.hasPrefix("#"), let date = title.firstMatch(of: /, \d+ [A-Z]\w+ \d{4}$/) {
      title.removeSubrange(date.range)
    }
    guard !title.isEmpty else { return ["empty"] }
    if title.unicodeScalars.reduce(0, { $0 + weight($1) }) > 131 { faults.append("long") }
    let words = title.split(separator: " ").filter { !$0.hasPrefix("@") && !isAddress($0) }
    if !words.contains(where: { $0.unicodeScalars.contains(where: \.properties.isAlphabetic) }) {
      faults.append("no words")
    }
    let shown = marks(title)
    if leavesOpen(shown) { faults.append("open pair") }
    let all = marks(text)
    var kept = shown
    var end = self.end(of: kept, in: all)
    if end == nil, let ellipsis = kept.lastIndex(where: { $0.scalar == "…" }), ellipsis + 2 >= kept.count {
      kept = Array(kept[..<ellipsis])
      end = self.end(of: kept, in: all)
    }
    guard let end, let last = kept.last else { return faults + ["not in text"] }
    guard end < all.count else { return faults }
    let next = all[end]
    if !next.space, last.isWord, next.isWord, !last.isWide || !next.isWide { faults.append("cut word") }
    if !next.space,
      next.scalar.properties.isGraphemeExtend || next.scalar.value == 0x200D || last.scalar.value == 0x200D
        || 0x1F3FB...0x1F3FF ~= next.scalar.value
    {
      faults.append("cut emoji")
    }
    let rest = word(all[end...])
    if !next.space, isAddress(word(all[..<end], last: true) + rest),
      next.isWord || "/?#=&-".unicodeScalars.contains(next.scalar)
    {
      faults.append("cut address")
    }
    let ends =
      !last.isWord && !"@#&".unicodeScalars.contains(last.scalar) || next.line
      || !next.isWord && !"\"'“„«(¿¡&$€+%".unicodeScalars.contains(next.scalar) || isAddress(rest[...])
    if !ends { faults.append("no end") }
    return faults
  }

  private static func end(of title: [Mark], in text: [Mark]) -> Int? {
    guard !title.isEmpty, title.count <= text.count else { return nil }
    return (0...text.count - title.count).first { start in
      title.indices.allSatisfy { title[$0].scalar == text[start + $0].scalar }
    }.map { $0 + title.count }
  }

  private static func word(_ marks: ArraySlice<Mark>, last: Bool = false) -> String {
    let part =
      last
      ? marks[(marks.lastIndex(where: \.space) ?? marks.startIndex)...]
      : marks.prefix(1) + marks.dropFirst().prefix { !$0.space }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: part.map(\.scalar))
    return String(word)
  }

  private static func isAddress(_ word: some StringProtocol) -> Bool {
    String(word).firstMatch(of: /^\(?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[a-z]{2,}([\/?#:].*)?$/) != nil
  }
}
