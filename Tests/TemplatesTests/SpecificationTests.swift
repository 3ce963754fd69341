import Basics
import Foundation
import Templates
import TestSupport
import Testing

/// The tests of the Mustache specification, which are kept beside the repository.
@Suite("The Mustache specification")
struct SpecificationTests {
  /// One test of the specification.
  struct Example: Sendable, CustomTestStringConvertible {
    let file: String
    let name: String
    let root: TemplateValue
    let sources: [TemplateSource]
    let expected: String

    var testDescription: String { "\(file): \(name)" }
  }

  @Test(
    "Every example renders as it says",
    .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"),
    arguments: examples)
  func example(_ example: Example) throws {
    let templates = try TemplateSet(kind: .html, example.sources, missingPartials: .empty)
    var output = UTF8Buffer()
    try templates.render("main template", root: example.root, into: &output)
    #expect(output.string == example.expected)
  }

  @Test("All files were read", .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func files() {
    #expect(Set(Self.examples.map(\.file)) == Set(Self.fileNames))
    #expect(Self.examples.count > 180)
  }

  static let fileNames = [
    "comments", "delimiters", "dynamic-names", "inheritance", "interpolation", "inverted", "partials",
    "sections",
  ]

  static let examples: [Example] = fileNames.flatMap { file -> [Example] in
    let url = ProjectFolders.sharedFixtures?.appending(path: "mustache/\(file).json")
    guard let path = url?.path, let data = FileManager.default.contents(atPath: path),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let tests = json["tests"] as? [[String: Any]]
    else { return [] }
    return tests.compactMap { test in
      guard let name = test["name"] as? String, let template = test["template"] as? String,
        let expected = test["expected"] as? String
      else { return nil }
      let partials = test["partials"] as? [String: String] ?? [:]
      let sources =
        [TemplateSource(name: "main template", file: "main", text: template)]
        + partials.sorted { $0.key < $1.key }.map {
          TemplateSource(name: $0.key, file: $0.key, text: $0.value)
        }
      return Example(
        file: file, name: name, root: value(test["data"] ?? NSNull()), sources: sources, expected: expected)
    }
  }

  /// Converts a JSON value to a template value. Templates have no decimals, so these become text.
  static func value(_ json: Any) -> TemplateValue {
    switch json {
    case let number as NSNumber where isBool(number): .bool(number.boolValue)
    case let number as NSNumber:
      number.doubleValue == number.doubleValue.rounded()
        ? .integer(number.intValue) : .text("\(number.doubleValue)")
    case let text as String: .text(text)
    case let list as [Any]: .list(list.map(value))
    case let fields as [String: Any]: .object(object(fields))
    default: .missing
    }
  }

  private static func object(_ fields: [String: Any]) -> TemplateObject {
    var object = TemplateObject()
    for (name, field) in fields { object[name] = value(field) }
    return object
  }

  private static func isBool(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
