package import Basics

/// The finished index of a site: files that a browser reads piece by piece (docs/search.md has the format).
///
/// The same documents in the same order give the same bytes, however they were spread over collectors.
package struct SearchIndex: Sendable {
  /// A file of the index, by its path from the folder of the search page.
  package struct File: Sendable {
    package let path: String
    package let bytes: [UInt8]
  }

  /// The top of the index first.
  package let files: [File]
  /// Documents in it.
  package let documents: Int
  /// Terms in it, those of `from:` and `tag:` among them.
  package let terms: Int

  /// The number of the format, which script and index have to agree on.
  package static let version = 4

  /// The file that a browser fetches first. The others are named by their content, so that what a browser kept of an older index is never mixed
  /// with a newer one, and what has not changed stays as it is.
  package static let manifestPath = "index.json"

  /// Puts together what workers collected, in memory.
  ///
  /// - Parameter order: see ``SearchIndexWriter``.
  package init(_ collectors: [SearchCollector], order: [String]) throws(FileError) {
    var writer = SearchIndexWriter(collectors, order: order)
    var files: [File] = []
    while let next = try writer.next() { files += next }
    self.files = files.suffix(1) + files.dropLast()
    documents = writer.documents
    terms = writer.termCount
  }

  /// What a browser has to know before its first query.
  static func manifest(folders: [String], documents: Int, shards: [ShardWriter.Shard]) -> [UInt8] {
    var writer = JSONWriter(.compact)
    writer.object { writer in
      writer.member("documents", documents)
      writer.member("files") { writer in
        writer.array { writer in for shard in shards { writer.string(shard.name) } }
      }
      writer.member("folder", SearchRecord.perFolder)
      writer.member("folders") { writer in
        writer.array { writer in for folder in folders { writer.string(folder) } }
      }
      writer.member("records", SearchRecord.perFile)
      writer.member("shards") { writer in
        writer.array { writer in for shard in shards { writer.string(shard.firstTerm) } }
      }
      writer.member("version", version)
    }
    return writer.finish().bytes
  }

  /// A name for content: ten hexadecimal digits.
  static func name(of bytes: [UInt8], _ other: String = "") -> String {
    let hash = ContentHash.value(other.utf8, seed: ContentHash.value([UInt8(version)]))
    return String(ContentHash.of([], seed: ContentHash.value(ofMany: bytes, seed: hash)).prefix(10))
  }
}
