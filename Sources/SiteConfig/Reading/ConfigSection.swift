import Basics

/// A mapping in site.yml as a Swift value, whose fields are declared in a list with one line for each key.
protocol ConfigSection: Sendable {
  /// The values of keys that are not in the file.
  static var defaults: Self { get }
  static var fields: [ConfigField<Self>] { get }
  /// Whether the values of unknown keys may be credentials.
  static var mayHoldSecrets: Bool { get }

  /// Checks rules that concern several keys.
  func check(_ value: ConfigValue, problems: inout ProblemList)
}

extension ConfigSection {
  static var mayHoldSecrets: Bool { false }

  func check(_ value: ConfigValue, problems: inout ProblemList) {}

  /// All keys at and below this section, in the order of their declarations: `x`, `x.token_env`, `threads[].url`.
  static var knownKeys: [String] {
    fields.flatMap { field in [field.key] + field.nestedKeys.map { field.key + $0 } }
  }
}

/// One key of a section: its name, the property that gets its value, and the reader of the value.
///
/// A key without a value counts as not set.
struct ConfigField<Section>: Sendable {
  let key: String
  let isRequired: Bool
  let nestedKeys: [String]
  let read: @Sendable (ConfigValue, inout Section, inout ProblemList) -> Void

  init<Value>(
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

  init<Value>(
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
  static var section: ValueReader {
    ValueReader(nestedKeys: Value.knownKeys.map { "." + $0 }) { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        let keys = Value.fields.map(\.key).joined(separator: ", ")
        problems.error("expected a mapping, found \(value.node.kind); its keys are \(keys)", at: value)
        if Value.mayHoldSecrets { value.node.hideText(in: &problems.mask) }
        return nil
      }
      var section = Value.defaults
      var found: Set<String> = []
      for entry in entries {
        guard let field = Value.fields.first(where: { $0.key == entry.key }) else {
          report(unknown: entry, in: value, problems: &problems)
          // A misspelt key is not reported as missing as well.
          if let meant = Suggestion.nearest(to: entry.key, among: Value.fields.map(\.key)) {
            found.insert(meant)
          }
          continue
        }
        guard !entry.value.isNull else { continue }
        found.insert(field.key)
        field.read(value.entry(entry), &section, &problems)
      }
      for field in Value.fields where field.isRequired && !found.contains(field.key) {
        problems.error("the key \(quoted(field.key)) is missing here", at: value)
      }
      section.check(value, problems: &problems)
      return section
    }
  }

  private static func report(
    unknown entry: ConfigNode.Entry, in value: ConfigValue, problems: inout ProblemList
  ) {
    let keys = Value.fields.map(\.key)
    let isSecret = isNameOfSecret(entry.key)
    if Value.mayHoldSecrets || isSecret { entry.value.hideText(in: &problems.mask) }
    guard !problems.isFull else { return problems.error("", at: entry.keyMark) }
    let advice =
      if let nearest = Suggestion.nearest(to: entry.key, among: keys) {
        "; did you mean \(quoted(nearest))?"
      } else if isSecret {
        "; credentials do not belong in this file: put the token into an environment variable or a file, and set"
          + " x.token_env or x.token_file."
      } else {
        "."
      }
    problems.error(
      "unknown key \(quoted(entry.key))\(advice) Known keys: \(keys.joined(separator: ", "))",
      at: entry.keyMark, path: value.path(of: entry.key))
  }

  private static func isNameOfSecret(_ key: String) -> Bool {
    let name = key.lowercased()
    return ["token", "secret", "bearer", "password", "api_key", "apikey"].contains { name.contains($0) }
  }
}
