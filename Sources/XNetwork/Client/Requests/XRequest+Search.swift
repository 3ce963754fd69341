import ThreadModel

extension XRequest {
  /// `GET /2/tweets/search/recent` or `…/all`.
  package static func search(_ search: XSearch, token: String?) throws(XClientError) -> XRequest {
    let endpoint: XEndpoint = search.reach == .full ? .searchAll : .searchRecent
    try check(query: search.query, endpoint)
    try check(endpoint, ids: [search.sinceID, search.untilID].compactMap(\.self))
    var items = [Item(name: "query", value: search.query)]
    items.append(contentsOf: try beginning(of: search, endpoint))
    items.append(contentsOf: try end(of: search, endpoint))
    try checkOrder(items, endpoint)
    items.add("next_token", try checked(token, endpoint))
    let path = search.reach == .full ? "/2/tweets/search/all" : "/2/tweets/search/recent"
    return XRequest(endpoint, path: path, items: items, pageSize: search.pageSize)
  }

  private static func check(query: String, _ endpoint: XEndpoint) throws(XClientError) {
    let length = query.unicodeScalars.count
    guard length > 0 else { throw invalid(endpoint, "The query of the search is empty.") }
    if let limit = endpoint.longestQuery, length > limit {
      throw invalid(
        endpoint, "The query of the search has \(length) characters; X takes \(limit). Shorten it.")
    }
  }

  /// X takes a time or an id to begin with, not both (2.167): the later of them.
  ///
  /// A full search always has a time, since without one X looks at the last 30 days only: that of the id, to the second below,
  /// so that at most a few posts too many are found; without an id, that of the first post ever.
  private static func beginning(
    of search: XSearch, _ endpoint: XEndpoint
  ) throws(XClientError) -> [Item] {
    let start = try time(search.startTime, endpoint)
    let since = search.sinceID.flatMap(XID.time).map(\.iso8601)
    if endpoint == .searchAll {
      let first = "2006-03-21T00:00:00Z"
      return [Item(name: "start_time", value: max(start ?? first, since ?? first))]
    }
    if let id = search.sinceID, (since ?? "") >= (start ?? "") { return [Item(name: "since_id", value: id)] }
    return start.map { [Item(name: "start_time", value: $0)] } ?? []
  }

  /// X takes a time or an id to end with, not both (2.167): the earlier of them.
  private static func end(of search: XSearch, _ endpoint: XEndpoint) throws(XClientError) -> [Item] {
    let end = try time(search.endTime, endpoint)
    guard let id = search.untilID else { return end.map { [Item(name: "end_time", value: $0)] } ?? [] }
    if let end, let until = XID.time(id), end < until.iso8601 { return [Item(name: "end_time", value: end)] }
    return [Item(name: "until_id", value: id)]
  }
}
