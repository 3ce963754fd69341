import Basics
import Foundation

/// What credentials look like: the forms that those who issue them document, and what only a machine writes.
enum SecretForm {
  /// How a credential begins, and how many letters, digits, `_` and `-` follow at least.
  ///
  /// GitHub: docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github; GitLab:
  /// docs.gitlab.com/security/tokens; Slack: api.slack.com/authentication/token-types; Stripe: docs.stripe.com/keys; AWS:
  /// docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; Google API keys; npm, PyPI, Hugging Face; X's bearer tokens
  /// all begin with the same letters.
  private static let beginnings: [(name: String, prefix: StaticString, rest: Int)] = [
    ("a token of GitHub's", "github_pat_", 20), ("a token of GitHub's", "ghp_", 20),
    ("a token of GitHub's", "gho_", 20), ("a token of GitHub's", "ghu_", 20),
    ("a token of GitHub's", "ghs_", 20),
    ("a token of GitHub's", "ghr_", 20), ("a token of GitLab's", "glpat-", 16),
    ("a token of Slack's", "xoxb-", 10),
    ("a token of Slack's", "xoxp-", 10), ("a token of Slack's", "xoxa-", 10),
    ("a token of Slack's", "xoxr-", 10),
    ("a token of Slack's", "xoxs-", 10), ("a key of Stripe's", "sk_live_", 10),
    ("a key of Stripe's", "sk_test_", 10),
    ("a key of Stripe's", "rk_live_", 10), ("an API key", "sk-ant-", 16), ("an API key", "sk-proj-", 16),
    ("an access key of AWS", "AKIA", 16), ("an access key of AWS", "ASIA", 16),
    ("an API key of Google's", "AIza", 30),
    ("a token of npm's", "npm_", 30), ("a token of PyPI's", "pypi-", 30),
    ("a token of Hugging Face's", "hf_", 30),
    ("a bearer token of X's", "AAAAAAAAAAAAAAAAAAAA", 20),
  ]

  /// What a text of site.yml holds that belongs to nobody but its owner, in words for a message; `nil` where it holds none.
  ///
  /// Addresses are looked at for credentials in them only: what a link leads to may well be named by a machine.
  static func name(in text: String) -> String? {
    guard holdsLongWord(text) else { return nil }
    if text.contains("-----BEGIN "), text.contains("PRIVATE KEY") { return "a private key" }
    var previous: Substring = ""
    for word in text.split(whereSeparator: \.isWhitespace).map(withoutPunctuation) {
      if previous.lowercased().hasByteSuffix("bearer"), word.utf8.count >= 20,
        word.utf8.allSatisfy(isTokenByte)
      {
        return "a bearer token"
      }
      if let name = name(ofWord: word) { return name }
      previous = word
    }
    return nil
  }

  /// The shortest of all forms has so many bytes; a private key begins with five hyphens.
  private static let shortest = 12

  /// Whether a text may hold one of the forms at all, which most do not: looked at by bytes, as the words of a whole language are many.
  private static func holdsLongWord(_ text: String) -> Bool {
    var (length, hyphens) = (0, 0)
    for byte in text.utf8 {
      length = byte <= 0x20 ? 0 : length + 1
      hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
      if length >= shortest || hyphens >= 5 { return true }
    }
    return false
  }

  /// Without the brackets, quotes and full stops around a word.
  private static func withoutPunctuation(_ word: Substring) -> Substring {
    let marks = ",.;:!?()[]{}<>\"'“”‘’«»`".unicodeScalars
    let scalars = word.unicodeScalars
    let start = scalars.firstIndex { !marks.contains($0) } ?? word.endIndex
    let end = scalars.lastIndex { !marks.contains($0) }.map { scalars.index(after: $0) } ?? start
    return word[start..<end]
  }

  private static func name(ofWord word: Substring) -> String? {
    for run in word.utf8.split(whereSeparator: { !isTokenByte($0) }) {
      if let name = name(ofRun: run) { return name }
    }
    if isJSONWebToken(word) { return "a JSON web token" }
    if isAppPassword(word) { return "an app password of Bluesky's" }
    if word.contains("://") { return nameInAddress(word) }
    // AWS writes its secrets in 40 letters, digits, slashes and plus signs.
    let isSecretOfAWS =
      word.utf8.count == 40 && word.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2F || $0 == 0x2B }
      && isMixed(word.utf8, atLeast: 1)
    if isSecretOfAWS { return "a secret key of AWS" }
    let runs = word.utf8.split { !isLetterOrDigit($0) && !"%=+~_".utf8.contains($0) }
    return runs.contains { $0.count >= 25 && isMixed($0) } ? "a token or key" : nil
  }

  /// Of letters, digits, `_`, `-` and the like.
  static func name(ofRun run: some BidirectionalCollection<UInt8>) -> String? {
    for (name, prefix, rest) in beginnings {
      let start = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
      guard run.starts(with: start) else { continue }
      let following = run.dropFirst(start.count)
      let isKeyOfAWS =
        following.count == rest
        && following.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
      if prefix.utf8CodeUnitCount == 4, rest == 16 ? isKeyOfAWS : following.count >= rest { return name }
      if prefix.utf8CodeUnitCount != 4, following.count >= rest { return name }
    }
    return nil
  }

  /// RFC 7519: a header that begins with `{"`, in base64url, and two more parts.
  private static func isJSONWebToken(_ word: Substring) -> Bool {
    let parts = word.split(atBytes: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].hasBytePrefix("eyJ") && parts[1].utf8.count >= 10
      && parts.allSatisfy { $0.utf8.allSatisfy(isTokenByte) }
  }

  /// `abcd-2efg-hijk-3lmn`: four times four letters and digits of base 32, of which a few words would be none.
  private static func isAppPassword(_ word: Substring) -> Bool {
    let parts = word.split(atBytes: "-", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy {
        $0.utf8.count == 4 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
      } && word.utf8.count { (0x32...0x37).contains($0) } >= 2
      && parts.contains { part in part.utf8.contains { $0 < 0x3A } && part.utf8.contains { $0 > 0x60 } }
  }

  /// Names of the parts of a query that hold credentials.
  private static let parameters: Set<String> = [
    "access_token", "token", "api_key", "apikey", "client_secret", "secret", "password", "auth",
  ]

  private static func nameInAddress(_ word: Substring) -> String? {
    for item in word.split(atBytes: "?&#").dropFirst() {
      let pair = item.split(atBytes: "=", maxSplits: 1)
      if pair.count == 2, parameters.contains(pair[0].lowercased()), pair[1].utf8.count >= 12 {
        return "an address with a token in it"
      }
    }
    return nil
  }

  /// Whether upper case, lower case and digits change places as chance has it: in some two places of three, while in words that are
  /// written together (`OneOfThem2024`) hardly every other does, with their digits in one place or two.
  private static func isMixed(_ run: some Collection<UInt8>, atLeast digitGroups: Int = 3) -> Bool {
    var kinds: Set<Int> = []
    var (changes, count, groups) = (0, 0, 0)
    var last = -1
    for byte in run {
      let kind =
        switch byte {
        case 0x30...0x39: 0
        case 0x41...0x5A: 1
        case 0x61...0x7A: 2
        default: -1
        }
      guard kind >= 0 else { continue }
      kinds.insert(kind)
      count += 1
      if last != kind, kind == 0 { groups += 1 }
      if last >= 0, last != kind { changes += 1 }
      last = kind
    }
    guard kinds.count == 3, changes * 3 >= count else { return false }
    return groups >= digitGroups || changes * 20 >= count * 11
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool { isASCIILetterOrDigit(byte) }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    isASCIILetterOrDigit(byte) || "%_-=+~".utf8.contains(byte)
  }
}

/// Keeps credentials out of messages: a token pasted into site.yml must not travel on into a CI log,
/// through the very error that says it does not belong there.
struct SecretMask: Sendable {
  /// Values found where a credential may have been written; each is hidden wherever it occurs.
  private(set) var values: [[UInt8]] = []
  /// The credentials that the program itself would use; those too short to be told from words are not among them.
  private let known: [[UInt8]]

  /// - Parameter secrets: the values of the environment variables and files that hold the program's credentials.
  init(secrets: [String] = []) {
    // A bearer token is copied from an address now and then, where some of its characters are percent-encoded.
    known = secrets.flatMap { [$0, $0.removingPercentEncoding ?? $0] }.map { Array($0.utf8) }
      .filter { $0.count >= Self.shortestSecret }
    values = known
  }

  /// What a text holds that may not stand in a file that is published and shared, in words for a message.
  func secret(in text: String) -> String? {
    let bytes = Array(text.utf8)
    if known.contains(where: { bytes.firstRange(of: $0) != nil }) {
      return "the credential that this program uses"
    }
    return SecretForm.name(in: text)
  }

  /// Values shorter than this are left: masking "a" everywhere would say more than it hides.
  private static let shortestValue = 4
  /// A credential in use that is shorter than this may be a word.
  private static let shortestSecret = 12
  /// Runs shorter than this are taken for words.
  private static let shortestToken = 25

  mutating func hide(_ value: String) {
    // A folded value stands on several lines, so each of its words is hidden by itself.
    for word in value.split(whereSeparator: \.isWhitespace) where word.utf8.count >= Self.shortestValue {
      values.append(Array(word.utf8))
    }
  }

  /// A line of the file with everything that is or looks like a credential replaced by as many stars, so that
  /// columns stay.
  func masking(line: String) -> String {
    var bytes = Array(line.utf8)
    for value in values.sorted(by: { $0.count > $1.count }) {
      Self.replace(value, in: &bytes)
    }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// The same for a message, which may quote what is in the file; what was found there but is a word is left in it.
  func masking(message: String) -> String {
    var bytes = Array(message.utf8)
    for value in known { Self.replace(value, in: &bytes) }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// Text with everything that looks like a credential replaced by as many stars.
  static func masking(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, isTokenByte(bytes[end]) { end += 1 }
      if end > start, looksLikeToken(bytes[start..<end]) {
        for index in start..<end { bytes[index] = UInt8(ascii: "*") }
      }
      start = end + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value looks like a bearer token or an API key and not like a name or a path.
  static func looksLikeToken(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.allSatisfy(isTokenByte) && looksLikeToken(bytes[...])
  }

  /// Long, and a mixture that nobody writes by hand: upper case, lower case and digits.
  private static func looksLikeToken(_ run: ArraySlice<UInt8>) -> Bool {
    if SecretForm.name(ofRun: run) != nil { return true }
    guard run.count >= shortestToken else { return false }
    return run.contains { (0x30...0x39).contains($0) } && run.contains { (0x41...0x5A).contains($0) }
      && run.contains { (0x61...0x7A).contains($0) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func replace(_ value: [UInt8], in bytes: inout [UInt8]) {
    guard bytes.count >= value.count, let first = value.first else { return }
    var start = 0
    while start + value.count <= bytes.count {
      if bytes[start] == first, bytes[start..<(start + value.count)].elementsEqual(value) {
        let stars = value.count { $0 & 0xC0 != 0x80 }
        bytes.replaceSubrange(
          start..<(start + value.count), with: repeatElement(UInt8(ascii: "*"), count: stars))
        start += stars
      } else {
        start += 1
      }
    }
  }
}
