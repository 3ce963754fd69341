package import Basics

/// A value for a template.
///
/// In sections, these values count as false: `missing`, `false`, an empty list, an empty text and empty markup. So `{{#alt}}…{{/alt}}` is
/// rendered only if there is an `alt` text. Every integer is true, including 0, and so is an object without fields. In the specification,
/// only `missing`, `false` and an empty list are false; it does not define texts.
///
/// As variables, lists and objects write nothing, and Booleans write `true` or `false`.
package enum TemplateValue: Sendable {
  /// No value. As a field of an object it hides fields of the same name in outer objects.
  case missing
  case bool(Bool)
  case integer(Int)
  /// Text, which `{{name}}` escapes for the template's kind.
  case text(String)
  /// Text in the output's language, which is never escaped, not even by `{{name}}`.
  case markup(UTF8Buffer)
  /// Markup with a number, under which the renderer reports its place in the output.
  case traced(UTF8Buffer, Int)
  case list([TemplateValue])
  case object(TemplateObject)

  /// Whether a section with this value is rendered; the type's comment lists the false values.
  var isTrue: Bool {
    switch self {
    case .missing: false
    case .bool(let value): value
    case .integer, .object: true
    case .text(let text): !text.isEmpty
    case .markup(let buffer), .traced(let buffer, _): !buffer.isEmpty
    case .list(let list): !list.isEmpty
    }
  }

  /// Adds everything in the value that a template can use. Values with equal digests are rendered identically.
  package func digest(into digest: inout ContentDigest) {
    switch self {
    case .missing: digest.add(0)
    case .bool(let value): digest.add(value ? 2 : 1)
    case .integer(let number):
      digest.add(3)
      digest.add(number)
    case .text(let text):
      digest.add(4)
      digest.add(text)
    case .markup(let buffer), .traced(let buffer, _):
      digest.add(5)
      digest.add(bytes: buffer.bytes)
    case .list(let list):
      digest.add(6)
      digest.add(list.count)
      for value in list { value.digest(into: &digest) }
    case .object(let object):
      digest.add(7)
      object.digest(into: &digest)
    }
  }

  /// The value as JSON; `nil` for a missing value.
  package var json: JSONValue? {
    switch self {
    case .missing: nil
    case .bool(let value): .bool(value)
    case .integer(let number): .integer(Int64(number))
    case .text(let text): .string(text)
    case .markup(let buffer), .traced(let buffer, _): .string(buffer.string)
    case .list(let list): .array(list.compactMap(\.json))
    case .object(let object): object.json
    }
  }

  /// Returns the field of an object; `nil` if the value is not an object or has no such field.
  func field(_ name: TemplateName) -> TemplateValue? {
    switch self {
    case .object(let object): object.value(of: name)
    default: nil
    }
  }
}

extension TemplateValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self = .text(value)
  }
}

extension TemplateValue: ExpressibleByStringInterpolation {}

extension TemplateValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) {
    self = .integer(value)
  }
}

extension TemplateValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension TemplateValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: TemplateValue...) {
    self = .list(elements)
  }
}

extension TemplateValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (TemplateName, TemplateValue)...) {
    self = .object(TemplateObject(fields: elements))
  }
}

/// Named values: the values of a page or a component for its template.
///
/// An object has few names, so they are searched one after the other, which is faster than hashing. A literal is the fastest way to create
/// an object, because its array of elements is used directly.
package struct TemplateObject: Sendable {
  /// Contains no name twice.
  private var fields: [(TemplateName, TemplateValue)]

  package init() {
    fields = []
  }

  init(fields elements: [(TemplateName, TemplateValue)]) {
    guard Self.repeatsName(elements) else {
      fields = elements
      return
    }
    fields = []
    for (name, value) in elements { set(name, value) }
  }

  private static func repeatsName(_ elements: [(TemplateName, TemplateValue)]) -> Bool {
    for index in elements.indices.dropFirst() {
      for earlier in 0..<index where elements[earlier].0 == elements[index].0 { return true }
    }
    return false
  }

  /// The value of a name; `missing` if it was never set. Setting a name again replaces its value.
  package subscript(_ name: String) -> TemplateValue {
    get { value(of: TemplateName(name)) ?? .missing }
    set { set(TemplateName(name), newValue) }
  }

  private mutating func set(_ name: TemplateName, _ value: TemplateValue) {
    for index in fields.indices where fields[index].0 == name {
      fields[index].1 = value
      return
    }
    // Objects for templates rarely have fewer fields. The reservation avoids growing the array three times.
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append((name, value))
  }

  /// Adds all values of a different object. They replace values of the same names.
  package mutating func add(_ other: TemplateObject) {
    fields.reserveCapacity(fields.count + other.fields.count)
    for (name, value) in other.fields { set(name, value) }
  }

  /// The values as JSON, without missing ones.
  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for (name, value) in fields { members[name.string] = value.json }
    return .object(members)
  }

  /// Adds the names and values in their order.
  package func digest(into digest: inout ContentDigest) {
    digest.add(fields.count)
    for (name, value) in fields {
      digest.add(name.string)
      value.digest(into: &digest)
    }
  }

  /// Returns the value of a name; `nil` if it was never set, so that outer objects are searched.
  func value(of name: TemplateName) -> TemplateValue? {
    for index in fields.indices where fields[index].0 == name { return fields[index].1 }
    return nil
  }
}

extension TemplateObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (TemplateName, TemplateValue)...) {
    self.init(fields: elements)
  }
}
