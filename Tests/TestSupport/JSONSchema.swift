package import Basics

/// A validator for the part of JSON Schema 2020-12 that the schemas in docs/ use. An unknown keyword is an
/// error, so that no keyword is ignored.
package struct JSONSchema {
  package let root: JSONValue

  package init(root: JSONValue) { self.root = root }

  /// Returns all problems, each with the path of the value; an empty array if the value is valid.
  package func problems(of value: JSONValue) -> [String] { check(value, root, at: "") }

  private static let annotations: Set<String> = ["$schema", "$id", "$defs", "title", "description"]

  private func check(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
    guard let keywords = schema.object else { return ["\(path): the schema is no object"] }
    var problems: [String] = []
    for (keyword, argument) in keywords where !Self.annotations.contains(keyword) {
      problems += check(value, keyword, argument, in: schema, at: path)
    }
    return problems
  }

  private func check(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, in schema: JSONValue, at path: String
  ) -> [String] {
    func unless(_ holds: Bool) -> [String] { holds ? [] : ["\(path): \(keyword) \(argument) does not hold"] }
    switch keyword {
    case "$ref":
      let name = argument.string?.split(separator: "/").last.map(String.init) ?? ""
      guard let target = root["$defs"]?[name] else { return ["\(path): no definition of \(name)"] }
      return check(value, target, at: path)
    case "type":
      let types = argument.array ?? [argument]
      return unless(types.contains { hasType(value, $0.string) })
    case "enum": return unless((argument.array ?? []).contains(value))
    case "const": return unless(value == argument)
    case "minimum": return unless((value.double ?? .infinity) >= (argument.double ?? 0))
    case "minLength": return unless((value.string?.unicodeScalars.count ?? .max) >= (argument.int ?? 0))
    case "maxItems": return unless((value.array?.count ?? 0) <= (argument.int ?? 0))
    case "minItems": return unless((value.array?.count ?? .max) >= (argument.int ?? 0))
    case "minProperties": return unless((value.object?.count ?? .max) >= (argument.int ?? 0))
    case "pattern": return unless(matches(value.string ?? "", argument.string ?? ""))
    case "required":
      let names = argument.array?.compactMap(\.string) ?? []
      return unless(value.object.map { object in names.allSatisfy { object[$0] != nil } } ?? true)
    case "properties":
      return (value.object ?? [:]).flatMap { key, member in
        argument[key].map { check(member, $0, at: "\(path)/\(key)") } ?? []
      }
    case "additionalProperties":
      let known = schema["properties"]?.object ?? [:]
      let unknown = (value.object ?? [:]).keys.filter { known[$0] == nil }
      if argument == false { return unknown.map { "\(path): unknown key \($0)" } }
      return unknown.flatMap { key in
        value[key].map { check($0, argument, at: "\(path)/\(key)") } ?? []
      }
    case "items":
      return (value.array ?? []).enumerated().flatMap { check($1, argument, at: "\(path)/\($0)") }
    case "oneOf":
      let matching = (argument.array ?? []).filter { check(value, $0, at: path).isEmpty }
      if matching.count == 1 { return [] }
      let reasons = (argument.array ?? []).flatMap { check(value, $0, at: path) }
      return ["\(path): \(matching.count) of the alternatives hold: \(reasons)"]
    default: return ["\(path): the test's validator does not know the keyword \(keyword)"]
    }
  }

  private func hasType(_ value: JSONValue, _ type: String?) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("integer", .integer), ("number", .integer), ("number", .number), ("null", .null):
      true
    default: false
    }
  }

  /// Returns whether the text matches a pattern of the schema; these are patterns for times and days.
  private func matches(_ text: String, _ pattern: String) -> Bool {
    do {
      return text.contains(try Regex(pattern))
    } catch {
      return false
    }
  }
}
