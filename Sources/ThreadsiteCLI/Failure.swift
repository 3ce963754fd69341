import Basics

/// The JSON output of a command that fails (docs/schemas/): the same messages as for people, and the exit code as a word.
struct Failure {
  /// `nil` if the command line was invalid.
  var command: String?
  /// The exit code.
  var code: Int32
  /// Complete messages: the problem, its place, and the solution.
  var messages: [String]

  var json: [String: JSONValue] {
    [
      "error": [
        "command": command.map { .string($0) } ?? .null, "kind": .string(kind),
        "exit_code": .integer(Int64(code)), "messages": .array(messages.map { .string($0) }),
      ]
    ]
  }

  /// As a separate document.
  var text: String { TextControls.escaped(json: JSONWriter.text(of: .object(json)).string) }

  /// The exit code as a word.
  private var kind: String {
    switch code {
    case 64: "usage"
    case 65: "content"
    case 69: "network"
    case 74: "io"
    case 75: "quota"
    case 77: "access"
    case 78: "configuration"
    case 130: "interrupted"
    default: "other"
    }
  }
}
