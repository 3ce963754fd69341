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
      // Few templates contain either text, and regular expressions are slow.
      (source.text.contains(bytes: "theme.") ? tags(of: source) : [])
        + (source.text.contains(bytes: "assets/") ? addresses(of: source) : [])
    }
  }

  /// Checks tags such as `{{theme.options.acent}}` and `{{theme.assets.lgo.png}}`.
  private func tags(of source: TemplateSource) -> [String] {
    source.text.matches(of: /\{\{\{?[#^&\/]?\s*theme\.(options|assets)\.([^\s{}]+)/).compactMap { match in
      let name = String(match.output.2)
      let isOption = match.output.1 == "options"
      let known = isOption ? options : assets
      guard !known.contains(name) else { return nil }
      let hint = Suggestion.phrase(for: name, among: known)
      let text =
        isOption
        ? "the theme has no option \"\(name)\"\(hint.isEmpty ? ": declare it under `options:` in theme.yml" : hint)"
        : "the theme has no file \"static/\(name)\"\(hint)"
      return message(text, at: match.range.lowerBound, of: source)
    }
  }

  /// Reports URLs such as `assets/logo.png` that a template contains literally, without the digest.
  private func addresses(of source: TemplateSource) -> [String] {
    source.text.matches(of: /assets\/([^\s"'<>{}?#]+)/).compactMap { match in
      let name = String(match.output.1)
      guard assets.contains(name) else { return nil }
      return message(
        "the published name of \"static/\(name)\" contains a digest of its content: write {{theme.assets.\(name)}} "
          + "for its URL", at: match.range.lowerBound, of: source)
    }
  }

  private func message(_ text: String, at index: String.Index, of source: TemplateSource) -> String {
    let before = source.text[..<index]
    let line = before.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex { $0.isNewline }.map { before.index(after: $0) } ?? before.startIndex
    let column = source.text[start..<index].unicodeScalars.count + 1
    return "\(source.file):\(line):\(column): error: \(text)"
  }
}
