import Testing
import XNetwork

/// Every kind of request, checked against X's OpenAPI document.
@Suite(.enabled(if: OpenAPIDocument.folder != nil, "needs X's OpenAPI document beside the repository"))
struct RequestDocumentTests {
  @Test func everyRequestIsValid() throws {
    let document = try OpenAPIDocument(version: "2.166")
    let requests = try allRequests()
    #expect(Set(requests.map(\.endpoint)) == Set(XEndpoint.allCases))
    #expect(requests.count > 300)
    for request in requests {
      #expect(document.problems(with: request.target()) == [], "\(request.target())")
    }
  }

  /// The validator itself detects errors.
  @Test(arguments: [
    "/2/tweets", "/2/tweets?ids=1,2,x", "/2/tweets?ids=1&ids=2", "/2/tweets?ids=1&expansions=mood",
    "/2/tweets/search/all?query=a&max_results=501", "/2/tweets/search/recent?query=a&max_results=9",
    "/2/tweets/search/all?query=a&start_time=yesterday", "/2/users/ada/followers", "/2/moods",
    "/2/users/by/username/too_long_a_handle",
  ])
  func validatorDetectsInvalidRequests(target: String) throws {
    #expect(try OpenAPIDocument(version: "2.166").problems(with: target) != [])
  }

  private func allRequests() throws -> [XRequest] {
    let ids = (1...100).map { String(1_346_889_436_626_259_968 + $0) }
    var requests = [
      try XRequest.posts(["1"]), try .posts(ids), try .users(["7"]), try .users(ids),
      try .user(handle: "a"), try .user(handle: "Ada_Lovelace_15"),
    ]
    for count in [-3, 0, 1, 20, 1000, 5000] {
      for token in [nil, "ABCDEFGHIJ012345ZZZZ"] {
        requests.append(try .followers(of: "7", count: count, token: token))
      }
    }
    let times = [nil, "2024-01-02T03:04:05Z", "2024-01-02T03:04:05.678+01:00"]
    for since in [nil, "12", ids[0]] {
      for start in times {
        for (until, end) in [
          (nil, nil), (ids[99], nil), (nil, "2025-01-01T00:00:00Z"), (ids[99], "2025-01-01T00:00:00Z"),
        ] {
          for token in [nil, "7140w"] {
            requests += try ranged(since: since, start: start, until: until, end: end, token: token)
          }
        }
      }
    }
    return requests
  }

  private func ranged(
    since: String?, start: String?, until: String?, end: String?, token: String?
  ) throws -> [XRequest] {
    var requests: [XRequest] = []
    for (reach, length) in [(XSearch.Reach.recent, 512), (.full, 1024)] {
      for size in [0, 10, 100, 900] {
        var search = XSearch(String(repeating: "é", count: length), reach: reach, pageSize: size)
        (search.sinceID, search.startTime) = (since, start)
        requests.append(try .search(search, token: token))
      }
    }
    for size in [1, 5, 100, 300] {
      var timeline = XTimeline(userID: "7", pageSize: size)
      (timeline.sinceID, timeline.untilID, timeline.startTime, timeline.endTime) = (since, until, start, end)
      requests.append(try .timeline(timeline, token: token))
    }
    return requests
  }
}
