import Foundation
import HTTPTransport
import NetworkSources
import Testing
import XNetwork

/// Every error response becomes an error that states what to do.
struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var status: Int
    var headers: [String: String] = [:]
    var body: String
    var kind: SourceError.Kind
    /// A part of the message.
    var words: String

    var testDescription: String { "\(status) \(body.prefix(60))" }
  }

  private static func problem(_ type: String, _ title: String, _ detail: String = "why") -> String {
    #"{"title":"\#(title)","detail":"\#(detail)","type":"https://api.x.com/2/problems/\#(type)"}"#
  }

  static let cases = [
    Case(
      status: 401,
      body: #"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}"#,
      kind: .wrongCredential, words: "X rejects the token (401, Unauthorized)"),
    Case(status: 401, body: "", kind: .wrongCredential, words: "no reason given"),
    Case(
      status: 402, body: problem("credits-depleted", "Credits Depleted"), kind: .creditsDepleted,
      words: "Billing"),
    Case(status: 402, body: "<html>", kind: .creditsDepleted, words: "Billing"),
    Case(
      status: 403,
      body: #"{"client_id":"1","reason":"client-not-enrolled","title":"Client Forbidden","#
        + #""type":"https://api.twitter.com/2/problems/client-forbidden","detail":"Not in a project."}"#,
      kind: .access, words: "belong to a project"),
    Case(
      status: 403, body: problem("unsupported-authentication", "Unsupported Authentication"), kind: .access,
      words: "another kind of token"),
    Case(status: 403, body: problem("not-authorized", "Forbidden"), kind: .access, words: "plan"),
    Case(status: 404, body: "", kind: .invalidAnswer, words: "api_url"),
    Case(
      status: 404, body: problem("resource-not-found", "Not Found Error"), kind: .content,
      words: "found nothing"),
    Case(
      status: 404, body: #"{"title":"Not Found","status":404,"type":"about:blank"}"#, kind: .invalidAnswer,
      words: "404"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "0", "x-rate-limit-reset": "1714564900"],
      body: #"{"title":"Too Many Requests","detail":"Too Many Requests","type":"about:blank","status":429}"#,
      kind: .quota, words: "15 minutes"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "39999", "x-rate-limit-limit": "40000"],
      body: problem("usage-capped", "UsageCapExceeded", "Usage cap exceeded: Monthly product cap"),
      kind: .usageCapped, words: "Monthly product cap"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "0"], body: problem("usage-capped", "Usage capped"),
      kind: .usageCapped, words: "next period"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "449"], body: "", kind: .usageCapped,
      words: "next period"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "449", "Retry-After": "20"],
      body: "<html><h1>429 Too Many Requests</h1></html>", kind: .quota, words: "15 minutes"),
    Case(
      status: 429, headers: ["x-rate-limit-remaining": "449"], body: "<html>slow down</html>",
      kind: .quota,
      words: "15 minutes"),
    Case(
      status: 500, body: problem("internal-error", "Internal Error"), kind: .network,
      words: "(500, Internal"),
    Case(status: 503, body: "<html>busy</html>", kind: .network, words: "no reason given"),
    Case(status: 408, body: "", kind: .network, words: "(408"),
    Case(status: 302, body: "", kind: .invalidAnswer, words: "redirect"),
    Case(status: 418, body: "teapot", kind: .invalidRequest, words: "(418)"),
    Case(status: 200, body: "", kind: .invalidAnswer, words: "not from X's API v2"),
    Case(
      status: 200, body: "<!doctype html><title>Sign in</title>", kind: .invalidAnswer, words: "sign-in page"),
    Case(status: 200, body: #"{"data":[{"id":"1","text":"cut"#, kind: .invalidAnswer, words: "not from"),
    Case(status: 200, body: "[]", kind: .invalidAnswer, words: "not from"),
    Case(status: 200, body: #"{"statuses":[]}"#, kind: .invalidAnswer, words: "not from"),
    Case(status: 204, body: "", kind: .invalidAnswer, words: "(204)"),
  ]

  @Test(arguments: cases) func errorResponsesAreTyped(_ test: Case) async throws {
    let client = try XClient.fake(FakeTransport([HTTPResponse(test.status, test.headers, test.body)]))
    let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
    #expect(error?.kind == test.kind)
    #expect(error?.place == "X, GET /2/tweets")
    #expect(error?.message.contains(test.words) == true, "\(error?.message ?? "no error")")
    #expect(error?.message.hasSuffix(".") == true)
    #expect(client.usage.cost == 0)
  }

  @Test(arguments: [
    (HTTPError.Kind.cancelled, SourceError.Kind.interrupted), (.unreachable, .noConnection),
    (.timedOut, .noConnection), (.cut, .noConnection), (.insecure, .noConnection),
    (.tooLarge, .invalidAnswer),
    (.refusedRedirect, .noConnection),
  ])
  func missingResponseIsTyped(_ given: HTTPError.Kind, _ kind: SourceError.Kind) async throws {
    let transport = FakeTransport { request, _ in
      .failure(HTTPError(given, "it went wrong", url: request.url))
    }
    let client = try XClient.fake(transport)
    #expect(await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind == kind)
  }

  /// After the credits are used up or the token is rejected, this run sends no more requests.
  @Test(arguments: [(402, SourceError.Kind.creditsDepleted), (401, .wrongCredential)])
  func fatalErrorStopsLaterRequests(_ status: Int, _ kind: SourceError.Kind) async throws {
    let transport = FakeTransport([HTTPResponse(status, "{}")])
    let client = try XClient.fake(transport)
    for name in ["a", "b", "c"] {
      #expect(await failure { _ = try await client.endpoints(named: name).posts(["1"]) }?.kind == kind)
      #expect(await failure { _ = try await client.endpoints(named: name).user(handle: "ada") }?.kind == kind)
    }
    #expect(transport.requests.count == 1)
  }

  /// The usage cap for posts stops requests for posts, not for users.
  @Test func usageCapStopsRequestsForPosts() async throws {
    let transport = FakeTransport { request, _ in
      request.url.contains("/2/users/by")
        ? .success(HTTPResponse(200, #"{"data":{"id":"7","username":"ada","name":"Ada"}}"#))
        : .success(HTTPResponse(429, Self.problem("usage-capped", "UsageCapExceeded")))
    }
    let session = try XClient.fake(transport).endpoints(named: "a")
    for _ in 0..<3 { #expect(await failure { _ = try await session.posts(["1"]) }?.kind == .usageCapped) }
    #expect(try await session.user(handle: "ada").users.count == 1)
    #expect(transport.requests.count == 2)
  }

  @Test(arguments: [
    ("resource-not-found", "Could not find user with id: [7].", SourceError.Kind.content),
    ("resource-not-found", "User has been suspended: [7].", .suspended),
    (
      "not-authorized-for-resource", "Sorry, you are not authorized to see the user with id: [7].", .protected
    ),
  ])
  func responseWithOnlyProblemsIsAnError(
    _ type: String, _ detail: String, _ kind: SourceError.Kind
  ) async throws {
    let body =
      #"{"errors":[{"title":"No","detail":"\#(detail)","resource_type":"user","resource_id":"7","#
      + #""type":"https://api.x.com/2/problems/\#(type)"}]}"#
    let session = try XClient.fake(FakeTransport([HTTPResponse(200, body)])).endpoints(named: "a")
    #expect(await failure { _ = try await session.user(handle: "ada") }?.kind == kind)
    #expect(
      await failure { _ = try await session.timeline(XTimeline(userID: "7"), token: nil) }?.kind == kind)
    #expect(await failure { _ = try await session.followers(of: "7", count: 5, token: nil) }?.kind == kind)
    // With several users, each one's problem is listed.
    #expect(try await session.users(["7", "8"]).problems.count == 1)
  }

  /// A server other than X never makes posts look deleted.
  @Test func errorForSeveralPostsDoesNotMeanDeletion() async throws {
    for body in ["", "<html>", Self.problem("resource-not-found", "Not Found Error")] {
      let client = try XClient.fake(FakeTransport([HTTPResponse(404, body)]))
      #expect(
        await failure { _ = try await client.endpoints(named: "a").posts(["1", "2"]) }?.kind == .invalidAnswer
      )
    }
  }

  /// A token that the server echoes does not appear in a message.
  @Test func tokenIsNeverShown() async throws {
    for status in [400, 401, 403, 404, 418, 500, 200] {
      let body = #"{"title":"You sent \#(secretToken)","detail":"\#(secretToken)","type":"about:blank"}"#
      let client = try XClient.fake(FakeTransport([HTTPResponse(status, body)]))
      let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
      #expect(error != nil)
      #expect(!"\(String(describing: error)) \(client.usage)".contains("s3cret"), "\(status)")
    }
  }

  /// Long messages are cut. Wherever the cut is, the message contains no part of the token.
  @Test func cutMessageShowsNoBeginningOfAToken() async throws {
    let beginning = String(secretToken.prefix(6))
    for padding in 280...300 {
      let detail = String(repeating: "x", count: padding) + secretToken
      let answer = HTTPResponse(403, #"{"title":"","detail":"\#(detail)","type":"about:blank"}"#)
      let client = try XClient.fake(FakeTransport([answer]))
      let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
      #expect(error?.message.contains("xxx") == true && error?.message.contains(beginning) == false)
    }
  }
}
