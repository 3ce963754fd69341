package import Basics

extension OpenAPIDocument {
  /// Returns the problems of a request according to this document: its path, the names, types, members, limits and patterns of its
  /// parameters, and missing parameters; an empty array if the request is valid.
  package func problems(of request: LoggedRequest) -> [String] {
    let subject = "\(version): \(request.method) \(request.path)"
    guard let operation = operation(request.method, request.path) else {
      return ["\(subject): no such path and method"]
    }
    let parameters = (operation.json["parameters"]?.array ?? []).map(resolved)
    var problems: [String] = []
    var known: Set<String> = []
    for parameter in parameters {
      guard let name = parameter["name"]?.string else { continue }
      let isInPath = parameter["in"]?.string == "path"
      if !isInPath { known.insert(name) }
      let values =
        isInPath
        ? [operation.pathValues[name] ?? ""] : request.query.filter { $0.name == name }.map(\.value)
      if values.isEmpty, parameter["required"]?.bool == true { problems.append("\(name) is required") }
      if values.count > 1 { problems.append("\(name) is given \(values.count) times") }
      for value in values { problems += self.problems(of: value, name, parameter) }
    }
    problems += request.query.filter { !known.contains($0.name) }.map { "no parameter is called \($0.name)" }
    return problems.map { "\(subject): \($0)" }
  }

  private func problems(of text: String, _ name: String, _ parameter: JSONValue) -> [String] {
    let schema = parameter["schema"] ?? [:]
    return SchemaCheck(document: self).problems(of: value(text, by: schema), by: schema, at: name)
  }

  /// Returns a parameter's text as a value of the type in its schema. Lists are separated by commas (`style: form`,
  /// `explode: false`, as all lists in these documents).
  private func value(_ text: String, by schema: JSONValue) -> JSONValue {
    let schema = resolved(schema)
    switch schema["type"]?.string {
    case "array":
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return .array(parts.map { value($0, by: schema["items"] ?? [:]) })
    case "integer": return Int64(text).map(JSONValue.integer) ?? .string(text)
    case "boolean": return text == "true" ? true : text == "false" ? false : .string(text)
    default: return .string(text)
    }
  }

  /// Returns the problems of a response according to this document.
  ///
  /// - Parameter isStrict: Whether members that the schema does not name are also problems.
  package func problems(
    ofAnswer body: JSONValue, status: Int, to method: String, _ path: String, isStrict: Bool = false
  ) -> [String] {
    guard let operation = operation(method, path) else { return ["\(version): \(path): no such path"] }
    let responses = operation.json["responses"]
    let response = responses?["\(status)"] ?? responses?["default"]
    let kind = status == 200 ? "application/json" : "application/problem+json"
    guard let schema = response?["content"]?[kind]?["schema"] else {
      return ["\(version): \(path): no schema of answers with \(status)"]
    }
    return SchemaCheck(document: self, isStrict: isStrict).problems(of: body, by: schema, at: "")
      .map { "\(version): \(path): \($0)" }
  }
}

extension XStub {
  /// Returns the problems of the requests to the API's endpoints according to a document; an empty array if all are valid.
  package func problems(by document: OpenAPIDocument) -> [String] {
    apiRequests.flatMap { document.problems(of: $0) }
  }
}
