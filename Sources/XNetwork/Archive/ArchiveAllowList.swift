import Basics
import NetworkSources

/// The names of the files that may be opened. No others are, because an archive also has direct messages, contacts, addresses and
/// advertising data.
enum ArchiveAllowList {
  enum Kind: Hashable {
    case posts, notes, account, profile, manifest
    /// Posts to a restricted audience. Only their ids are read, so that these posts can be left out.
    case circle
    case media, profileMedia
  }

  /// Returns the data folder of a path and the kind of the file; `nil` for all other files.
  static func find(_ path: String) -> (folder: String, kind: Kind)? {
    let parts = path.split(atBytes: "/")
    guard let name = parts.last, !PathText.isHidden(name) else { return nil }
    if let kind = kind(ofFile: name) { return (parts.dropLast().joined(separator: "/"), kind) }
    guard let parent = parts.dropLast().last, let kind = kind(ofFolder: parent) else { return nil }
    return (parts.dropLast(2).joined(separator: "/"), kind)
  }

  /// `tweets.js`, `tweets-part3.js`.
  static func kind(ofFile name: some StringProtocol) -> Kind? {
    guard let stem = stem(name) else { return nil }
    switch stem.base {
    case "tweets", "tweet", "community-tweet", "community-tweets": return .posts
    case "note-tweet", "note-tweets": return .notes
    case "account": return .account
    case "profile": return .profile
    case "manifest": return .manifest
    case "twitter-circle-tweet": return .circle
    default: return nil
    }
  }

  static func kind(ofFolder name: some StringProtocol) -> Kind? {
    switch String(name) {
    case "tweets_media", "tweet_media", "community_tweet_media", "community_tweets_media": .media
    case "profile_media": .profileMedia
    default: nil
    }
  }

  /// Returns the name without `.js` and without the number of its part, and that number (0 if it has no number); `nil` for other names.
  static func stem(_ name: some StringProtocol) -> (base: String, part: Int)? {
    guard let name = Substring(name).without(byteSuffix: ".js") else { return nil }
    let stem = String(name).replacing("_", with: "-")
    guard let range = stem.ranges(of: "-part").last else { return (stem, 0) }
    let digits = stem[range.upperBound...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let part = Int(digits) else { return (stem, 0) }
    return (String(stem[..<range.lowerBound]), part)
  }

  /// Orders the parts by their numbers.
  static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count ? first < second : first.utf8.count < second.utf8.count
  }
}

/// The allow list as rules for the readers of archives.
struct XArchiveRules: ArchiveRules {
  let owner = "X"

  func role(of path: String) -> ArchiveRole? {
    switch ArchiveAllowList.find(path)?.kind {
    case nil: nil
    case .media, .profileMedia: .media
    default: .facts
    }
  }

  /// Enters the folders that may contain the data, and the allowed folders within the data.
  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool {
    let isData = names.contains { ArchiveAllowList.kind(ofFile: $0) == .posts }
    return ArchiveAllowList.kind(ofFolder: PathText.name(of: folder)) != nil || (!isData && depth < 2)
  }

  func wouldRead(_ path: String, depth: Int) -> Bool {
    let name = PathText.name(of: path)
    return ArchiveAllowList.kind(ofFolder: name) != nil || ArchiveAllowList.find(path) != nil
      || (name == "data" && depth < 2)
  }
}

/// Limits that are far above the values of genuine archives.
enum XArchiveLimits {
  /// The maximum size of small files such as account and profile, in bytes.
  static let smallFile = 32 << 20
  /// The maximum size of one post in bytes. The longest posts have 25,000 characters.
  static let element = 4 << 20
  /// The maximum size of one file of posts in bytes. X splits files long before that.
  static let postsFile = 4 << 30
  /// The maximum number of missing files that are listed; further files are only counted.
  static let shortfalls = 20
}
