import Basics
import Foundation

/// A mapping in site.yml as a Swift value. A list declares its fields, with one line per key.
package protocol ConfigSection: Sendable {
  /// The values of missing keys.
  static var defaults: Self { get }
  static var fields: [ConfigField<Self>] { get }
  /// Returns the fields, including those that networks declare.
  static func fields(with networks: AddressBook) -> [ConfigField<Self>]
  /// Whether the values of unknown keys may be credentials.
  static var mayHoldSecrets: Bool { get }

  /// Checks rules that apply to several keys.
  func check(_ value: ConfigValue, problems: inout ProblemList)
}

extension ConfigSection {
  package static var mayHoldSecrets: Bool { false }
  package static func fields(with networks: AddressBook) -> [ConfigField<Self>] { fields }

  package func check(_ value: ConfigValue, problems: inout ProblemList) {}

  /// All keys at and below this section, in the order of their declarations: `x`, `x.token_env`, `threads[].url`.
  static var knownKeys: [String] { knownKeys(with: AddressBook([])) }

  /// All keys, including those that networks declare.
  static func knownKeys(with networks: AddressBook) -> [String] {
    fields(with: networks).flatMap { field in [field.key] + field.nestedKeys.map { field.key + $0 } }
  }
}

/// One key of a section: its name, the property for its value, and the reader of the value.
///
/// A key without a value counts as not set.
package struct ConfigField<Section>: Sendable {
  let key: String
  let isRequired: Bool
  let nestedKeys: [String]
  let read: @Sendable (ConfigValue, inout Section, inout ProblemList) -> Void

  init(
    _ key: String, nestedKeys: [String],
    read: @escaping @Sendable (ConfigValue, inout Section, inout ProblemList) -> Void
  ) {
    self.key = key
    isRequired = false
    self.nestedKeys = nestedKeys
    self.read = read
  }

  package init<Value>(
    _ key: String, _ path: any WritableKeyPath<Section, Value> & Sendable, _ reader: ValueReader<Value>,
    isRequired: Bool = false
  ) {
    self.key = key
    self.isRequired = isRequired
    nestedKeys = reader.nestedKeys
    read = { value, section, problems in
      if let result = reader.read(value, &problems) { section[keyPath: path] = result }
    }
  }

  package init<Value>(
    _ key: String, _ path: any WritableKeyPath<Section, Value?> & Sendable, _ reader: ValueReader<Value>,
    isRequired: Bool = false
  ) {
    self.key = key
    self.isRequired = isRequired
    nestedKeys = reader.nestedKeys
    read = { value, section, problems in
      if let result = reader.read(value, &problems) { section[keyPath: path] = result }
    }
  }
}

extension ValueReader where Value: ConfigSection {
  /// Reads a mapping with the fields that its section declares.
  package static var section: ValueReader {
    ValueReader(nestedKeys: Value.knownKeys.map { "." + $0 }) { value, problems in
      let fields = Value.fields(with: problems.addresses)
      guard case .mapping(let entries) = value.node.content else {
        problems.error(
          "expected a mapping, found \(value.node.kind); \(advice(on: value.node, keys: fields.map(\.key)))",
          at: value)
        if Value.mayHoldSecrets { value.node.hideText(in: &problems.mask) }
        return nil
      }
      var section = Value.defaults
      var found: Set<String> = []
      for entry in entries {
        guard let field = fields.first(where: { $0.key == entry.key }) else {
          report(unknown: entry, in: value, keys: fields.map(\.key), problems: &problems)
          // A misspelled key is not reported as missing as well.
          if let meant = Suggestion.nearest(to: entry.key, among: fields.map(\.key)) {
            found.insert(meant)
          }
          continue
        }
        guard !entry.value.isNull else { continue }
        found.insert(field.key)
        field.read(value.entry(entry), &section, &problems)
      }
      for field in fields where field.isRequired && !found.contains(field.key) {
        problems.error("the key \(quoted(field.key)) is missing here", at: value)
      }
      section.check(value, problems: &problems)
      return section
    }
  }

  /// Returns advice on a value that should be a mapping. A missing space after a colon, and an equals sign, turn a mapping into text.
  private static func advice(on node: ConfigNode, keys: [String]) -> String {
    if case .scalar(let text, true) = node.content,
      let separator = text.firstIndex(where: { $0 == ":" || $0 == "=" })
    {
      let key = text[..<separator].trimmingCharacters(in: .whitespaces)
      if keys.contains(key) { return "write \"\(key): \" with a colon and a space before the value" }
    }
    return "its keys are \(keys.joined(separator: ", "))"
  }

  private static func report(
    unknown entry: ConfigNode.Entry, in value: ConfigValue, keys: [String], problems: inout ProblemList
  ) {
    let isSecret = isNameOfSecret(entry.key)
    if Value.mayHoldSecrets || isSecret { entry.value.hideText(in: &problems.mask) }
    guard !problems.isFull else { return problems.error("", at: entry.keyMark) }
    let known = "Known keys: \(keys.joined(separator: ", "))"
    let advice =
      if let nearest = Suggestion.nearest(to: entry.key, among: keys) {
        "; did you mean \(quoted(nearest))?"
      } else if isSecret {
        "; credentials do not belong in this file: put the token into an environment variable or a file, and set its"
          + " name in the network's section. \(known)"
      } else {
        ". \(known)"
      }
    problems.error(
      "unknown key \(quoted(entry.key))\(advice)", at: entry.keyMark, path: value.path(of: entry.key))
  }

  private static func isNameOfSecret(_ key: String) -> Bool {
    let name = key.lowercased()
    return ["token", "secret", "bearer", "password", "api_key", "apikey"].contains { name.contains($0) }
  }
}
