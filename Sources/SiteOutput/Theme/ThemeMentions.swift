import Basics
import SiteConfig
import Templates

/// Finds references in a theme's templates to options and assets that the theme does not have. Mustache would silently replace them by
/// nothing.
struct ThemeMentions {
  let options: [String]
  let assets: [String]

  /// Returns an error message for each mistake, with file, line and column.
  func mistakes(in sources: [TemplateSource]) -> [String] {
    sources.flatMap { source in
      let text = Array(source.text.utf8)
      return text.indices.compactMap { index in
        let mistake =
          switch text[index] {
          case UInt8(ascii: "t"): mistake(inTag: text, at: index)
          case UInt8(ascii: "a"): mistake(inURL: text, at: index).map { (index, $0) }
          default: nil as (Int, String)?
          }
        return mistake.map { start, problem in message(problem, at: start, of: text, in: source.file) }
      }
    }
  }

  /// Checks the name in a tag such as `{{theme.options.acent}}` or `{{#theme.assets.lgo.png}}`.
  ///
  /// - Parameter index: the index of a `t`.
  /// - Returns: the index of the tag, and the problem.
  private func mistake(inTag text: [UInt8], at index: Int) -> (start: Int, problem: String)? {
    let isOption = text[index...].starts(with: "theme.options.".utf8)
    guard isOption || text[index...].starts(with: "theme.assets.".utf8) else { return nil }
    var before = text[..<index]
    while let last = before.last, Self.isSpace(last) { before.removeLast() }
    if let last = before.last, "#^&/".utf8.contains(last) { before.removeLast() }
    guard before.suffix(2).elementsEqual("{{".utf8) else { return nil }
    let name = name(
      in: text, from: index + (isOption ? "theme.options." : "theme.assets.").utf8.count, until: "{}")
    let known = isOption ? options : assets
    guard !name.isEmpty, !known.contains(name) else { return nil }
    let hint = Suggestion.phrase(for: name, among: known)
    let start = (before.lastIndex { $0 != UInt8(ascii: "{") } ?? -1) + 1
    return (
      start,
      isOption
        ? "the theme has no option \"\(name)\"\(hint.isEmpty ? ": declare it under `options:` in theme.yml" : hint)"
        : "the theme has no file \"static/\(name)\"\(hint)"
    )
  }

  /// Checks a URL such as `assets/logo.png` that a template contains literally, without the digest.
  ///
  /// - Parameter index: the index of an `a`.
  private func mistake(inURL text: [UInt8], at index: Int) -> String? {
    guard text[index...].starts(with: "assets/".utf8) else { return nil }
    let name = name(in: text, from: index + "assets/".utf8.count, until: #""'<>{}?#"#)
    guard assets.contains(name) else { return nil }
    return "the published name of \"static/\(name)\" contains a digest of its content: write "
      + "{{theme.assets.\(name)}} for its URL"
  }

  /// Returns the characters before the first space, or before the first of the given ASCII characters.
  private func name(in text: [UInt8], from start: Int, until ends: String) -> String {
    let end = text[start...].firstIndex { Self.isSpace($0) || ends.utf8.contains($0) }
    return String(decoding: text[start..<(end ?? text.endIndex)], as: UTF8.self)
  }

  /// Whether a byte is a space, or a control character such as a line break.
  private static func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

  private func message(_ message: String, at start: Int, of text: [UInt8], in file: String) -> String {
    let lines = text[..<start].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
    return "\(file):\(lines.count):\(column): error: \(message)"
  }
}
