import Basics
import HTTPTransport

/// The reason why a site was not published: the problem, its place, and the solution.
package struct PublishError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// A setting in site.yml is wrong.
    case configuration
    /// The content of the site or of the destination is wrong.
    case content
    /// A file or a program on this machine failed.
    case io
    /// The destination cannot be reached, or its response is unexpected.
    case network
    /// A credential is missing, or does not allow the operation.
    case access
    /// Another process published there in the meantime, or is publishing now.
    case conflict
    /// The user stopped publishing.
    case interrupted
  }

  package let kind: Kind
  /// The complete message.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  init(_ error: FileError) { self.init(.io, error.description) }
}

/// Runs file operations and converts their errors to errors of this module.
func withFiles<Result>(_ work: () throws(FileError) -> Result) throws(PublishError) -> Result {
  do {
    return try work()
  } catch {
    throw PublishError(error)
  }
}

extension PublishError {
  static var stopped: PublishError {
    PublishError(.interrupted, "error: interrupted; run `threadsite publish` again to resume.")
  }
}

extension HTTPTransport {
  /// Sends a request to a destination, and converts the transport's errors to errors of this module.
  ///
  /// - Parameter key: the key of site.yml that contains the destination's URL.
  func answer(to request: HTTPRequest, atAddressOf key: String) async throws(PublishError) -> HTTPResponse {
    do {
      return try await send(request)
    } catch {
      switch error.kind {
      case .cancelled:
        throw PublishError.stopped
      case .file: throw PublishError(.io, "error: \(error.message)")
      case .refusedURL:
        throw PublishError(.configuration, "site.yml: error: \(key): \(error.message)")
      default: throw PublishError(.network, "\(error)")
      }
    }
  }
}
