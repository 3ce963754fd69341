import Basics
import Foundation
import TestSupport

/// One of X's OpenAPI documents, and the violations of a request (OpenAPI 3.0, "Parameter Object"; JSON
/// Schema).
struct OpenAPIDocument {
  private let root: JSONValue

  static let folder: URL? = {
    let folder = ProjectFolders.sharedFixtures?.deletingLastPathComponent().appending(path: "reference")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }()

  init(version: String) throws {
    let file = Self.folder?.appending(path: "x-openapi-\(version).json")
    root = try JSONValue(parsing: Array(Data(contentsOf: file ?? URL(filePath: "/nowhere"))))
  }

  /// The problems of `GET <target>`; empty for a valid request.
  func problems(with target: String) -> [String] {
    guard let components = URLComponents(string: target) else { return ["no URL: \(target)"] }
    guard let (operation, arguments) = operation(at: components.path) else {
      return ["no such path: \(components.path)"]
    }
    let parameters = (operation["parameters"]?.array ?? []).map(resolved)
    let query = components.queryItems ?? []
    var problems: [String] = []
    for item in query where !parameters.contains(where: { $0.isNamed(item.name, in: "query") }) {
      problems.append("unknown parameter: \(item.name)")
    }
    if Set(query.map(\.name)).count < query.count { problems.append("a parameter given twice") }
    for parameter in parameters {
      let name = parameter["name"]?.string ?? ""
      let value = query.first { $0.name == name }?.value ?? arguments[name]
      if let value {
        problems += violations(of: resolved(parameter["schema"] ?? .null), by: value).map { "\(name): \($0)" }
      } else if parameter["required"]?.bool == true {
        problems.append("missing: \(name)")
      }
    }
    return problems + exclusions(operation, query)
  }

  /// The sentence "At most one of `a`, `b` may be provided." in the description of an operation.
  private func exclusions(_ operation: JSONValue, _ query: [URLQueryItem]) -> [String] {
    (operation["description"]?.string ?? "").split(separator: ". ").compactMap { sentence in
      guard sentence.hasPrefix("At most one of ") else { return nil }
      let names = sentence.split(separator: "`").filter { !$0.contains(" ") && !$0.isEmpty }.map(String.init)
      let given = query.map(\.name).filter(names.contains)
      return given.count > 1 ? "at most one of \(names)" : nil
    }
  }

  private func operation(at path: String) -> (JSONValue, [String: String])? {
    let parts = path.split(separator: "/")
    // A path without variables has priority (OpenAPI, "Path Templating Matching").
    let templates = (root["paths"]?.object ?? [:]).keys.sorted { !$0.contains("{") && $1.contains("{") }
    for template in templates {
      let names = template.split(separator: "/")
      guard names.count == parts.count else { continue }
      var arguments: [String: String] = [:]
      let fits = zip(names, parts).allSatisfy { name, part in
        guard name.hasPrefix("{") else { return name == part }
        arguments[String(name.dropFirst().dropLast())] = String(part)
        return true
      }
      if fits, let operation = root["paths"]?[template]?["get"] { return (operation, arguments) }
    }
    return nil
  }

  private func resolved(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
  }

  private func violations(of schema: JSONValue, by value: String) -> [String] {
    switch schema["type"]?.string {
    case "array":
      return arrayViolations(schema, value.split(separator: ",", omittingEmptySubsequences: false))
    case "integer":
      guard let number = Int(value) else { return ["no number: \(value)"] }
      let isTooSmall = (schema["minimum"]?.int).map { number < $0 } ?? false
      let isTooLarge = (schema["maximum"]?.int).map { number > $0 } ?? false
      return isTooSmall || isTooLarge ? ["out of range: \(number)"] : []
    default: return stringViolations(schema, value)
    }
  }

  private func arrayViolations(_ schema: JSONValue, _ values: [Substring]) -> [String] {
    var problems: [String] = []
    if let least = schema["minItems"]?.int, values.count < least { problems.append("fewer than \(least)") }
    if let most = schema["maxItems"]?.int, values.count > most { problems.append("more than \(most)") }
    if schema["uniqueItems"]?.bool == true, Set(values).count < values.count { problems.append("one twice") }
    let item = resolved(schema["items"] ?? .null)
    return problems + values.flatMap { violations(of: item, by: String($0)) }
  }

  private func stringViolations(_ schema: JSONValue, _ value: String) -> [String] {
    var problems: [String] = []
    let length = value.unicodeScalars.count
    if let least = schema["minLength"]?.int, length < least { problems.append("shorter than \(least)") }
    if let most = schema["maxLength"]?.int, length > most { problems.append("longer than \(most)") }
    if let words = schema["enum"]?.array, !words.contains(.string(value)) {
      problems.append("not one of: \(value)")
    }
    if let pattern = schema["pattern"]?.string {
      let matches = (try? Regex(pattern)).flatMap { try? $0.firstMatch(in: value) } != nil
      if !matches { problems.append("\(value) does not match \(pattern)") }
    }
    if schema["format"]?.string == "date-time",
      value.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil
    {
      problems.append("no time: \(value)")
    }
    return problems
  }
}

extension JSONValue {
  fileprivate func isNamed(_ name: String, in place: String) -> Bool {
    self["name"]?.string == name && self["in"]?.string == place
  }
}
