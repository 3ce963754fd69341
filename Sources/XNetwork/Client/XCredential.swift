import Basics
import Foundation
package import HTTPTransport
package import NetworkSources

/// The credential of an app.
package enum XCredential: Sendable, Hashable {
  /// An app-only bearer token.
  case bearer(Secret)
  /// A consumer key and its secret, which are exchanged for a bearer token.
  case consumer(key: Secret, secret: Secret)
}

/// The places of X's credential: those of a bearer token, and those of a consumer key with its secret.
package struct XCredentialSource: Sendable, Hashable {
  package var token: CredentialPlace
  package var key: CredentialPlace
  package var secret: CredentialPlace

  package init(
    token: CredentialPlace = CredentialPlace(variable: "X_BEARER_TOKEN"),
    key: CredentialPlace = CredentialPlace(variable: "X_CONSUMER_KEY"),
    secret: CredentialPlace = CredentialPlace(variable: "X_CONSUMER_SECRET")
  ) {
    self.token = token
    self.key = key
    self.secret = secret
  }

  /// Reads the token, or else the key and its secret.
  ///
  /// - Parameter environment: the program's environment variables.
  /// - Returns: the credential, and warnings about its place, as sentences for the user.
  /// - Throws: `.noCredential`, which names every place that was searched and never a value.
  package func read(
    environment: [String: String]
  ) throws(SourceError) -> (credential: XCredential, warnings: [String]) {
    var warnings: [String] = []
    if let token = try value(of: token, "bearer token", environment, &warnings) {
      return (.bearer(token), warnings)
    }
    let key = try value(of: key, "consumer key", environment, &warnings)
    let secret = try value(of: secret, "consumer secret", environment, &warnings)
    switch (key, secret) {
    case (let key?, let secret?): return (.consumer(key: key, secret: secret), warnings)
    case (nil, nil): throw noCredential(environment)
    case (nil, _): throw half("consumer secret", without: "key", self.key, environment)
    case (_, nil): throw half("consumer key", without: "secret", self.secret, environment)
    }
  }

  private func value(
    of place: CredentialPlace, _ name: String, _ environment: [String: String], _ warnings: inout [String]
  ) throws(SourceError) -> Secret? {
    let found: CredentialPlace.Found?
    do {
      found = try place.read(environment)
    } catch {
      throw SourceError(x: .noCredential, Self.message(error, name))
    }
    if let file = found?.openFile {
      warnings.append(
        "\(file): warning: everybody on this machine can read the \(name) for X. Run `chmod 600` on the file."
      )
    }
    return found?.secret
  }

  // MARK: Messages

  private static func message(_ problem: CredentialPlace.Problem, _ name: String) -> String {
    switch problem {
    case .unreadable(let error):
      "The \(name) for X could not be read: \(error) Name a file in site.yml that contains only the \(name)."
    case .empty(let file): "The file \(file) is empty. Write only the \(name) for X into it."
    case .notOneWord(let place, let isLabelled):
      "The value of \(place) is not a \(name): it contains spaces, line breaks or non-ASCII characters. "
        + (isLabelled
          ? "Leave out the word “Bearer” before it."
          : "Copy only the \(name) from X's developer console, on one line.")
    }
  }

  private func noCredential(_ environment: [String: String]) -> SourceError {
    let variables = [token, key, secret].compactMap(\.variable)
    let empty = variables.filter { environment[$0] != nil }
    func named(_ place: CredentialPlace) -> String { place.variable ?? "" }
    let looked =
      "the environment variable \(named(token))\(token.file.map { ", the file \($0)" } ?? "")"
    return SourceError(
      x: .noCredential,
      "There is no token for X's API. Checked: \(looked), then a consumer key and secret in "
        + "\(named(key)) and \(named(secret))\(key.file.map { ", the file \($0)" } ?? "")."
        + (empty.isEmpty ? "" : " Set but empty: \(empty.joined(separator: ", ")).")
        + " Create an app in X's developer console (https://console.x.com), copy its bearer token, and set "
        + "\(named(token)) to it; or build from the store with --offline.")
  }

  private func half(
    _ found: String, without missing: String, _ place: CredentialPlace, _ environment: [String: String]
  ) -> SourceError {
    let variable = place.variable ?? ""
    let state = environment[variable] == nil ? "is not set" : "is empty"
    let file = place.file == nil ? " and no file is configured" : ""
    return SourceError(
      x: .noCredential,
      "There is a \(found) for X but no consumer \(missing): the environment variable \(variable) "
        + "\(state)\(file). Set both, or set \(token.variable ?? "") to a bearer token.")
  }
}

/// The bearer token of one run: the user's own or, for a consumer key and secret, one that is requested once for all waiting requests.
actor XTokens {
  private static let endpoint = "POST /oauth2/token"

  private let credential: XCredential
  private let baseURL: String
  private let transport: any HTTPTransport
  private var asking: Task<Result<Secret, SourceError>, Never>?

  init(_ credential: XCredential, baseURL: String, transport: any HTTPTransport) {
    self.credential = credential
    self.baseURL = baseURL
    self.transport = transport
  }

  func token() async throws(SourceError) -> Secret {
    switch credential {
    case .bearer(let token): token
    case .consumer(let key, let secret): try await token(key, secret).get()
    }
  }

  private func token(_ key: Secret, _ secret: Secret) async -> Result<Secret, SourceError> {
    if let asking { return await asking.value }
    // A separate task, so that canceling one waiting request does not affect the others.
    let task = Task<Result<Secret, SourceError>, Never> {
      do throws(SourceError) { return .success(try await exchange(key, secret)) } catch {
        return .failure(error)
      }
    }
    asking = task
    let result = await task.value
    // After a temporary error, the token may be requested again. A wrong key is permanent.
    if case .failure(let error) = result, error.kind != .wrongCredential { asking = nil }
    return result
  }

  /// Exchanges the consumer key and secret for a bearer token: `POST /oauth2/token` (X, "App-only authentication"; RFC 6749, section 4.4).
  ///
  /// X returns the same token until it is invalidated. So one request per run is enough, and the token is not stored on disk.
  private func exchange(_ key: Secret, _ secret: Secret) async throws(SourceError) -> Secret {
    let pair = Self.encoded(key, secret)
    let response: HTTPResponse
    do {
      response = try await transport.send(request(pair))
    } catch {
      throw XRefusal.noAnswer(error, Self.endpoint)
    }
    guard response.status == 200 else { throw refusal(response, hiding: pair) }
    guard let body = try? JSONValue(parsing: response.body), body["token_type"]?.string == "bearer",
      let token = body["access_token"]?.string, !token.isEmpty,
      token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      // The response may contain a token, so it is not shown.
      throw SourceError(
        x: .invalidAnswer,
        "X did not return a bearer token for the consumer key and secret.",
        endpoint: Self.endpoint)
    }
    return Secret(token)
  }

  /// Returns the key and the secret for Basic authentication.
  private static func encoded(_ key: Secret, _ secret: Secret) -> Secret {
    let pair = "\(PercentEncoding.encode(key.revealed)):\(PercentEncoding.encode(secret.revealed))"
    return Secret(Data(pair.utf8).base64EncodedString())
  }

  private func request(_ pair: Secret) -> HTTPRequest {
    var request = HTTPRequest(.post, baseURL + "/oauth2/token")
    request.authorization = Secret("Basic " + pair.revealed)
    request.headers = [
      ("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8"), ("Accept", "application/json"),
    ]
    request.body = Array("grant_type=client_credentials".utf8)
    request.limits.maximumBytes = 1 << 16
    // The response is the same token each time.
    request.isRepeatable = true
    return request
  }

  private func refusal(_ response: HTTPResponse, hiding pair: Secret) -> SourceError {
    var error = XRefusal(response, endpoint: Self.endpoint, hiding: pair).error
    // X has responded with 400, 401 and 403 to unknown keys ("authenticity_token_error", "unable to verify").
    if [400, 401, 403].contains(response.status) {
      error.kind = .wrongCredential
      error.message =
        "X rejects this consumer key and secret (\(response.status)). Copy both again from the app's page in X's "
        + "developer console."
    }
    return error
  }
}
