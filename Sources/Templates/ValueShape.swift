/// The names of the values that a template receives, as it looks them up.
package indirect enum ValueShape: Sendable, Equatable {
  /// Text, markup, a number or a Boolean, which has no names.
  case value
  /// An object, or a list of such objects.
  case object([String: ValueShape])
  /// An object whose names depend on the site, such as the options of a theme.
  case open

  /// Returns an object.
  ///
  /// - Parameters:
  ///   - values: the names of values without further names, separated by spaces.
  ///   - nested: the values with further names.
  package static func object(_ values: String, _ nested: [String: ValueShape] = [:]) -> ValueShape {
    var fields = nested
    for name in values.split(separator: " ") { fields[String(name)] = .value }
    return .object(fields)
  }

  /// Returns an object with the names of both objects.
  package func adding(_ other: ValueShape) -> ValueShape {
    .object(fields.merging(other.fields) { $1 })
  }

  /// The fields of an object; empty for other shapes.
  package var fields: [String: ValueShape] {
    if case .object(let fields) = self { fields } else { [:] }
  }

  /// All names in the object and in its values.
  package var names: Set<String> {
    fields.values.reduce(into: Set(fields.keys)) { $0.formUnion($1.names) }
  }

  /// Returns a field; `nil` if the shape has no such field.
  func field(_ name: String) -> ValueShape? {
    switch self {
    case .value: nil
    case .object(let fields): fields[name]
    case .open: .open
    }
  }
}
