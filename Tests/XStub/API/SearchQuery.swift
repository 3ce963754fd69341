/// A parsed query with the operators of X's search that the stub supports.
///
/// Adjacent terms mean "and", which has a higher precedence than `OR`; `-` negates, parentheses group, quotes enclose a phrase.
indirect enum SearchQuery {
  case all([SearchQuery])
  case any([SearchQuery])
  case not(SearchQuery)
  case term(name: String, value: String)
  case phrase(String)

  /// The error that a query is invalid.
  struct Problem: Error { var message: String }

  init(_ text: String) throws(Problem) {
    var parser = Parser(tokens: try Self.tokens(of: text))
    self = try parser.alternatives()
    guard parser.position == parser.tokens.count else { throw Problem(message: "unbalanced parentheses") }
    guard standsAlone else {
      throw Problem(message: "Rule must contain at least one positive, non-stopword clause")
    }
  }

  /// Whether the query has an operator that is valid alone, and not only `is:`, `has:`, `lang:` or negations.
  private var standsAlone: Bool {
    switch self {
    case .all(let parts): parts.contains { $0.standsAlone }
    case .any(let parts): parts.allSatisfy { $0.standsAlone }
    case .not: false
    case .term(let name, _): !["is", "has", "lang"].contains(name)
    case .phrase: true
    }
  }

  // MARK: Tokens

  enum Token: Equatable {
    case open, close, minus, or
    case phrase(String)
    case word(String)
  }

  private static func tokens(of text: String) throws(Problem) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      switch first {
      case " ", "\n", "\t": rest = rest.dropFirst()
      case "(", ")":
        tokens.append(first == "(" ? .open : .close)
        rest = rest.dropFirst()
      case "-":
        tokens.append(.minus)
        rest = rest.dropFirst()
      case "\"":
        rest = rest.dropFirst()
        guard let end = rest.firstIndex(of: "\"") else { throw Problem(message: "a quote is not closed") }
        tokens.append(.phrase(String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      default:
        let word = rest.prefix { !" \n\t()\"".contains($0) }
        tokens.append(word == "OR" ? .or : .word(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return tokens
  }

  // MARK: Parsing

  private struct Parser {
    var tokens: [Token]
    var position = 0
    var next: Token? { position < tokens.count ? tokens[position] : nil }

    mutating func alternatives() throws(Problem) -> SearchQuery {
      var parts = [try conjunction()]
      while next == .or {
        position += 1
        parts.append(try conjunction())
      }
      return parts.count == 1 ? parts[0] : .any(parts)
    }

    mutating func conjunction() throws(Problem) -> SearchQuery {
      var parts: [SearchQuery] = []
      while let token = next, token != .or, token != .close { parts.append(try clause()) }
      guard !parts.isEmpty else { throw Problem(message: "an operand is missing") }
      return parts.count == 1 ? parts[0] : .all(parts)
    }

    mutating func clause() throws(Problem) -> SearchQuery {
      guard let token = next else { throw Problem(message: "an operand is missing") }
      position += 1
      switch token {
      case .minus: return .not(try clause())
      case .open:
        let inner = try alternatives()
        guard next == .close else { throw Problem(message: "unbalanced parentheses") }
        position += 1
        return inner
      case .phrase(let text): return .phrase(text)
      case .word(let word): return try SearchQuery.term(of: word)
      case .close, .or: throw Problem(message: "an operand is missing")
      }
    }
  }

  private static let operators: [String: Set<String>?] = [
    "from": nil, "to": nil, "conversation_id": nil, "in_reply_to_tweet_id": nil, "quotes_of_tweet_id": nil,
    "retweets_of": nil, "lang": nil, "url": nil,
    "is": ["retweet", "reply", "quote", "verified"],
    "has": ["media", "images", "videos", "video_link", "links", "hashtags", "mentions"],
  ]

  private static func term(of word: String) throws(Problem) -> SearchQuery {
    guard let colon = word.firstIndex(of: ":") else { return .term(name: "", value: word) }
    let name = String(word[..<colon])
    let value = String(word[word.index(after: colon)...])
    guard let values = operators[name], !value.isEmpty else {
      throw Problem(message: "Reference to invalid operator '\(word)'")
    }
    if let values, !values.contains(value) {
      throw Problem(message: "Reference to invalid field '\(value)' of operator '\(name)'")
    }
    return .term(name: name, value: value)
  }
}
