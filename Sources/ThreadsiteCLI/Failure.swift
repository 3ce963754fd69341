import Basics

/// What a command says for machines when it fails (docs/schemas/): the same words as for people, and the exit code in a word.
struct Failure {
  /// `nil` where the command line was not understood.
  var command: String?
  /// The exit code.
  var code: Int32
  /// Each complete: what, where, what to do.
  var messages: [String]

  var json: [String: JSONValue] {
    [
      "error": [
        "command": command.map { .string($0) } ?? .null, "kind": .string(kind),
        "exit_code": .integer(Int64(code)), "messages": .array(messages.map { .string($0) }),
      ]
    ]
  }

  /// As a document of its own.
  var text: String { TextControls.escaped(json: JSONWriter.text(of: .object(json)).string) }

  /// The exit code in a word.
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
