package import Basics
package import HTTPTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The place of a credential, never its value: the name of an environment variable, and the path of a file that is read if the variable is
/// not set.
package struct CredentialPlace: Sendable, Hashable {
  package var variable: String?
  /// The absolute path of the file.
  package var file: String?

  package init(variable: String?, file: String? = nil) {
    self.variable = variable
    self.file = file
  }

  /// A credential, with a warning if its file is not protected.
  package struct Found: Sendable {
    package let secret: Secret
    /// The file of the credential if all users of this machine may read it; otherwise `nil`.
    package let openFile: String?
  }

  /// The reason why a place has no valid credential. It contains no part of the value.
  package enum Problem: Error, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    case empty(file: String)
    /// The value is not one word of visible ASCII, as a header requires (RFC 6750, section 2.1; RFC 9110, section 5.5). `isLabelled` is true if
    /// the value begins with the word "Bearer".
    case notOneWord(place: String, isLabelled: Bool)

    package var description: String {
      switch self {
      case .unreadable(let error): "\(error)"
      case .empty(let file): "the file \(file) is empty"
      case .notOneWord(let place, _):
        "the value of \(place) is not a token: it contains spaces, line breaks or non-ASCII characters"
      }
    }
  }

  /// The maximum size of a file in bytes. A token has a few hundred bytes, so a larger file is not a token.
  private static let longestFile = 16_384

  /// Reads the credential. An empty variable counts as not set: build services pass secrets that are not configured as empty variables.
  ///
  /// - Parameter environment: the program's environment variables.
  /// - Returns: `nil` if the variable is not set and there is no path of a file.
  package func read(_ environment: [String: String]) throws(Problem) -> Found? {
    if let variable, let value = environment[variable].map(Self.trimmed), !value.isEmpty {
      return Found(secret: try Self.checked(value, "the environment variable \(variable)"), openFile: nil)
    }
    guard let file else { return nil }
    let bytes: [UInt8]
    do {
      // Symbolic links are followed, because services often provide secrets as links. The content is only sent to the credential's network.
      bytes = try FileBytes.read(FileSystem.named(file), atMost: Self.longestFile)
    } catch {
      throw .unreadable(error)
    }
    let text = Self.trimmed(String(decoding: bytes, as: UTF8.self))
    guard !text.isEmpty else { throw .empty(file: file) }
    return Found(
      secret: try Self.checked(text, "the file \(file)"), openFile: Self.isReadableByAll(file) ? file : nil)
  }

  private static func checked(_ text: String, _ place: String) throws(Problem) -> Secret {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .notOneWord(place: place, isLabelled: text.lowercased().hasPrefix("bearer "))
    }
    return Secret(text)
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0 == "\u{feff}" }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  private static func isReadableByAll(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IROTH != 0
  }
}
