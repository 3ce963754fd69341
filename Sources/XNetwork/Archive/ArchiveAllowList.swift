import Basics
import NetworkSources

/// The only names that are ever opened: beside its posts an archive has direct messages, contacts, addresses and advertising.
enum ArchiveAllowList {
  enum Kind: Hashable {
    case posts, notes, account, profile, manifest
    /// Posts to a chosen few: read for their ids alone, which are left out.
    case circle
    case media, profileMedia
  }

  /// The folder of data that a path belongs to, and what the file is; `nil` for all else.
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

  /// The name without `.js` and the number of its part, and that number: 0 where there is none. `nil` for other names.
  static func stem(_ name: some StringProtocol) -> (base: String, part: Int)? {
    guard let name = Substring(name).without(byteSuffix: ".js") else { return nil }
    let stem = String(name).replacing("_", with: "-")
    guard let range = stem.ranges(of: "-part").last else { return (stem, 0) }
    let digits = stem[range.upperBound...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let part = Int(digits) else { return (stem, 0) }
    return (String(stem[..<range.lowerBound]), part)
  }

  /// Parts in the order of their numbers.
  static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.count == second.utf8.count ? first < second : first.utf8.count < second.utf8.count
  }
}

/// The list as the readers of archives ask for it.
struct XArchiveRules: ArchiveRules {
  let owner = "X"

  func role(of path: String) -> ArchiveRole? {
    switch ArchiveAllowList.find(path)?.kind {
    case nil: nil
    case .media, .profileMedia: .media
    default: .facts
    }
  }

  /// The folders that data may lie in, and of those within it the allowed ones.
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

/// What no archive of X's comes near.
enum XArchiveLimits {
  /// Bytes of account, profile and the like.
  static let smallFile = 32 << 20
  /// Bytes of one post: the longest are 25,000 characters.
  static let element = 4 << 20
  /// Bytes of one file of posts; X splits them long before.
  static let postsFile = 4 << 30
  /// Files that are named as missing; the rest is a number.
  static let shortfalls = 20
}
