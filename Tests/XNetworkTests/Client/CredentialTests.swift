import Foundation
import HTTPTransport
import NetworkSources
import TestSupport
import Testing
import XNetwork

struct CredentialTests {
  private let source = XCredentialSource()

  private func message(of environment: [String: String], _ source: XCredentialSource? = nil) -> String {
    do {
      _ = try (source ?? self.source).read(environment: environment)
      return ""
    } catch {
      #expect(error.kind == .noCredential)
      return error.message
    }
  }

  @Test func tokenHasPriority() throws {
    let all = ["X_BEARER_TOKEN": " t \n", "X_CONSUMER_KEY": "k", "X_CONSUMER_SECRET": "s"]
    #expect(try source.read(environment: all).credential == .bearer(Secret("t")))
    let pair = all.filter { $0.key != "X_BEARER_TOKEN" }
    #expect(try source.read(environment: pair).credential == .consumer(key: Secret("k"), secret: Secret("s")))
    #expect(
      try source.read(environment: pair.merging(["X_BEARER_TOKEN": " "]) { $1 }).credential
        == .consumer(key: Secret("k"), secret: Secret("s")))
  }

  @Test func readsAFileAndRedactsIt() throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{feff}  file-token\r\n", to: "token")
    let path = folder.path + "/token"
    let source = XCredentialSource(token: .init(variable: "NONE", file: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let quiet = try source.read(environment: [:])
    #expect(quiet.credential == .bearer(Secret("file-token")))
    #expect(quiet.warnings == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let warnings = try source.read(environment: [:]).warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("chmod 600") == true)
    // The variable has priority over the file.
    #expect(try source.read(environment: ["NONE": "t"]).credential == .bearer(Secret("t")))
  }

  @Test func errorNamesEveryPlaceOfACredential() throws {
    let text = message(of: [:])
    for part in ["X_BEARER_TOKEN", "X_CONSUMER_KEY", "X_CONSUMER_SECRET", "--offline"] {
      #expect(text.contains(part))
    }
    #expect(message(of: ["X_BEARER_TOKEN": ""]).contains("Set but empty: X_BEARER_TOKEN."))
    #expect(message(of: ["X_CONSUMER_KEY": "k"]).contains("X_CONSUMER_SECRET is not set"))
    #expect(
      message(of: ["X_CONSUMER_SECRET": "s", "X_CONSUMER_KEY": ""]).contains("X_CONSUMER_KEY is empty"))

    let folder = try TemporaryFolder()
    let missing = folder.path + "/none"
    #expect(message(of: [:], XCredentialSource(token: .init(variable: "V", file: missing))).contains(missing))
    try folder.write("\n", to: "empty")
    let empty = XCredentialSource(token: .init(variable: "V", file: folder.path + "/empty"))
    #expect(message(of: [:], empty).contains("is empty"))
    try folder.write(String(repeating: "x", count: 20_000), to: "long")
    let long = XCredentialSource(token: .init(variable: "V", file: folder.path + "/long"))
    #expect(message(of: [:], long).contains("20000 bytes"))
  }

  /// Values that could break out of a header or contain too much pasted text are rejected without being
  /// printed.
  @Test(arguments: [
    "s3cret\r\nX-Evil: 1", "s3cret two", "Bearer s3cret", "s3cret\u{0}", "s3crét", "s3cret\ts",
  ])
  func rejectsInvalidTokens(_ value: String) throws {
    let text = message(of: ["X_BEARER_TOKEN": value])
    #expect(text.contains("X_BEARER_TOKEN"))
    #expect(!text.contains("s3cr"))
    #expect(text.contains("Leave out the word") == value.hasPrefix("Bearer"))
  }
}

/// `POST /oauth2/token` according to X's "App-only authentication".
struct TokenExchangeTests {
  private func client(
    _ transport: FakeTransport, key: String = "xvz1evFS4wEEPTGEFPHBog",
    secret: String = "L8qq9PZyRg6ieKGEKhZolGC0vJWLw8iEJ88DRdyOg"
  ) throws -> XClient {
    var options = XClient.Options()
    options.retries.maximumTries = 1
    return try XClient(
      .consumer(key: Secret(key), secret: Secret(secret)), transport: transport, options: options,
      clock: FakeClock().clock)
  }

  private func transport(_ answer: HTTPResponse) -> FakeTransport {
    FakeTransport { request, _ in .success(request.method == .post ? answer : .page([1])) }
  }

  /// The example of X's documentation.
  @Test func exchangesKeyAndSecretForAToken() async throws {
    let transport = transport(
      HTTPResponse(200, #"{"token_type":"bearer","access_token":"AAAA%2FAAA%3DAAAA"}"#))
    let client = try client(transport)
    _ = try await client.endpoints(named: "a").posts(["1"])
    _ = try await client.endpoints(named: "b").posts(["2"])
    let requests = transport.requests
    #expect(requests.map(\.method) == [.post, .get, .get])
    #expect(requests[0].url == "https://api.x.com/oauth2/token")
    #expect(
      requests[0].authorization?.revealed
        == "Basic eHZ6MWV2RlM0d0VFUFRHRUZQSEJvZzpMOHFxOVBaeVJnNmllS0dFS2hab2xHQzB2SldMdzhpRUo4OERSZHlPZw==")
    #expect(
      requests[0].headers.contains {
        $0 == ("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
      })
    #expect(requests[0].body == Array("grant_type=client_credentials".utf8))
    #expect(requests[0].maximumRedirects == 0)
    #expect(requests[1].authorization?.revealed == "Bearer AAAA%2FAAA%3DAAAA")
  }

  @Test(arguments: [("a:b", "c d", "a%3Ab:c%20d"), ("~-._", "é/+", "~-._:%C3%A9%2F%2B"), ("a", "", "a:")])
  func percentEncodesKeyAndSecret(_ key: String, _ secret: String, _ pair: String) async throws {
    let transport = transport(HTTPResponse(200, #"{"token_type":"bearer","access_token":"A"}"#))
    _ = try await client(transport, key: key, secret: secret).endpoints(named: "a").posts(["1"])
    let value = try #require(transport.requests[0].authorization?.revealed.dropFirst("Basic ".count))
    #expect(Data(base64Encoded: String(value)) == Data(pair.utf8))
  }

  /// One request gets the token, however many requests wait for it.
  @Test func requestsTheTokenOnce() async throws {
    let transport = transport(HTTPResponse(200, #"{"token_type":"bearer","access_token":"A"}"#))
    let client = try client(transport)
    await withTaskGroup(of: Void.self) { group in
      for id in 1...20 {
        group.addTask {
          _ = await failure { _ = try await client.endpoints(named: "\(id)").posts(["\(id)"]) }
        }
      }
    }
    #expect(transport.requests.count { $0.method == .post } == 1)
  }

  @Test(arguments: [
    (200, #"{"token_type":"mac","access_token":"s3cret"}"#, SourceError.Kind.invalidAnswer),
    (200, #"{"token_type":"bearer"}"#, .invalidAnswer),
    (200, #"{"token_type":"bearer","access_token":"s3cret\r\nX: y"}"#, .invalidAnswer),
    (200, "<html>", .invalidAnswer),
    (403, #"{"errors":[{"code":99,"message":"Unable to verify your credentials"}]}"#, .wrongCredential),
    (401, "", .wrongCredential), (400, "{}", .wrongCredential), (503, "", .network),
  ])
  func anyOtherAnswerIsAnError(_ status: Int, _ body: String, _ kind: SourceError.Kind) async throws {
    let transport = transport(HTTPResponse(status, body))
    let client = try client(transport, secret: "s3cret-half")
    let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
    #expect(error?.kind == kind)
    #expect(error?.place == "X, POST /oauth2/token")
    #expect(!String(describing: error).contains("s3cret"))
    #expect(transport.requests.count == 1)
  }

  /// A proxy may repeat the header of the request.
  @Test func repeatedCredentialsAreNotShown() async throws {
    let pair = Data("key:s3cret-half".utf8).base64EncodedString()
    let transport = transport(HTTPResponse(502, "{\"title\":\"Basic \(pair)\",\"detail\":\"\"}"))
    let client = try client(transport, key: "key", secret: "s3cret-half")
    let error = await failure { _ = try await client.endpoints(named: "a").posts(["1"]) }
    #expect(error?.message.contains("Basic (redacted)") == true, "\(error?.message ?? "")")
  }
}
