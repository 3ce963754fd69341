/// Why there is no answer.
package struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case cancelled
    /// The URL is none that may be fetched: its scheme, or credentials in it.
    case refusedURL
    /// The host's name leads nowhere, or nobody listens there.
    case unreachable
    /// The certificate or the handshake.
    case insecure
    case timedOut
    /// More bytes than allowed.
    case tooLarge
    /// The connection ended before the answer did.
    case cut
    /// A redirect too many, or to where none may lead.
    case refusedRedirect
    /// An address that is not public.
    case refusedAddress
    /// The file that the body goes to.
    case file
    case other
  }

  package var kind: Kind
  /// What happened, as a sentence without a full stop; holds no credential.
  package var message: String
  /// Without its query, which may be long and is nobody's business in a log, and without a user or a password.
  package var url: String

  package init(_ kind: Kind, _ message: String, url: String) {
    self.kind = kind
    self.message = message
    self.url = Self.shown(url)
  }

  package var description: String { "\(url): error: \(message)" }
}
