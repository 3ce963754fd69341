package import Basics

/// The complete search index of a site: files that a browser reads piece by piece (docs/reference/search.md describes the format).
///
/// The same documents in the same order always produce the same bytes, however they were distributed among collectors.
package struct SearchIndex: Sendable {
  /// A file of the index, with its path relative to the folder of the search page.
  package struct File: Sendable {
    package let path: String
    package let bytes: [UInt8]
  }

  /// The files, with the manifest first.
  package let files: [File]
  /// The number of documents in the index.
  package let documents: Int

  /// The version of the format, which the script and the index must share.
  package static let version = 4

  /// The path of the file that a browser fetches first. The other files are named after their content, so that cached files of an older
  /// index are never mixed with a newer one, and the names of unchanged files stay the same.
  package static let manifestPath = "index.json"

  /// Combines the documents of all collectors, in memory.
  ///
  /// - Parameter order: see ``SearchIndexWriter``.
  package init(_ collectors: [SearchCollector], order: [String]) throws(FileError) {
    var writer = SearchIndexWriter(collectors, order: order)
    var files: [File] = []
    while let next = try writer.next() { files += next }
    self.files = files.suffix(1) + files.dropLast()
    documents = writer.documents
  }

  /// Returns the data that a browser needs before its first query, as JSON.
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

  /// The number of digits of a name.
  static let nameLength = 10

  /// Returns a name for content: hexadecimal digits of a hash.
  static func name(of bytes: [UInt8], _ other: String = "") -> String {
    let hash = ContentHash.value(other.utf8, seed: ContentHash.value([UInt8(version)]))
    return String(ContentHash.of([], seed: ContentHash.value(ofMany: bytes, seed: hash)).prefix(nameLength))
  }
}
