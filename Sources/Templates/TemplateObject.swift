package import UTF8Text

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
