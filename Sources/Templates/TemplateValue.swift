package import Basics

/// What a template can be given.
///
/// False are, for sections: `missing`, `false`, an empty list, an empty text and an empty markup, so that `{{#alt}}…{{/alt}}`
/// asks whether there is one. Every integer is true, 0 too, and so is an object without fields; the specification calls
/// false only what is `missing`, `false` or an empty list, and leaves texts open.
///
/// As a variable a list or an object writes nothing, a bool `true` or `false`.
package enum TemplateValue: Sendable {
  /// Nothing. As a field of an object it hides fields of the same name further out.
  case missing
  case bool(Bool)
  case integer(Int)
  /// Escaped where `{{name}}` stands, as the template's kind has it.
  case text(String)
  /// Text that already is in the output's language: never escaped, not even by `{{name}}`.
  case markup(UTF8Buffer)
  case list([TemplateValue])
  case object(TemplateObject)

  /// Whether a section of this value is rendered; the type's comment lists what is false.
  var isTrue: Bool {
    switch self {
    case .missing: false
    case .bool(let value): value
    case .integer, .object: true
    case .text(let text): !text.isEmpty
    case .markup(let buffer): !buffer.isEmpty
    case .list(let list): !list.isEmpty
    }
  }

  /// Adds all that a template can see of the value: where digests are equal, templates write the same.
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
    case .markup(let buffer):
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

  /// The field of an object; `nil` where this is none or has no such field.
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

/// Named values: what a page or a component hands to its template.
///
/// The names of one object are few, so they are searched in turn: that is faster than hashing them. A literal is the
/// cheapest way to make one, as its elements are kept as they stand.
package struct TemplateObject: Sendable {
  /// No name twice.
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

  /// The value of a name, `missing` where it was never set. A name that is set again keeps its last value.
  package subscript(_ name: String) -> TemplateValue {
    get { value(of: TemplateName(name)) ?? .missing }
    set { set(TemplateName(name), newValue) }
  }

  private mutating func set(_ name: TemplateName, _ value: TemplateValue) {
    for index in fields.indices where fields[index].0 == name {
      fields[index].1 = value
      return
    }
    // What is handed to a template rarely has fewer fields: saves growing three times.
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append((name, value))
  }

  /// Takes over all values of another object.
  package mutating func add(_ other: TemplateObject) {
    fields.reserveCapacity(fields.count + other.fields.count)
    for (name, value) in other.fields { set(name, value) }
  }

  /// Adds the names and values, in their order.
  package func digest(into digest: inout ContentDigest) {
    digest.add(fields.count)
    for (name, value) in fields {
      digest.add(name.string)
      value.digest(into: &digest)
    }
  }

  /// The value of a name; `nil` where it was never set, so that an outer object is asked.
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
