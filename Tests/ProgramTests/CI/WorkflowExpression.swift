import Foundation

/// Evaluates the text between `${{` and `}}` in a workflow as GitHub documents it ("Evaluate expressions in
/// workflows and actions"): literals, `.` and `*`, comparisons that ignore case, and the functions that our
/// workflows use. Anything else is an error.
struct WorkflowExpression {
  struct Failure: Error { let reason: String }

  enum Value {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([Value])
    case object([String: Value])

    init(_ any: Any?) {
      switch any {
      case let text as String: self = .text(text)
      case let flag as Bool: self = .flag(flag)
      case let number as Int: self = .number(Double(number))
      case let list as [Any]: self = .list(list.map { Value($0) })
      case let object as [String: Any]: self = .object(object.mapValues { Value($0) })
      default: self = .null
      }
    }

    var isTrue: Bool {
      switch self {
      case .null: false
      case .flag(let flag): flag
      case .number(let number): number != 0
      case .text(let text): !text.isEmpty
      case .list, .object: true
      }
    }

    var text: String {
      switch self {
      case .null: ""
      case .flag(let flag): "\(flag)"
      case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
      case .text(let text): text
      case .list: "Array"
      case .object: "Object"
      }
    }

    static func areEqual(_ first: Value, _ second: Value) -> Bool {
      if case .text(let first) = first, case .text(let second) = second {
        return first.lowercased() == second.lowercased()
      }
      // GitHub converts operands of different types to numbers. No comparison here needs it.
      return first.text == second.text
    }
  }

  let context: [String: Value]
  /// The values of `success()`, `failure()`, `always()` and `cancelled()`.
  let status: [String: Bool]
  private var tokens: [Substring] = []

  init(_ context: [String: Value], hasFailed: Bool = false) {
    self.context = context
    status = ["success": !hasFailed, "failure": hasFailed, "always": true, "cancelled": false]
  }

  /// Replaces the expressions in a text.
  func fill(_ text: String) throws -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "${{"), let end = rest[start.upperBound...].range(of: "}}") {
      result += rest[..<start.lowerBound]
      result += try value(of: String(rest[start.upperBound..<end.lowerBound])).text
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Evaluates an `if:`, with or without braces. Without a status function, it is also false after a failure.
  func condition(_ text: String?) throws -> Bool {
    guard let text else { return status["success"] == true }
    var inner = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if inner.hasPrefix("${{"), inner.hasSuffix("}}") { inner = String(inner.dropFirst(3).dropLast(2)) }
    let asks = ["success()", "failure()", "always()", "cancelled()"].contains { inner.contains($0) }
    if !asks, status["success"] != true { return false }
    return try value(of: inner).isTrue
  }

  func value(of text: String) throws -> Value {
    var parser = self
    parser.tokens = text.matches(of: /'(?:[^']|'')*'|==|!=|&&|\|\||[!().,]|\[|\]|\*|[A-Za-z0-9_-]+|\S/).map(
      \.output)
    let value = try parser.either()
    guard parser.tokens.isEmpty else { throw Failure(reason: "\(parser.tokens) is left of \(text)") }
    return value
  }

  private mutating func take(_ token: String) -> Bool {
    guard tokens.first.map(String.init) == token else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func either() throws -> Value {
    var value = try both()
    while take("||") {
      let other = try both()
      value = value.isTrue ? value : other
    }
    return value
  }

  private mutating func both() throws -> Value {
    var value = try comparison()
    while take("&&") {
      let other = try comparison()
      value = value.isTrue ? other : value
    }
    return value
  }

  private mutating func comparison() throws -> Value {
    let value = try term()
    if take("==") { return .flag(Value.areEqual(value, try term())) }
    if take("!=") { return .flag(!Value.areEqual(value, try term())) }
    return value
  }

  private mutating func term() throws -> Value {
    if take("!") { return .flag(!(try term()).isTrue) }
    if take("(") {
      let value = try either()
      guard take(")") else { throw Failure(reason: "a bracket is open") }
      return value
    }
    guard let token = tokens.first else { throw Failure(reason: "something is missing") }
    tokens.removeFirst()
    if token.hasPrefix("'") {
      return .text(token.dropFirst().dropLast().replacingOccurrences(of: "''", with: "'"))
    }
    let name = String(token)
    if take("(") {
      var arguments: [Value] = []
      while !take(")") {
        arguments.append(try either())
        _ = take(",")
      }
      return try call(name, arguments)
    }
    guard var value = context[name] else { throw Failure(reason: "there is no context \(name)") }
    while take(".") {
      guard let member = tokens.first else { throw Failure(reason: "a name is missing") }
      tokens.removeFirst()
      guard case .object(let members) = value else {
        value = .null
        continue
      }
      value = members[String(member)] ?? .null
    }
    return value
  }

  private func call(_ name: String, _ arguments: [Value]) throws -> Value {
    if let value = status[name] { return .flag(value) }
    switch (name, arguments.count) {
    case ("startsWith", 2):
      return .flag(arguments[0].text.lowercased().hasPrefix(arguments[1].text.lowercased()))
    case ("contains", 2):
      if case .list(let list) = arguments[0] {
        return .flag(list.contains { Value.areEqual($0, arguments[1]) })
      }
      return .flag(arguments[0].text.lowercased().contains(arguments[1].text.lowercased()))
    case ("fromJSON", 1): return Value(try JSONSerialization.jsonObject(with: Data(arguments[0].text.utf8)))
    default: throw Failure(reason: "there is no function \(name) with \(arguments.count) arguments here")
    }
  }
}
