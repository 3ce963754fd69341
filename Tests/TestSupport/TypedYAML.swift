import SiteConfig

/// YAML as other software reads it: unquoted text has the types of YAML 1.1 (https://yaml.org/type/), which
/// most readers implement.
///
/// Nodes are `[String: Any]`, `[Any]`, and text or the result of ``type(of:)``.
package enum TypedYAML {
  package struct Failure: Error {
    package let message: String
  }

  /// Unquoted text that is a date, or a number that Swift's types do not represent as written; not a string.
  package struct OtherValue: Sendable {
    package let written: String
  }

  /// Returns the one document of a text.
  package static func read(_ text: some StringProtocol) throws -> Any {
    let documents = try documents(text, type: type)
    guard documents.count == 1 else { throw Failure(message: "\(documents.count) documents") }
    return documents[0]
  }

  /// - Parameter type: returns the value of unquoted text.
  package static func documents(
    _ text: some StringProtocol, type: @escaping (String) -> Any
  ) throws -> [Any] {
    var parser = YAMLParser(Array(text.utf8))
    var documents: [Any] = []
    while case .documentStart = try parser.next().kind {
      documents.append(try node(try parser.next(), &parser, type))
    }
    return documents
  }

  private static func node(
    _ event: YAMLParser.Event, _ parser: inout YAMLParser, _ type: (String) -> Any
  ) throws -> Any {
    guard !event.hasAnchor, event.tag == nil else { throw Failure(message: "an anchor or a tag: \(event)") }
    switch event.kind {
    case .scalar(let text, let isPlain):
      return isPlain ? type(text) : text
    case .listStart:
      var list: [Any] = []
      while let element = try nextInCollection(&parser) { list.append(try node(element, &parser, type)) }
      return list
    case .mappingStart:
      var mapping: [String: Any] = [:]
      while let key = try nextInCollection(&parser) {
        guard case .scalar(let name, _) = key.kind else { throw Failure(message: "a key: \(key)") }
        let value = try node(try parser.next(), &parser, type)
        guard mapping.updateValue(value, forKey: name) == nil else {
          throw Failure(message: "twice: \(name)")
        }
      }
      return mapping
    default: throw Failure(message: "not expected: \(event)")
    }
  }

  private static func nextInCollection(_ parser: inout YAMLParser) throws -> YAMLParser.Event? {
    let event = try parser.next()
    if case .collectionEnd = event.kind { return nil }
    return event
  }

  /// Returns the value of unquoted text in YAML 1.1.
  package static func type(of text: String) -> Any {
    switch text {
    case "", "~", "null", "Null", "NULL": return Any?.none as Any
    case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON": return true
    case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF": return false
    default: break
    }
    if let number = Int(text) { return number }
    return text.wholeMatch(of: otherValue) == nil ? text : OtherValue(written: text)
  }

  /// Integers with other bases, underscores or in base 60; floating-point numbers; dates.
  private static var otherValue: Regex<Substring> {
    #/[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*\.?[0-9_]*(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?/#
  }
}
