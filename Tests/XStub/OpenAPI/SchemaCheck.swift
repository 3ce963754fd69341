import Basics
import Foundation

/// The check of values against the schemas of an OpenAPI 3.0 document. An unknown keyword is a problem, so that no keyword is
/// ignored.
struct SchemaCheck {
  var document: OpenAPIDocument
  var isStrict = false

  private static let annotations: Set<String> = [
    "description", "example", "default", "discriminator", "deprecated", "nullable", "title",
  ]

  func problems(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
    let schema = document.resolved(schema)
    guard let keywords = schema.object else { return ["\(path): the schema is no object"] }
    if value.isNull, schema["nullable"] == true { return [] }
    var problems: [String] = []
    for (keyword, argument) in keywords where !Self.annotations.contains(keyword) {
      problems += check(value, keyword, argument, at: path)
    }
    if isStrict { problems += unknownMembers(of: value, by: schema, at: path) }
    return problems
  }

  private func check(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, at path: String
  ) -> [String] {
    func unless(_ holds: Bool) -> [String] {
      holds ? [] : ["\(path): \(Self.text(value)) is not allowed by \(keyword) \(Self.text(argument))"]
    }
    switch keyword {
    case "type": return unless(hasType(value, argument.string))
    case "enum": return unless(argument.array?.contains(value) ?? false)
    case "pattern": return unless(matches(value.string, argument.string))
    case "format": return unless(hasFormat(value, argument.string))
    case "minimum": return unless((value.double ?? .infinity) >= (argument.double ?? 0))
    case "maximum": return unless((value.double ?? -.infinity) <= (argument.double ?? 0))
    case "minLength": return unless((value.string?.unicodeScalars.count ?? .max) >= (argument.int ?? 0))
    case "maxLength": return unless((value.string?.unicodeScalars.count ?? 0) <= (argument.int ?? 0))
    case "minItems": return unless((value.array?.count ?? .max) >= (argument.int ?? 0))
    case "maxItems": return unless((value.array?.count ?? 0) <= (argument.int ?? 0))
    case "uniqueItems":
      return unless(argument != true || Set(value.array ?? []).count == (value.array?.count ?? 0))
    case "required":
      let names = argument.array?.compactMap(\.string) ?? []
      return unless(value.object.map { object in names.allSatisfy { object[$0] != nil } } ?? true)
    case "properties":
      return (value.object ?? [:]).flatMap { key, member in
        argument[key].map { problems(of: member, by: $0, at: "\(path)/\(key)") } ?? []
      }
    case "items":
      return (value.array ?? []).enumerated().flatMap { problems(of: $1, by: argument, at: "\(path)/\($0)") }
    case "allOf":
      return (argument.array ?? []).flatMap {
        SchemaCheck(document: document).problems(of: value, by: $0, at: path)
      }
    case "oneOf":
      let matching = (argument.array ?? []).count {
        SchemaCheck(document: document).problems(of: value, by: $0, at: path).isEmpty
      }
      return unless(matching == 1)
    default: return ["\(path): the keyword \(keyword) is not known to this check"]
    }
  }

  /// Returns a problem for each member that neither the schema nor its component schemas name.
  private func unknownMembers(of value: JSONValue, by schema: JSONValue, at path: String) -> [String] {
    let known = names(of: schema)
    guard !known.isEmpty else { return [] }
    return (value.object ?? [:]).keys.filter { !known.contains($0) }.map { "\(path): nobody knows \($0)" }
  }

  private func names(of schema: JSONValue) -> Set<String> {
    let schema = document.resolved(schema)
    let parts = (schema["allOf"]?.array ?? []) + (schema["oneOf"]?.array ?? [])
    return parts.reduce(into: Set((schema["properties"]?.object ?? [:]).keys)) { $0.formUnion(names(of: $1)) }
  }

  private func hasType(_ value: JSONValue, _ type: String?) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("integer", .integer), ("number", .integer), ("number", .number):
      true
    default: false
    }
  }

  private func matches(_ text: String?, _ pattern: String?) -> Bool {
    guard let text, let pattern, let regex = try? Regex(pattern) else { return false }
    return text.firstMatch(of: regex) != nil
  }

  /// Returns whether a value has a format. The sizes of numbers and unknown formats are not checked.
  private func hasFormat(_ value: JSONValue, _ format: String?) -> Bool {
    switch format {
    case "date-time": value.string.flatMap { Date(stubTime: $0) } != nil
    case "uri": value.string?.contains("://") ?? false
    default: true
    }
  }

  private static func text(_ value: JSONValue) -> String {
    let text = String(decoding: JSONWriter.text(of: value, .compact).bytes, as: UTF8.self)
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}
