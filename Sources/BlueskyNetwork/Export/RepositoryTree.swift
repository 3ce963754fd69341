import UTF8Text

/// The records of a repository by their keys, as its tree names them (a Merkle search tree).
struct RepositoryTree {
  /// `<collection>/<key>`, sorted, and the record's block.
  private(set) var entries: [(key: String, record: ContentID)] = []

  private static let longestKey = 8192

  /// Walks the tree in order, every node once: one that is reached twice would repeat its keys, and a small file could name more of
  /// them than anybody could read.
  ///
  /// - Parameter isWanted: whether a record's key is kept.
  init(_ root: ContentID, in file: CARFile, where isWanted: (String) -> Bool) throws(DAGCBORError) {
    enum Step {
      case node(ContentID)
      case record([UInt8], ContentID)
    }
    var steps: [Step] = [.node(root)]
    var visited: Set<ContentID> = []
    var last: [UInt8]?
    while let step = steps.popLast() {
      switch step {
      case .record(let key, let record):
        if let last, !last.lexicographicallyPrecedes(key) {
          throw DAGCBORError("the tree's keys are out of order")
        }
        last = key
        // A key that is no text, or no path, is of no record that anybody reads.
        guard let text = String(validating: key, as: UTF8.self), isWanted(text) else { continue }
        entries.append((text, record))
      case .node(let id):
        guard visited.insert(id).inserted else {
          throw DAGCBORError("the tree leads to one of its nodes twice")
        }
        guard let block = try file.block(id) else {
          throw DAGCBORError("a node of the tree is missing: the file is not whole")
        }
        let node = try DAGCBORValue(block)
        var inside: [Step] = []
        if let left = node["l"]?.link { inside.append(.node(left)) }
        guard let list = node["e"]?.array else { throw DAGCBORError("a node of the tree has no entries") }
        var before: [UInt8] = []
        for entry in list {
          guard let shared = entry["p"]?.integer, let rest = entry["k"]?.bytes, let record = entry["v"]?.link,
            shared >= 0, shared <= before.count, Int(shared) + rest.count <= Self.longestKey
          else { throw DAGCBORError("an entry of the tree is not what it should be") }
          before = Array(before.prefix(Int(shared))) + rest
          inside.append(.record(before, record))
          if let right = entry["t"]?.link { inside.append(.node(right)) }
        }
        steps += inside.reversed()
      }
    }
  }
}
