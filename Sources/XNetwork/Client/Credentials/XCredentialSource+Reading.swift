import Files
import HTTPTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension XCredentialSource {
  /// A token is some hundred bytes; a longer file is another file.
  private static let longestFile = 16_384

  /// Reads the token, or else the key and its secret.
  ///
  /// - Parameter environment: the program's environment variables.
  /// - Returns: the credential, and what is odd about where it lies, in sentences for the user.
  /// - Throws: `.noCredential`, naming every place that was looked at and never a value.
  package func read(
    environment: [String: String]
  ) throws(XClientError) -> (credential: XCredential, warnings: [String]) {
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

  /// The value at a place; `nil` where there is none. A variable that is set to nothing counts as none: that is how build
  /// services hand over secrets that nobody gave them.
  private func value(
    of place: Place, _ name: String, _ environment: [String: String], _ warnings: inout [String]
  ) throws(XClientError) -> Secret? {
    if let value = environment[place.variable], !Self.trimmed(value).isEmpty {
      return try Self.checked(Self.trimmed(value), name, "the environment variable \(place.variable)")
    }
    guard let file = place.file else { return nil }
    let bytes: [UInt8]
    do {
      // Secrets that a service hands over are often links; this file is not of the site, and goes nowhere but to the API.
      bytes = try FileBytes.read(FileSystem.named(file), atMost: Self.longestFile)
    } catch {
      throw XClientError(
        .noCredential,
        "The \(name) for X could not be read: \(error) Name a file that holds it, and nothing else, in site.yml."
      )
    }
    let text = Self.trimmed(String(decoding: bytes, as: UTF8.self))
    guard !text.isEmpty else {
      throw XClientError(
        .noCredential, "The file \(file) is empty. Write the \(name) for X into it, and nothing else.")
    }
    if Self.isReadableByAll(file) {
      warnings.append(
        "\(file): warning: everybody on this machine can read the \(name) for X. Run `chmod 600` on the file."
      )
    }
    return try Self.checked(text, name, "the file \(file)")
  }

  /// What stands in a header has to be one word of visible ASCII (RFC 6750, section 2.1; RFC 9110, section 5.5).
  private static func checked(
    _ text: String, _ name: String, _ place: String
  ) throws(XClientError) -> Secret {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      let isLabelled = text.lowercased().hasPrefix("bearer ")
      throw XClientError(
        .noCredential,
        "What \(place) holds is no \(name): it has spaces, line breaks or characters beyond ASCII. "
          + (isLabelled
            ? "Leave out the word “Bearer” before it."
            : "Copy the \(name) alone from X's developer console, in one line."))
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

// MARK: Messages

extension XCredentialSource {
  private func noCredential(_ environment: [String: String]) -> XClientError {
    let empty = [token.variable, key.variable, secret.variable].filter { environment[$0] != nil }
    let looked = "the environment variable \(token.variable)\(token.file.map { ", the file \($0)" } ?? "")"
    return XClientError(
      .noCredential,
      "There is no token for X's API: looked at \(looked), then for a consumer key and secret in "
        + "\(key.variable) and \(secret.variable)\(key.file.map { ", the file \($0)" } ?? "")."
        + (empty.isEmpty ? "" : " Set, but empty: \(empty.joined(separator: ", ")).")
        + " Make an app in X's developer console (https://console.x.com), copy its bearer token, and set "
        + "\(token.variable) to it; or build from what is stored, with --offline.")
  }

  private func half(
    _ found: String, without missing: String, _ place: Place, _ environment: [String: String]
  ) -> XClientError {
    let state = environment[place.variable] == nil ? "is not set" : "is empty"
    let file = place.file == nil ? " and no file is named for it" : ""
    return XClientError(
      .noCredential,
      "There is a \(found) for X, and no consumer \(missing) with it: the environment variable \(place.variable) "
        + "\(state)\(file). Set both, or set \(token.variable) to a bearer token.")
  }
}
