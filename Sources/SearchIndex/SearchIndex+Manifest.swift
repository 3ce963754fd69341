import JSONText
import UTF8Text

extension SearchIndex {
  /// What a browser has to know before its first query.
  static func manifest(folder: String, documents: Int, firstTerms: [String]) -> [UInt8] {
    var writer = JSONWriter(.compact)
    writer.object { writer in
      writer.member("documents", documents)
      writer.member("folder", folder)
      writer.member("records", SearchRecord.perFile)
      writer.member("shards") { writer in
        writer.array { writer in for term in firstTerms { writer.string(term) } }
      }
      writer.member("version", version)
    }
    return writer.finish().bytes
  }
}
