import UTF8Text

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

/// Paths in an archive, which anybody may have written.
enum ArchivePath {
  enum Problem: String {
    case absolute = "its path is absolute"
    case leadsOut = "its path leads out of the archive"
    case control = "its path holds a control character"
  }

  /// The path in its normal form, or what is wrong with it.
  static func normal(_ path: String) -> Result<String, ProblemError> {
    if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return .failure(ProblemError(.control)) }
    let isDrive = path.utf8.dropFirst().first == UInt8(ascii: ":")
    if path.hasBytePrefix("/") || path.hasBytePrefix("\\") || isDrive {
      return .failure(ProblemError(.absolute))
    }
    let parts = path.split(atBytes: "/\\").filter { $0 != "." }
    if parts.contains("..") { return .failure(ProblemError(.leadsOut)) }
    return .success(parts.joined(separator: "/"))
  }

  struct ProblemError: Error {
    let problem: Problem
    init(_ problem: Problem) { self.problem = problem }
  }
}
