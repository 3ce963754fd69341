/// Named values: what a page or a component hands to its template.
///
/// The names of one object are few, so they are searched in turn: that is faster than hashing them.
package struct TemplateObject: Sendable {
  private var fields: [(name: TemplateName, value: TemplateValue)]

  package init() {
    fields = []
  }

  init(fields elements: [(String, TemplateValue)]) {
    fields = []
    fields.reserveCapacity(elements.count)
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a name, `missing` where it was never set. A name that is set again keeps its last value.
  package subscript(_ name: String) -> TemplateValue {
    get { value(of: TemplateName(name)) ?? .missing }
    set {
      let name = TemplateName(name)
      if let index = fields.firstIndex(where: { $0.name == name }) {
        fields[index].value = newValue
      } else {
        // What is handed to a template rarely has fewer fields: saves growing three times.
        if fields.isEmpty { fields.reserveCapacity(8) }
        fields.append((name, newValue))
      }
    }
  }

  /// The value of a name; `nil` where it was never set, so that an outer object is asked.
  func value(of name: TemplateName) -> TemplateValue? {
    for index in fields.indices where fields[index].name == name { return fields[index].value }
    return nil
  }
}

extension TemplateObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, TemplateValue)...) {
    self.init(fields: elements)
  }
}
