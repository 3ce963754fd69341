/// The rule for the values of one parameter of an endpoint.
struct ParameterRule {
  enum Kind {
    /// A comma-separated list of 1–100 IDs.
    case ids
    /// A comma-separated list of these names, each at most once.
    case names(Set<String>)
    case integer(ClosedRange<Int>)
    case time
    case id
    /// Text of at least one and at most this number of Unicode scalars.
    case text(Int)
    /// A page token of at least this number of characters.
    case token(Int)
    case choice(Set<String>)
  }

  var kind: Kind
  var isRequired = false

  init(_ kind: Kind, isRequired: Bool = false) {
    self.kind = kind
    self.isRequired = isRequired
  }

  /// Returns the rules of an endpoint, by the names of the parameters (from the OpenAPI document; query lengths from X's table of
  /// search limits).
  static func rules(for endpoint: StubEndpoint) -> [String: ParameterRule] {
    let names = FieldNames.v2
    var rules: [String: ParameterRule] = [
      "tweet.fields": .init(.names(names.postFields)),
      "user.fields": .init(.names(names.userFields)),
      "expansions": .init(.names(endpoint.isAboutPosts ? names.postExpansions : names.userExpansions)),
    ]
    if endpoint.isAboutPosts {
      rules["media.fields"] = .init(.names(names.mediaFields))
      rules["poll.fields"] = .init(.names(names.pollFields))
      rules["place.fields"] = .init(.names(names.placeFields))
    }
    switch endpoint {
    case .posts, .users: rules["ids"] = .init(.ids, isRequired: true)
    case .searchRecent: addSearch(to: &rules, pages: 10...100, query: 512)
    case .searchAll: addSearch(to: &rules, pages: 10...500, query: 1024)
    case .timeline:
      addRange(to: &rules, pages: 5...100)
      rules["exclude"] = .init(.names(["replies", "retweets"]))
    case .followers:
      rules["max_results"] = .init(.integer(1...1000))
      rules["pagination_token"] = .init(.token(16))
    case .userByName, .token, .media: break
    }
    return rules
  }

  private static func addSearch(
    to rules: inout [String: ParameterRule], pages: ClosedRange<Int>, query: Int
  ) {
    addRange(to: &rules, pages: pages)
    rules["query"] = .init(.text(query), isRequired: true)
    rules["next_token"] = .init(.token(1))
    rules["sort_order"] = .init(.choice(["recency", "relevancy"]))
  }

  private static func addRange(to rules: inout [String: ParameterRule], pages: ClosedRange<Int>) {
    rules["max_results"] = .init(.integer(pages))
    rules["pagination_token"] = .init(.token(1))
    rules["since_id"] = .init(.id)
    rules["until_id"] = .init(.id)
    rules["start_time"] = .init(.time)
    rules["end_time"] = .init(.time)
  }
}
