import UTF8Text

extension Compiler {
  /// Compiles `{{words.name}}` to the words themselves.
  ///
  /// - Returns: `false` for a tag that names a value.
  mutating func compileWords(_ token: Token) -> Bool {
    guard let name = wordName(of: token) else { return false }
    emitInline(token)
    guard let text = words.words[name] else {
      let suggestion = Suggestion.text(for: name, among: words.words.keys)
      report(token, "there are no words `\(name)` in the strings files.\(suggestion)")
      return true
    }
    usedWords.insert(name)
    let isEscaped = token.kind == .variable
    for (index, piece) in text.pieces.enumerated() {
      switch piece {
      case .text(let piece):
        let place = (isFirst: index == 0, isLast: index == text.pieces.count - 1)
        emitLiteral(literal(piece, escaped: isEscaped, place), startsLine: false)
      case .name(let name):
        program.code.append(.variable(path: path(named: name, token), escaped: isEscaped))
      }
    }
    return true
  }

  /// Words are always there, so a section of them would say nothing.
  mutating func refuseWords(_ token: Token) {
    guard let name = wordName(of: token) else { return }
    report(
      token, "words are put in by {{words.\(name)}}; they are no value that \(describe(token)) could ask for")
  }

  private func wordName(of token: Token) -> String? {
    let parts = token.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == TemplateWords.namespace else { return nil }
    return String(parts[1])
  }

  /// - Parameter place: whether the text stands at the ends of its words, and not beside a value.
  private func literal(
    _ text: String, escaped: Bool, _ place: (isFirst: Bool, isLast: Bool)
  ) -> ArraySlice<UInt8> {
    var buffer = UTF8Buffer(capacity: text.utf8.count + 16)
    switch escaped ? kind : .text {
    case .html: buffer.appendEscapingHTML(text)
    case .markdown:
      // A blank at an end would be written as a reference, so that Markdown keeps it; beside a value it is within a line.
      var inner = text[...]
      let before = place.isFirst ? "" : inner.prefix { $0 == " " }
      inner = inner.dropFirst(before.count)
      let after = place.isLast ? "" : Substring(String(inner.reversed().prefix { $0 == " " }))
      buffer.append(String(before))
      buffer.appendEscapingMarkdown(String(inner.dropLast(after.count)))
      buffer.append(String(after))
    case .text: buffer.append(text)
    }
    return buffer.bytes[...]
  }
}
