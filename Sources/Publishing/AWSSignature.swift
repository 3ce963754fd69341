import Basics
import Foundation
package import HTTPTransport
import ThreadModel

/// The credentials for a service that checks AWS signatures.
package struct AWSCredentials: Sendable {
  package let accessKey: String
  package let secretKey: Secret
  /// The session token of temporary credentials; `nil` for permanent ones.
  package let sessionToken: Secret?

  package init(accessKey: String, secretKey: Secret, sessionToken: Secret? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }
}

/// Signs requests with Signature Version 4 of AWS, in the `Authorization` header
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
///
/// Implemented here because different versions of libcurl sign different parts of a request.
package struct AWSSignature {
  private let credentials: AWSCredentials
  private let region: String
  private let service = "s3"

  package init(_ credentials: AWSCredentials, region: String) {
    self.credentials = credentials
    self.region = region
  }

  /// Adds the headers of a signed request and their signature.
  ///
  /// - Parameters:
  ///   - host: the value that the `Host` header will have.
  ///   - path: the percent-encoded path, including its first slash.
  ///   - query: names and values, without percent-encoding.
  ///   - payload: the SHA-256 digest of the body, in hexadecimal digits.
  ///   - seconds: the current time in seconds since 1970.
  package func sign(
    _ request: inout HTTPRequest, host: String, path: String, query: [(name: String, value: String)] = [],
    payload: String, seconds: Int
  ) {
    let time = Self.time(seconds)
    let day = String(time.prefix(8))
    request.headers.append(("x-amz-date", time))
    request.headers.append(("x-amz-content-sha256", payload))
    if let token = credentials.sessionToken {
      request.headers.append(("x-amz-security-token", token.revealed))
    }
    let headers = (request.headers + [(name: "host", value: host)])
      .map { ($0.name.lowercased(), $0.value.trimmingCharacters(in: .whitespaces)) }
      .sorted { $0.0 < $1.0 }
    let names = headers.map(\.0).joined(separator: ";")
    let canonical = [
      request.method.rawValue, path, Self.encoded(query), headers.map { "\($0.0):\($0.1)\n" }.joined(), names,
      payload,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(Hexadecimal.digits(SHA256.hash(canonical.utf8)))"
    var key = Array("AWS4\(credentials.secretKey.revealed)".utf8)
    for part in [day, region, service, "aws4_request"] { key = Self.code(part, key) }
    let signature = Hexadecimal.digits(Self.code(text, key))
    request.authorization = Secret(
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    )
  }

  /// Returns a query, encoded and sorted as required for the signature. It should be sent in the same form.
  package static func encoded(_ query: [(name: String, value: String)]) -> String {
    query.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Returns a path, with each part percent-encoded once.
  package static func encoded(path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }

  private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
    HMACSHA256.code(of: Array(text.utf8), key: key)
  }

  /// Returns a time in the form `20130524T000000Z`.
  private static func time(_ seconds: Int) -> String {
    Timestamp(seconds: Int64(seconds)).iso8601.filter { $0 != "-" && $0 != ":" }
  }
}
