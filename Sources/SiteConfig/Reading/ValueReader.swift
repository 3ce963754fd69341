/// How one kind of value is read: what is expected, and what becomes of it.
///
/// A reader adds every problem that it finds and gives `nil` where no value can be made.
struct ValueReader<Value>: Sendable {
  /// The paths of the keys below, as `ConfigField` lists them: `.name`, `[].url`.
  let nestedKeys: [String]
  let read: @Sendable (ConfigValue, inout ProblemList) -> Value?

  init(
    nestedKeys: [String] = [], _ read: @escaping @Sendable (ConfigValue, inout ProblemList) -> Value?
  ) {
    self.nestedKeys = nestedKeys
    self.read = read
  }

  /// Reads text with a function that says what is wrong with it.
  ///
  /// - Parameters:
  ///   - form: what is expected, for where the value is no text at all: "a URL".
  static func text(
    _ form: String, _ parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) -> ValueReader {
    scalar(form) { (text, _) throws(InvalidValue) in try parse(text) }
  }

  /// Reads text that may not be in quotes, such as a number.
  static func plain(
    _ form: String, _ parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) -> ValueReader {
    scalar(form) { (text, isPlain) throws(InvalidValue) in
      guard isPlain else {
        throw InvalidValue("expected \(form), found text in quotes; write it without the quotes")
      }
      return try parse(text)
    }
  }

  private static func scalar(
    _ form: String, _ parse: @escaping @Sendable (String, Bool) throws(InvalidValue) -> Value
  ) -> ValueReader {
    ValueReader { value, problems in
      guard !value.node.isNull, case .scalar(let text, let isPlain) = value.node.content else {
        problems.error("expected \(form), found \(value.node.kind)", at: value)
        return nil
      }
      do throws(InvalidValue) {
        let result = try parse(text, isPlain)
        return problems.refuseSecret(in: text, at: value) ? nil : result
      } catch {
        if problems.mask.secret(in: text) != nil { problems.mask.hide(text) }
        problems.error(error.message, at: value)
        return nil
      }
    }
  }

  /// Reads a list, element by element; one bad element does not hide the next.
  static func list<Element>(of reader: ValueReader<Element>) -> ValueReader where Value == [Element] {
    ValueReader(nestedKeys: reader.nestedKeys.map { "[]" + $0 }) { value, problems in
      guard case .list(let nodes) = value.node.content else {
        let advice =
          value.node.kind == "text" ? "; write it as [one, two] or on lines that begin with \"- \"" : ""
        problems.error("expected a list, found \(value.node.kind)\(advice)", at: value)
        return nil
      }
      return nodes.enumerated().compactMap { index, node in
        reader.read(value.element(node, at: index), &problems)
      }
    }
  }

  /// The same reader, for values that may be credentials written in the wrong place: text that is not
  /// accepted is masked in every message and source line.
  var hidingText: ValueReader {
    ValueReader(nestedKeys: nestedKeys) { value, problems in
      let result = read(value, &problems)
      if result == nil { value.node.hideText(in: &problems.mask) }
      return result
    }
  }
}

extension ProblemList {
  /// Adds an error where a text holds a credential, which is never shown.
  ///
  /// - Returns: whether it does.
  mutating func refuseSecret(in text: String, at value: ConfigValue) -> Bool {
    guard let secret = mask.secret(in: text) else { return false }
    mask.hide(text)
    error(
      "this holds \(secret), or what looks like one, and a site publishes what stands here: take it out, and revoke it if"
        + " this file was ever shared. Credentials belong into an environment variable or a file of their own",
      at: value)
    return true
  }
}

extension ConfigNode {
  /// Masks all text at and below this node.
  func hideText(in mask: inout SecretMask) {
    switch content {
    case .scalar(let text, _): mask.hide(text)
    case .list(let nodes): for node in nodes { node.hideText(in: &mask) }
    case .mapping(let entries): for entry in entries { entry.value.hideText(in: &mask) }
    case .refused: break
    }
  }
}
