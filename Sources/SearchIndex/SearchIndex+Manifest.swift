import JSONText
import UTF8Text

extension SearchIndex {
  /// What a browser has to know before its first query.
  static func manifest(recordsFolder: String, documents: Int, shards: [ShardWriter.Shard]) -> [UInt8] {
    var writer = JSONWriter(.compact)
    writer.object { writer in
      writer.member("documents", documents)
      writer.member("files") { writer in
        writer.array { writer in for shard in shards { writer.string(shard.name) } }
      }
      writer.member("folder", recordsFolder)
      writer.member("records", SearchRecord.perFile)
      writer.member("shards") { writer in
        writer.array { writer in for shard in shards { writer.string(shard.firstTerm) } }
      }
      writer.member("version", version)
    }
    return writer.finish().bytes
  }
}
