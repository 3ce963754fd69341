import Basics
import Foundation
import HTTPTransport
import NetworkSources
import ThreadModel

/// Exchanges the consumer key and secret for a bearer token: `POST /oauth2/token` (X, "App-only authentication"; RFC 6749,
/// section 4.4).
struct XTokenExchange {
  static let endpoint = "POST /oauth2/token"
  let baseURL: String
  let transport: any HTTPTransport

  /// X returns the same token until it is invalidated, so one request a run is enough and the token is not stored on disk.
  func token(key: Secret, secret: Secret) async throws(SourceError) -> Secret {
    let response: HTTPResponse
    do {
      response = try await transport.send(request(key, secret))
    } catch {
      throw XRefusal.noAnswer(error, Self.endpoint)
    }
    guard response.status == 200 else { throw refusal(response) }
    guard let body = try? JSONValue(parsing: response.body), body["token_type"]?.string == "bearer",
      let token = body["access_token"]?.string, !token.isEmpty,
      token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      // The response may contain a token, so it is not shown.
      throw SourceError(
        x: .invalidAnswer,
        "X answered the exchange of consumer key and secret with something else than a bearer token.",
        endpoint: Self.endpoint)
    }
    return Secret(token)
  }

  private func request(_ key: Secret, _ secret: Secret) -> HTTPRequest {
    var request = HTTPRequest(.post, baseURL + "/oauth2/token")
    let pair = "\(PercentEncoding.encode(key.revealed)):\(PercentEncoding.encode(secret.revealed))"
    request.authorization = Secret("Basic " + Data(pair.utf8).base64EncodedString())
    request.headers = [
      ("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8"), ("Accept", "application/json"),
    ]
    request.body = Array("grant_type=client_credentials".utf8)
    request.limits.maximumBytes = 1 << 16
    // The response is the same token each time.
    request.isRepeatable = true
    return request
  }

  private func refusal(_ response: HTTPResponse) -> SourceError {
    var error = XRefusal(response, endpoint: Self.endpoint).error
    // X has responded with 400, 401 and 403 to unknown keys ("authenticity_token_error", "unable to verify").
    if [400, 401, 403].contains(response.status) {
      error.kind = .wrongCredential
      error.message =
        "X does not know this consumer key and secret (\(response.status)). Copy both again from the app's page in X's "
        + "developer console."
    }
    return error
  }
}
