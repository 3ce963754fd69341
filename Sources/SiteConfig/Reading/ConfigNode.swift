/// A value of site.yml as written: text, a list or a mapping, and where it stands.
///
/// Text stays text: YAML 1.1 would make a Boolean of `yes`, a number of `2024` and of a post's id, and a date of
/// `2024-01-01`. What a value becomes is decided by the key that it belongs to.
struct ConfigNode: Sendable {
  enum Content: Sendable {
    /// `isPlain` tells `true` from `"true"`.
    case scalar(String, isPlain: Bool)
    case list([ConfigNode])
    case mapping([Entry])
    /// Something that a site.yml may not hold, such as an alias: it was reported when it was found, and what
    /// depends on it says no more.
    case refused
  }

  struct Entry: Sendable {
    let key: String
    let keyMark: SourceMark
    let value: ConfigNode
  }

  let content: Content
  let mark: SourceMark

  /// Nothing after the colon, `~` or `null`: the key counts as not set.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  var isRefused: Bool {
    guard case .refused = content else { return false }
    return true
  }

  /// What was found, in the words of an error: "a list", "text".
  var kind: String {
    if isNull { return "nothing" }
    switch content {
    case .scalar: return "text"
    case .list: return "a list"
    case .mapping: return "a mapping"
    case .refused: return "what is not allowed here"
    }
  }
}

/// A value and the path of keys that leads to it.
struct ConfigValue: Sendable {
  let node: ConfigNode
  /// Such as `threads[2].tags`; empty for the whole file.
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

/// Text of the file inside a message: on one line, without controls, and not longer than it needs to be.
package func clipped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars.prefix(80) {
    result.append(scalar == "\n" || scalar == "\t" ? " " : SourceText.isControl(scalar) ? "\u{FFFD}" : scalar)
  }
  return String(result) + (text.unicodeScalars.count > 80 ? "…" : "")
}

/// Text of the file inside a message, in quotes.
package func quoted(_ text: String) -> String {
  "\"" + clipped(text) + "\""
}
