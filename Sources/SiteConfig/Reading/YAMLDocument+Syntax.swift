import Yams

extension YAMLDocument {
  /// libyaml's complaint about a file's syntax, in words that say what to change.
  static func explain(_ error: YamlError, in source: SourceText) -> (message: String, mark: SourceMark) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let place = SourceMark(line: mark.line, column: mark.column)
      let start = context.map { SourceMark(line: $0.mark.line, column: $0.mark.column) }
      if let key = keyThatIsNoText(from: start ?? place, to: place, in: source) {
        return ("a key must be text, written \"key: value\"", key)
      }
      let words = explanation(of: problem, at: place, context: context?.text, start: start, in: source)
      return (words.message, words.mark ?? place)
    case .memory:
      return ("lists and mappings are nested too deeply", .start)
    default:
      return ("the file cannot be read as YAML", .start)
    }
  }

  /// Whether what libyaml stumbles over is a key that ``StandIns`` made unreadable, on the same line or a few
  /// above.
  private static func keyThatIsNoText(
    from start: SourceMark, to place: SourceMark, in source: SourceText
  ) -> SourceMark? {
    for line in max(min(start.line, place.line), place.line - 3)...place.line {
      var previous: Unicode.Scalar = "{"
      let scalars = Array(source.line(line).unicodeScalars)
      for (index, scalar) in scalars.enumerated() where scalar != " " && scalar != "\t" {
        let isMark = scalar == "?" && (index + 1 == scalars.count || scalars[index + 1] == " ")
        if isMark && ["{", "[", ",", "-"].contains(previous)
          || scalar == ":" && ["]", "}"].contains(previous)
        {
          return SourceMark(line: line, column: index + 1)
        }
        previous = scalar
      }
    }
    return nil
  }

  /// The words for one of libyaml's messages (its `scanner.c` and `parser.c`), and a better place where the message's
  /// own place is the end of the file.
  private static func explanation(
    of problem: String, at mark: SourceMark, context: String?, start: SourceMark?, in source: SourceText
  ) -> (message: String, mark: SourceMark?) {
    let character = source.scalar(at: mark)
    let line = start.map { " that begins on line \($0.line)" } ?? ""
    switch problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      return ("a tab cannot indent YAML; use spaces", nil)
    case "found character that cannot start any token":
      let shown = character.map { quoted(String($0)) } ?? "this character"
      return ("a value cannot begin with \(shown); put it in quotes", nil)
    case "mapping values are not allowed in this context":
      return (
        "a \":\" is not expected here: put text that holds \": \" in quotes, or check the indentation", nil
      )
    case "block sequence entries are not allowed in this context":
      return ("a list item (\"- \") is not expected here: begin the list on a line of its own", nil)
    case "could not find expected ':'":
      return ("a key\(line) is not followed by \":\" and a value", start)
    case "found unexpected end of stream", "found unexpected document indicator":
      return ("a quote that is opened here is never closed", start)
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return (
        "this is no escape that YAML knows: write \"\\\\\" for a backslash, or use single quotes", nil
      )
    case "did not find expected key":
      return ("expected a key of the mapping\(line); check the indentation and the quotes", nil)
    case "did not find expected '-' indicator":
      return ("expected another \"- \" of the list\(line); check the indentation", nil)
    case "did not find expected ',' or ']'":
      return ("expected \",\" or \"]\" in the list\(line)", nil)
    case "did not find expected ',' or '}'":
      return ("expected \",\" or \"}\" in the mapping\(line)", nil)
    case "but found another document":
      return ("a second YAML document begins here, and this file may only be one; remove the \"---\"", nil)
    case _ where problem.hasPrefix("Maximum nesting level"):
      return ("lists and mappings are nested too deeply", nil)
    case "found undefined tag handle", "did not find expected tag URI":
      return ("YAML tags are not taken here (text that begins with \"!\" needs quotes)", nil)
    case "did not find expected alphabetic or numeric character":
      return ("a value cannot begin with \"&\"; put it in quotes", nil)
    default:
      return ([problem, context].compactMap(\.self).joined(separator: " "), nil)
    }
  }
}
