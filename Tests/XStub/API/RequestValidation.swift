import Foundation

/// A problem of one parameter, in the words of X.
struct ParameterProblem: Hashable, Sendable {
  var parameter: String
  var value: String
  var message: String
}

/// The validation of a request's parameters by the rules of its endpoint.
struct RequestValidation {
  var endpoint: StubEndpoint

  /// Returns all problems; an empty array if the request is valid.
  func problems(argument: String?, items: [QueryItem]) -> [ParameterProblem] {
    let rules = ParameterRule.rules(for: endpoint)
    var problems = problems(ofArgument: argument)
    var seen: Set<String> = []
    for item in items {
      guard let rule = rules[item.name] else {
        let known = rules.keys.sorted().joined(separator: ",")
        problems.append(problem(item, "The query parameter [\(item.name)] is not one of [\(known)]"))
        continue
      }
      if !seen.insert(item.name).inserted {
        problems.append(problem(item, "The query parameter [\(item.name)] is given twice"))
      }
      if let message = message(about: item, rule.kind) { problems.append(problem(item, message)) }
    }
    for (name, rule) in rules.sorted(by: { $0.key < $1.key }) where rule.isRequired && !seen.contains(name) {
      let message = "The `\(name)` query parameter can not be empty"
      problems.append(ParameterProblem(parameter: name, value: "", message: message))
    }
    return problems
  }

  private func problem(_ item: QueryItem, _ message: String) -> ParameterProblem {
    ParameterProblem(parameter: item.name, value: item.value, message: message)
  }

  private func problems(ofArgument argument: String?) -> [ParameterProblem] {
    guard let argument else { return [] }
    let isName = endpoint == .userByName
    let isValid = isName ? Self.isUsername(argument) : StubID(argument) != nil
    let name = isName ? "username" : "id"
    let message = "The `\(name)` query parameter value [\(argument)] is not valid"
    return isValid ? [] : [ParameterProblem(parameter: name, value: argument, message: message)]
  }

  /// Returns whether a text matches `^[A-Za-z0-9_]{1,15}$`.
  static func isUsername(_ text: String) -> Bool {
    (1...15).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private func message(about item: QueryItem, _ kind: ParameterRule.Kind) -> String? {
    let value = item.value
    let subject = "The `\(item.name)` query parameter value [\(value)]"
    let list = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch kind {
    case .ids:
      if list.count > 100 { return "size must be between 1 and 100" }
      return list.first { StubID($0) == nil }.map { "The `ids` query parameter value [\($0)] is not valid" }
    case .names(let names):
      if Set(list).count < list.count { return "\(subject) names something twice" }
      let known = names.sorted().joined(separator: ",")
      return list.first { !names.contains($0) }.map {
        "The `\(item.name)` query parameter value [\($0)] is not one of [\(known)]"
      }
    case .integer(let range):
      let number = Int(value)
      return number.map(range.contains) == true
        ? nil : "\(subject) is not between \(range.lowerBound) and \(range.upperBound)"
    case .time: return Date(stubTime: value) == nil ? "\(subject) is not a valid RFC3339 date-time" : nil
    case .id: return StubID(value) == nil ? "\(subject) is not valid" : nil
    case .text(let limit):
      return (1...limit).contains(value.unicodeScalars.count)
        ? nil : "\(subject) has to be 1 to \(limit) characters long"
    case .token(let length): return value.utf8.count < length ? "\(subject) is not valid" : nil
    case .choice(let names): return names.contains(value) ? nil : "\(subject) is not one of \(names.sorted())"
    }
  }
}
