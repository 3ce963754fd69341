/// A value of site.yml as written (text, a list or a mapping), with its position.
///
/// Text stays text: YAML 1.1 would convert `yes` to a Boolean, `2024` and a post's id to numbers, and `2024-01-01` to a date. Here the key decides
/// how its value is read.
struct ConfigNode: Sendable {
  enum Content: Sendable {
    /// `isPlain` distinguishes `true` from `"true"`.
    case scalar(String, isPlain: Bool)
    case list([ConfigNode])
    case mapping([Entry])
    /// A forbidden construct, such as an alias. The parser has reported it, so values that depend on it report no further problem.
    case refused
  }

  struct Entry: Sendable {
    let key: String
    let keyMark: SourceMark
    let value: ConfigNode
  }

  let content: Content
  let mark: SourceMark

  /// Whether the key counts as not set: nothing after the colon, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  var isRefused: Bool {
    guard case .refused = content else { return false }
    return true
  }

  /// The kind of value for error messages: "a list", "text".
  var kind: String {
    if isNull { return "nothing" }
    switch content {
    case .scalar: return "text"
    case .list: return "a list"
    case .mapping: return "a mapping"
    case .refused: return "an unsupported value"
    }
  }
}

/// A value and its key path.
package struct ConfigValue: Sendable {
  let node: ConfigNode
  /// A path such as `threads[2].tags`; empty for the whole file.
  let path: String

  func entry(_ entry: ConfigNode.Entry) -> ConfigValue {
    ConfigValue(node: entry.value, path: path(of: entry.key))
  }

  func element(_ node: ConfigNode, at index: Int) -> ConfigValue {
    ConfigValue(node: node, path: "\(path)[\(index)]")
  }

  func path(of key: String) -> String {
    let shown = clipped(key)
    return path.isEmpty ? shown : path + "." + shown
  }
}

/// Returns a text of the file for a message: on one line, without control characters, of at most 80 Unicode scalars.
package func clipped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(80) {
    result.append(scalar == "\n" || scalar == "\t" ? " " : SourceText.isControl(scalar) ? "\u{FFFD}" : scalar)
  }
  return String(result) + (text.unicodeScalars.count > 80 ? "…" : "")
}

/// Returns a text of the file for a message, in quotes.
package func quoted(_ text: String) -> String {
  "\"" + clipped(text) + "\""
}
