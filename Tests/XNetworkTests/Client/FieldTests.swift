import Basics
import HTTPTransport
import NetworkSources
import Synchronization
import TestSupport
import Testing
import XNetwork

/// Fields that X does not support.
struct FieldTests {
  /// A field that X rejects is omitted from this and all later requests.
  @Test func omitsARejectedField() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/x.json"
    let warnings = Mutex<[String]>([])
    let transport = FakeTransport { request, _ in
      for field in ["source", "article"] where request.url.contains(field + "%2C") {
        let message =
          "The `tweet.fields` query parameter value [\(field)] is not one of [attachments,created_at,entities]"
        return .success(
          HTTPResponse(
            400,
            #"{"errors":[{"parameters":{"tweet.fields":["a,b"]},"message":"\#(message)"}],"title":"Invalid Request","#
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

  /// Required fields are never omitted.
  @Test func keepsRequiredFields() async throws {
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
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"refused_fields":7}"#,
    #"{"refused_fields":{"lang":7},"full_archive_refused_at":"never"}"#,
    "\u{0}",
  ])
  func ignoresADamagedStateFile(_ text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "x.json")
    #expect(XClientState(file: folder.path + "/x.json") == XClientState())
    let client = try XClient.fake(FakeTransport([.page([1])])) { $0.stateFile = folder.path + "/x.json" }
    #expect(try await client.endpoints(named: "a").posts(["1"]).posts.count == 1)
  }

  /// An invalid request is sent once.
  @Test func doesNotRetryAnInvalidRequest() async throws {
    let transport = FakeTransport([
      HTTPResponse(
        400,
        #"{"errors":[{"message":"since_id is too old"}],"title":"Invalid Request","#
          + #""type":"https://api.x.com/2/problems/invalid-request"}"#)
    ])
    let client = try XClient.fake(transport)
    let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("since_id is too old") == true)
    #expect(transport.requests.count == 1)
  }
}
