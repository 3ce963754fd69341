import Basics
import HTTPTransport
import NetworkSources
import Synchronization
import TestSupport
import Testing
import XNetwork

struct DialectTests {
  /// A deployment that understands one dialect, and refuses the other as X does.
  private func deployment(speaking dialect: XDialect, naming: Bool = true) -> FakeTransport {
    FakeTransport { request, _ in
      if request.url.contains(dialect.postFields + "=") { return .success(.page([1])) }
      let words =
        naming
        ? "The query parameter [\(dialect.other.postFields)] is not one of [ids,\(dialect.postFields)]"
        : "No."
      return .success(
        HTTPResponse(
          400,
          #"{"errors":[{"parameters":{},"message":"\#(words)"}],"title":"Invalid Request","#
            + #""detail":"One or more parameters to your request was invalid.","#
            + #""type":"https://api.twitter.com/2/problems/invalid-request"}"#))
    }
  }

  @Test(arguments: [XDialect.tweets, .posts], [true, false])
  func theDialectIsFoundOnceAndRemembered(_ dialect: XDialect, naming: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/state/x.json"
    let transport = deployment(speaking: dialect, naming: naming)
    let first = try XClient.fake(transport) { $0.stateFile = file }
    _ = try await first.endpoints(named: "a").posts(["1"])
    _ = try await first.endpoints(named: "a").posts(["2"])
    #expect(transport.requests.count == (dialect == .posts ? 2 : 3))
    #expect(XClientState(file: file).dialect == dialect)

    let second = try XClient.fake(transport) { $0.stateFile = file }
    let before = transport.requests.count
    _ = try await second.endpoints(named: "a").posts(["3"])
    #expect(transport.requests.count == before + 1)
  }

  /// A field that X does not know is left out of this and all later requests; the rest goes on.
  @Test func aFieldThatIsRefusedIsLeftOut() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/x.json"
    let warnings = Mutex<[String]>([])
    let transport = FakeTransport { request, _ in
      for field in ["source", "article"] where request.url.contains(field + "%2C") {
        let message =
          "The `post.fields` query parameter value [\(field)] is not one of [attachments,created_at,entities]"
        return .success(
          HTTPResponse(
            400,
            #"{"errors":[{"parameters":{"post.fields":["a,b"]},"message":"\#(message)"}],"title":"Invalid Request","#
              + #""detail":"One or more parameters to your request was invalid.","#
              + #""type":"https://api.twitter.com/2/problems/invalid-request"}"#))
      }
      return .success(.page([1]))
    }
    let client = try XClient.fake(transport) {
      $0.stateFile = file
      $0.warn = { text in warnings.withLock { $0.append(text) } }
    }
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(transport.requests.count == 3)
    #expect(transport.urls.last?.contains("conversation_id") == true)
    #expect(warnings.withLock { $0.count } == 2 && warnings.withLock { $0.joined() }.contains("article"))
    #expect(Set(XClientState(file: file).fieldRefusals.keys) == ["source", "article"])
    let next = try XClient.fake(transport) { $0.stateFile = file }
    #expect(try await next.endpoints(named: "b").posts(["2"]).posts.count == 1)
    #expect(transport.requests.count == 4)
  }

  /// What a thread cannot do without is not left out.
  @Test func aFieldThatIsNeededIsNotLeftOut() async throws {
    let transport = FakeTransport { _, _ in
      .success(
        HTTPResponse(
          400,
          #"{"errors":[{"message":"query parameter value [conversation_id,text] is not one of [id]"}],"#
            + #""title":"Invalid Request","type":"https://api.x.com/2/problems/invalid-request"}"#))
    }
    let client = try XClient.fake(transport)
    #expect(
      await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }?.kind == .invalidRequest)
    #expect(transport.requests.count == 2, "once in each dialect")
  }

  /// The deployment was changed since the last run.
  @Test func whatWasRememberedMayBeWrong() async throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"dialect":"posts"}"#, to: "x.json")
    let client = try XClient.fake(deployment(speaking: .tweets)) { $0.stateFile = folder.path + "/x.json" }
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(XClientState(file: folder.path + "/x.json").dialect == .tweets)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"dialect":7}"#, #"{"dialect":"klingon","full_archive_refused_at":"never"}"#, "\u{0}",
  ])
  func aDamagedMemoryIsNone(_ text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "x.json")
    #expect(XClientState(file: folder.path + "/x.json") == XClientState())
    let client = try XClient.fake(deployment(speaking: .tweets)) { $0.stateFile = folder.path + "/x.json" }
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
    #expect(XClientState(file: folder.path + "/x.json").dialect == .tweets)
  }

  /// A wrong request is asked twice at most, and the words about it win over those about names.
  @Test func aRequestThatIsWrongInItselfIsAskedTwice() async throws {
    let transport = FakeTransport { request, _ in
      let words = request.url.contains("tweet.fields=") ? "since_id is too old" : "unknown: post.fields"
      return .success(
        HTTPResponse(
          400,
          #"{"errors":[{"message":"\#(words)"}],"title":"Invalid Request","#
            + #""type":"https://api.x.com/2/problems/invalid-request"}"#))
    }
    let client = try XClient.fake(transport)
    let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("since_id is too old") == true)
    #expect(transport.requests.count == 2)
  }

  /// Once a dialect has worked, a 400 is about the request.
  @Test func aDialectThatWorkedIsNotDoubted() async throws {
    let transport = FakeTransport([
      .page([1]), HTTPResponse(400, #"{"title":"Invalid Request","detail":"bad query"}"#),
    ])
    let session = try XClient.fake(transport).endpoints(named: "a")
    _ = try await session.posts(["1"])
    #expect(
      await failure { _ = try await session.search(XSearch("(", reach: .recent), token: nil) }?.kind
        == .invalidRequest)
    #expect(transport.requests.count == 2)
  }

  /// A deployment that passes over what it does not know answers with bare posts.
  @Test func barePostsAreAskedForInTheOtherDialect() async throws {
    let transport = FakeTransport { request, _ in
      request.url.contains("tweet.fields=")
        ? .success(.page([1])) : .success(HTTPResponse(200, #"{"data":[{"id":"1","text":"post 1"}]}"#))
    }
    let client = try XClient.fake(transport)
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.first?["author_id"] == "7")
    #expect(client.usage.posts == 1)
    _ = try await client.endpoints(named: "a").posts(["1"])
    #expect(transport.requests.count == 3)
  }

  @Test func requestsForUsersHaveNoDialect() async throws {
    let transport = FakeTransport([HTTPResponse(400, #"{"title":"Invalid Request"}"#)])
    let client = try XClient.fake(transport)
    #expect(
      await failure { _ = try await client.endpoints(named: "a").users(["1"]) }?.kind == .invalidRequest)
    #expect(transport.requests.count == 1)
  }
}
