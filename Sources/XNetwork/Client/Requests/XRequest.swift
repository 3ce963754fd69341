import UTF8Text

/// One request of the API v2: valid by X's documents in either dialect, for every value that can be made.
package struct XRequest: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package let endpoint: XEndpoint
  /// With its ids and handle in place: `/2/users/12/tweets`.
  package let path: String
  /// What is asked for, without the fields, which each dialect names in its own way; always in the same order.
  private let items: [Item]
  /// Ids of the posts or users that are asked for one by one.
  package let ids: [String]
  /// Things a page; `nil` where there are no pages.
  package private(set) var pageSize: Int?

  init(_ endpoint: XEndpoint, path: String, items: [Item] = [], ids: [String] = [], pageSize: Int? = nil) {
    self.endpoint = endpoint
    self.path = path
    self.items = items
    self.ids = ids
    self.pageSize = endpoint.pageSizes.map { sizes in
      min(max(pageSize ?? sizes.upperBound, sizes.lowerBound), sizes.upperBound)
    }
  }

  /// The query in a dialect.
  ///
  /// - Parameter refused: fields and expansions that X does not know, which are not asked for.
  package func query(in dialect: XDialect, without refused: Set<String> = []) -> [Item] {
    items + (pageSize.map { [Item(name: "max_results", value: String($0))] } ?? [])
      + Self.fields(of: endpoint.subject, in: dialect, without: refused)
  }

  /// Path and query, percent-encoded.
  package func target(in dialect: XDialect, without refused: Set<String> = []) -> String {
    let query = query(in: dialect, without: refused).map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
    return path + "?" + query.joined(separator: "&")
  }

  /// The same for two requests that ask for the same page.
  ///
  /// Neither the dialect is part of it, nor how many posts a page has: that depends on the money left, and a page of another
  /// size leads on just as well. How many followers are wanted is part of it: of those only the first page is asked for.
  var identity: String {
    let size = endpoint == .followers ? "&max_results=\(pageSize ?? 0)" : ""
    return path + "?" + items.map { "\($0.name)=\($0.value)" }.joined(separator: "&") + size
  }

  /// With smaller pages, no smaller than X allows.
  func shrunk(to size: Int) -> XRequest {
    var result = self
    guard let sizes = endpoint.pageSizes, let pageSize else { return self }
    result.pageSize = min(pageSize, max(size, sizes.lowerBound))
    return result
  }
}
