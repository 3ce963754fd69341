package import Basics
package import Foundation

/// One of X's published OpenAPI documents (OpenAPI 3.0), against which requests and responses are checked.
package struct OpenAPIDocument: Sendable {
  package let root: JSONValue
  /// The version of the document: `2.166`, `2.167`.
  package let version: String

  package init(at url: URL) throws {
    root = try JSONValue(parsing: [UInt8](Data(contentsOf: url)))
    version = root["info"]?["version"]?.string ?? ""
  }

  package init(root: JSONValue) {
    self.root = root
    version = root["info"]?["version"]?.string ?? ""
  }

  /// Resolves a reference within the document; other values are returned unchanged.
  func resolved(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.string else { return value }
    let target = reference.dropFirst(2).split(separator: "/").reduce(Optional(root)) { $0?[String($1)] }
    return target.map(resolved) ?? value
  }

  /// An operation, and the values of its path parameters.
  struct Operation {
    var json: JSONValue
    var pathValues: [String: String]
  }

  /// Returns the operation of a request; if several path templates match, the template with the fewest parameters.
  func operation(_ method: String, _ path: String) -> Operation? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var best: Operation?
    for (template, item) in root["paths"]?.object ?? [:] {
      guard let json = item[method.lowercased()], let values = Self.match(template, segments) else {
        continue
      }
      if best.map({ values.count < $0.pathValues.count }) ?? true {
        best = Operation(json: json, pathValues: values)
      }
    }
    return best
  }

  private static func match(_ template: String, _ segments: [Substring]) -> [String: String]? {
    let parts = template.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      if part.hasPrefix("{"), part.hasSuffix("}") {
        values[String(part.dropFirst().dropLast())] = String(segment)
      } else if part != segment {
        return nil
      }
    }
    return values
  }
}
