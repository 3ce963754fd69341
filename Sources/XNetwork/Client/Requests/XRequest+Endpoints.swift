import ThreadModel

extension XRequest {
  /// `GET /2/tweets`: 1 to 100 ids, each once.
  package static func posts(_ ids: [String]) throws(XClientError) -> XRequest {
    try lookup(.posts, path: "/2/tweets", ids)
  }

  /// `GET /2/users`: 1 to 100 ids, each once.
  package static func users(_ ids: [String]) throws(XClientError) -> XRequest {
    try lookup(.users, path: "/2/users", ids)
  }

  /// `GET /2/users/by/username/:username`.
  package static func user(handle: String) throws(XClientError) -> XRequest {
    let isHandle =
      (1...15).contains(handle.utf8.count)
      && handle.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
    guard isHandle else {
      throw invalid(
        .userByHandle, "“\(handle)” is no handle of X: those have 1 to 15 letters of a to z, digits and “_”.")
    }
    return XRequest(.userByHandle, path: "/2/users/by/username/\(handle)")
  }

  /// `GET /2/users/:id/tweets`, without reposts: they are no part of any thread, and each would be paid for. Replies stay, as the posts
  /// of a thread are replies.
  package static func timeline(_ timeline: XTimeline, token: String?) throws(XClientError) -> XRequest {
    try check(.timeline, ids: [timeline.userID, timeline.sinceID, timeline.untilID].compactMap(\.self))
    var items: [Item] = []
    items.add("exclude", "retweets")
    items.add("since_id", timeline.sinceID)
    items.add("until_id", timeline.untilID)
    items.add("start_time", try time(timeline.startTime, .timeline))
    items.add("end_time", try time(timeline.endTime, .timeline))
    try checkOrder(items, .timeline)
    items.add("pagination_token", try checked(token, .timeline))
    return XRequest(
      .timeline, path: "/2/users/\(timeline.userID)/tweets", items: items, pageSize: timeline.pageSize)
  }

  /// `GET /2/users/:id/followers`; `count` becomes 1 to 1000.
  package static func followers(
    of userID: String, count: Int, token: String?
  ) throws(XClientError) -> XRequest {
    try check(.followers, ids: [userID])
    var items: [Item] = []
    items.add("pagination_token", try checked(token, .followers))
    return XRequest(.followers, path: "/2/users/\(userID)/followers", items: items, pageSize: count)
  }

  private static func lookup(
    _ endpoint: XEndpoint, path: String, _ ids: [String]
  ) throws(XClientError) -> XRequest {
    var seen: Set<String> = []
    let once = ids.filter { seen.insert($0).inserted }
    guard (1...100).contains(once.count) else {
      throw invalid(endpoint, "\(once.count) ids were asked for at once; X takes 1 to 100.")
    }
    try check(endpoint, ids: once)
    return XRequest(
      endpoint, path: path, items: [Item(name: "ids", value: once.joined(separator: ","))], ids: once)
  }
}

// MARK: Checks

extension XRequest {
  static func check(_ endpoint: XEndpoint, ids: [String]) throws(XClientError) {
    for id in ids where !XID.isValid(id) {
      throw invalid(endpoint, "“\(id)” is no id of X: those have 1 to 19 digits.")
    }
  }

  /// A time as X wants it: UTC, whole seconds.
  static func time(_ text: String?, _ endpoint: XEndpoint) throws(XClientError) -> String? {
    guard let text else { return nil }
    guard let time = Timestamp(iso8601: text) else {
      throw invalid(endpoint, "“\(text)” is no time such as 2024-01-31T00:00:00Z.")
    }
    return Timestamp(seconds: time.seconds).iso8601
  }

  static func checked(_ token: String?, _ endpoint: XEndpoint) throws(XClientError) -> String? {
    guard token?.isEmpty != true else { throw invalid(endpoint, "The token of the next page is empty.") }
    return token
  }

  /// X refuses a time or an id to begin with that is not before the one to end with.
  static func checkOrder(_ items: [Item], _ endpoint: XEndpoint) throws(XClientError) {
    let values = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
    // Both times are written alike, so that their order is that of their text; shorter ids are smaller.
    if let start = values["start_time"], let end = values["end_time"], start >= end {
      throw invalid(endpoint, "Nothing lies between \(start) and \(end).")
    }
    if let since = values["since_id"], let until = values["until_id"],
      !XID.precedes(since, until)
    {
      throw invalid(endpoint, "Nothing lies between the ids \(since) and \(until).")
    }
  }

  static func invalid(_ endpoint: XEndpoint, _ message: String) -> XClientError {
    XClientError(.invalidRequest, "\(message) Nothing was asked.", endpoint: endpoint.rawValue)
  }
}

extension [XRequest.Item] {
  mutating func add(_ name: String, _ value: String?) {
    if let value { append(XRequest.Item(name: name, value: value)) }
  }
}
