import Basics
import Foundation

/// Recognizes credentials by the formats that their issuers document, and by text that looks random.
enum SecretForm {
  /// The prefixes of credentials, each with the minimum number of letters, digits, `_` and `-` that follow.
  ///
  /// GitHub: docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github; GitLab:
  /// docs.gitlab.com/security/tokens; Slack: api.slack.com/authentication/token-types; Stripe: docs.stripe.com/keys; AWS:
  /// docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; Google API keys; npm, PyPI, Hugging Face; X's bearer tokens
  /// all begin with the same letters.
  private static let beginnings: [(name: String, prefix: StaticString, rest: Int)] = [
    ("a GitHub token", "github_pat_", 20), ("a GitHub token", "ghp_", 20),
    ("a GitHub token", "gho_", 20), ("a GitHub token", "ghu_", 20),
    ("a GitHub token", "ghs_", 20),
    ("a GitHub token", "ghr_", 20), ("a GitLab token", "glpat-", 16),
    ("a Slack token", "xoxb-", 10),
    ("a Slack token", "xoxp-", 10), ("a Slack token", "xoxa-", 10),
    ("a Slack token", "xoxr-", 10),
    ("a Slack token", "xoxs-", 10), ("a Stripe key", "sk_live_", 10),
    ("a Stripe key", "sk_test_", 10),
    ("a Stripe key", "rk_live_", 10), ("an API key", "sk-ant-", 16), ("an API key", "sk-proj-", 16),
    ("an AWS access key", "AKIA", 16), ("an AWS access key", "ASIA", 16),
    ("a Google API key", "AIza", 30),
    ("an npm token", "npm_", 30), ("a PyPI token", "pypi-", 30),
    ("a Hugging Face token", "hf_", 30),
    ("an X bearer token", "AAAAAAAAAAAAAAAAAAAA", 20),
  ]

  /// Returns the name, for a message, of the kind of credential in a text; `nil` if the text contains no credential.
  ///
  /// In URLs, only the query is checked, because other parts of a URL may contain generated ids.
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

  /// The length of the shortest format, in bytes; a private key begins with five hyphens.
  private static let shortest = 12

  /// Whether a text has a word that is long enough for a credential. Most texts have none. Compares bytes, because strings files have many texts.
  private static func holdsLongWord(_ text: String) -> Bool {
    var (length, hyphens) = (0, 0)
    for byte in text.utf8 {
      length = byte <= 0x20 ? 0 : length + 1
      hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
      if length >= shortest || hyphens >= 5 { return true }
    }
    return false
  }

  /// Returns the word without the brackets, quotes and full stops around it.
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
    if isAppPassword(word) { return "a Bluesky app password" }
    if word.contains("://") { return nameInAddress(word) }
    // An AWS secret key consists of 40 letters, digits, slashes and plus signs.
    let isSecretOfAWS =
      word.utf8.count == 40 && word.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == 0x2F || $0 == 0x2B }
      && isMixed(word.utf8, atLeast: 1)
    if isSecretOfAWS { return "an AWS secret key" }
    let runs = word.utf8.split { !isASCIILetterOrDigit($0) && !"%=+~_".utf8.contains($0) }
    return runs.contains { $0.count >= 25 && isMixed($0) } ? "a token or key" : nil
  }

  /// Returns the name of the kind of credential for a run of letters, digits, `_`, `-` and similar bytes; `nil` if no known prefix matches.
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

  /// Whether a word is a JSON web token (RFC 7519): a header that begins with `{"`, in base64url, and two more parts.
  private static func isJSONWebToken(_ word: Substring) -> Bool {
    let parts = word.split(atBytes: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].hasBytePrefix("eyJ") && parts[1].utf8.count >= 10
      && parts.allSatisfy { $0.utf8.allSatisfy(isTokenByte) }
  }

  /// Whether a word has the format `abcd-2efg-hijk-3lmn`: four groups of four letters and digits of base 32, with too many digits for plain words.
  private static func isAppPassword(_ word: Substring) -> Bool {
    let parts = word.split(atBytes: "-", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy {
        $0.utf8.count == 4 && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
      } && word.utf8.count { (0x32...0x37).contains($0) } >= 2
      && parts.contains { part in part.utf8.contains { $0 < 0x3A } && part.utf8.contains { $0 > 0x60 } }
  }

  /// The names of query parameters that contain credentials.
  private static let parameters: Set<String> = [
    "access_token", "token", "api_key", "apikey", "client_secret", "secret", "password", "auth",
  ]

  private static func nameInAddress(_ word: Substring) -> String? {
    for item in word.split(atBytes: "?&#").dropFirst() {
      let pair = item.split(atBytes: "=", maxSplits: 1)
      if pair.count == 2, parameters.contains(pair[0].lowercased()), pair[1].utf8.count >= 12 {
        return "a URL with a token"
      }
    }
    return nil
  }

  /// Whether upper case, lower case and digits alternate as in random text, where about two of three neighboring pairs differ in kind. In joined
  /// words (`OneOfThem2024`) at most every second pair differs, and the digits are in one or two groups.
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

  fileprivate static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// Masks credentials in messages, so that the message about a token in site.yml does not print the token into a CI log.
package struct SecretMask: Sendable {
  /// Values from places where a user may have written a credential, and known credentials. All their occurrences are masked.
  private(set) var values: [[UInt8]] = []
  /// The credentials that the program itself uses, except short ones, which cannot be distinguished from words.
  private let known: [[UInt8]]

  /// - Parameter secrets: the values of the environment variables and files that contain the program's credentials.
  init(secrets: [String] = []) {
    known = secrets.flatMap(SecretRedaction.forms).map { Array($0.utf8) }
      .filter { $0.count >= Self.shortestSecret }
    values = known
  }

  /// Returns the name, for a message, of the kind of credential in a text; `nil` if the text contains no credential.
  func secret(in text: String) -> String? {
    let bytes = Array(text.utf8)
    if known.contains(where: { bytes.firstRange(of: $0) != nil }) {
      return "the credential that this program uses"
    }
    return SecretForm.name(in: text)
  }

  /// In bytes. Shorter values are not masked, because masking "a" everywhere would reveal more than it hides.
  private static let shortestValue = 4
  /// In bytes. A shorter credential may be a word.
  private static let shortestSecret = 12
  /// In bytes. Shorter runs are treated as words.
  private static let shortestToken = 25

  mutating func hide(_ value: String) {
    // A folded value may span several lines, so each of its words is masked separately.
    for word in value.split(whereSeparator: \.isWhitespace) where word.utf8.count >= Self.shortestValue {
      values.append(Array(word.utf8))
    }
  }

  /// Returns a line of the file with stars in place of everything that is or looks like a credential. Columns stay the same.
  func masking(line: String) -> String {
    var bytes = Array(line.utf8)
    for value in values.sorted(by: { $0.count > $1.count }) {
      Self.replace(value, in: &bytes)
    }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a message, which may quote the file, with stars in place of known credentials and everything that looks like a credential. Other masked
  /// values may be ordinary words, so they are kept here.
  func masking(message: String) -> String {
    var bytes = Array(message.utf8)
    for value in known { Self.replace(value, in: &bytes) }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a text with stars in place of everything that looks like a credential.
  static func masking(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, SecretForm.isTokenByte(bytes[end]) { end += 1 }
      if end > start, looksLikeToken(bytes[start..<end]) {
        for index in start..<end { bytes[index] = UInt8(ascii: "*") }
      }
      start = end + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value looks like a bearer token or an API key, and not like a name or a path.
  package static func looksLikeToken(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.allSatisfy(SecretForm.isTokenByte) && looksLikeToken(bytes[...])
  }

  /// Whether a run has the prefix of a credential, or is a long random mix of upper case, lower case and digits.
  private static func looksLikeToken(_ run: ArraySlice<UInt8>) -> Bool {
    if SecretForm.name(ofRun: run) != nil { return true }
    guard run.count >= shortestToken else { return false }
    return run.contains { (0x30...0x39).contains($0) } && run.contains { (0x41...0x5A).contains($0) }
      && run.contains { (0x61...0x7A).contains($0) }
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
