import Basics
import HTTPTransport

/// Why a site was not published: what, where, and what to do.
package struct PublishError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// What site.yml says of the place.
    case configuration
    /// What the site or the place holds.
    case content
    /// A file or a program on this machine.
    case io
    /// The place cannot be reached, or does not answer as it should.
    case network
    /// A credential is missing, or does not allow what was asked.
    case access
    /// Somebody else published there in between, or is at it.
    case conflict
    /// The user stopped it.
    case interrupted
  }

  package let kind: Kind
  /// Complete.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: FileError) { self.init(.io, error.description) }
}

/// Work with files, whose errors are the module's own.
func withFiles<Result>(_ work: () throws(FileError) -> Result) throws(PublishError) -> Result {
  do {
    return try work()
  } catch {
    throw PublishError(error)
  }
}

extension HTTPTransport {
  /// Sends a request to a place; why there is no answer is said as publishing says it.
  ///
  /// - Parameter key: of site.yml, that holds the place's address.
  func answer(to request: HTTPRequest, atAddressOf key: String) async throws(PublishError) -> HTTPResponse {
    do {
      return try await send(request)
    } catch {
      switch error.kind {
      case .cancelled:
        throw PublishError(.interrupted, "error: it was stopped; `threadsite publish` goes on from there.")
      case .file: throw PublishError(.io, "error: \(error.message)")
      case .refusedURL:
        throw PublishError(.configuration, "site.yml: error: \(key): \(error.message)")
      default: throw PublishError(.network, "\(error)")
      }
    }
  }
}
