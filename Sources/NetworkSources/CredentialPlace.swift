package import Basics
package import HTTPTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a credential is to be found: the name of an environment variable, and the path of a file for where there is no such variable; never the value.
package struct CredentialPlace: Sendable, Hashable {
  package var variable: String?
  /// Absolute.
  package var file: String?

  package init(variable: String?, file: String? = nil) {
    self.variable = variable
    self.file = file
  }

  /// A credential with what is doubtful about where it lies.
  package struct Found: Sendable {
    package let secret: Secret
    /// The file that it was read from, if everybody on this machine may read that.
    package let openFile: String?
  }

  /// Why what is at a place is no credential. Holds no part of the value.
  package enum Problem: Error, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    case empty(file: String)
    /// What stands in a header has to be one word of visible ASCII (RFC 6750, section 2.1; RFC 9110, section 5.5).
    case notOneWord(place: String, isLabelled: Bool)

    package var description: String {
      switch self {
      case .unreadable(let error): "\(error)"
      case .empty(let file): "the file \(file) is empty"
      case .notOneWord(let place, _):
        "what \(place) holds is no token: it has blanks, line breaks or characters beyond ASCII"
      }
    }
  }

  /// A token is some hundred bytes; a longer file is another file.
  private static let longestFile = 16_384

  /// Reads what is there. A variable that is set to nothing counts as none: that is how build services hand over secrets that nobody gave them.
  ///
  /// - Parameter environment: the program's environment variables.
  /// - Returns: `nil` where the variable is not set, and no file is named.
  package func read(_ environment: [String: String]) throws(Problem) -> Found? {
    if let variable, let value = environment[variable].map(Self.trimmed), !value.isEmpty {
      return Found(secret: try Self.checked(value, "the environment variable \(variable)"), openFile: nil)
    }
    guard let file else { return nil }
    let bytes: [UInt8]
    do {
      // Secrets that a service hands over are often links; what is read here goes nowhere but to where the credential is for.
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
