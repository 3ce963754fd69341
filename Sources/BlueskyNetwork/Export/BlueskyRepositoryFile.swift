import NetworkSources
package import ThreadModel

/// The readers of repositories without a file: what is given to them, they take or refuse.
package enum BlueskyRepositoryFile {
  /// All threads in a CAR file, single posts among them; `nil` for what is none.
  package static func conversations(in bytes: [UInt8]) -> [Conversation]? {
    guard let repository = try? BlueskyRepository(CARFile(bytes)),
      let survey = try? SurveyedBlueskyExport(path: "repo.car", repository: repository)
    else { return nil }
    var choice = ExportChoice()
    choice.minPosts = 1
    var result: [Conversation] = []
    guard let plan = try? survey.plan(choice, conversationOf: { _ in nil }),
      (try? plan.conversations(files: [:], emit: { result.append($0) })) != nil
    else { return nil }
    return result
  }

  /// How many values a block of DAG-CBOR holds; 0 for what is none.
  package static func parts(of bytes: [UInt8]) -> Int {
    func count(_ value: DAGCBORValue) -> Int {
      switch value {
      case .array(let elements): elements.reduce(1) { $0 + count($1) }
      case .map(let members): members.values.reduce(1) { $0 + count($1) }
      default: 1
      }
    }
    return (try? DAGCBORValue(bytes[...])).map(count) ?? 0
  }
}
