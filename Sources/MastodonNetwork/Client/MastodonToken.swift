import Files
import HTTPTransport
import NetworkSources
import SiteConfig

extension SiteConfig.Mastodon.Server {
  /// A token is some dozen bytes; a longer file is another file.
  private static let longestFile = 16_384

  /// Reads the server's token; `nil` where none is named.
  ///
  /// - Throws: where one is named and cannot be read, naming the place and never the value.
  func token(for run: SourceRun) throws(SourceError) -> Secret? {
    if let tokenEnv, let value = run.environment[tokenEnv] {
      let text = Self.trimmed(value)
      if !text.isEmpty { return try checked(text, "the environment variable \(tokenEnv)") }
    }
    guard let tokenFile else {
      guard let tokenEnv else { return nil }
      throw missing("the environment variable \(tokenEnv) is not set")
    }
    let path = run.absolutePath(tokenFile)
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(FileSystem.named(path), atMost: Self.longestFile)
    } catch {
      throw missing("\(error)")
    }
    let text = Self.trimmed(String(decoding: bytes, as: UTF8.self))
    guard !text.isEmpty else { throw missing("the file \(path) is empty") }
    return try checked(text, "the file \(path)")
  }

  /// What stands in a header has to be one word of visible ASCII.
  private func checked(_ text: String, _ place: String) throws(SourceError) -> Secret {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw missing("what \(place) holds is no token: it has blanks, line breaks or characters beyond ASCII")
    }
    return Secret(text)
  }

  private func missing(_ reason: String) -> SourceError {
    var error = SourceError(.access, "There is no token for \(host): \(reason).", endsTheRun: false)
    error.isMissingCredential = true
    return error
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0 == "\u{feff}" }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
