import Basics

/// The data of a search result that is shown before its text is fetched.
enum SearchRecord {
  /// The number of documents in a file of records. Results are spread over the whole site, so each of them usually requires a separate
  /// file.
  static let perFile = 4
  /// The number of documents in a folder of records. The folder's name is a hash of its documents and their order, because the same number
  /// would otherwise mean a different document later. So a new document changes only the last folder.
  static let perFolder = 256

  /// Returns the names of the folders for the records of documents with these URLs.
  static func folders(of urls: [String]) -> [String] {
    stride(from: 0, to: urls.count, by: perFolder).map { start in
      let own = urls[start..<min(start + perFolder, urls.count)]
      return "r-" + SearchIndex.name(of: Array(own.joined(separator: "\n").utf8))
    }
  }

  /// Returns the path of the file with a document's record.
  static func path(of document: Int, in folders: [String]) -> String {
    "\(folders[document / perFolder])/\(document / perFile).json"
  }

  /// Returns a record such as `["title","x/ada/…/","Ada","2026-06-09","9 June 2026"]`.
  static func json(of document: SearchDocument) -> [UInt8] {
    var writer = JSONWriter(.compact)
    writer.array { writer in
      for text in [document.title, document.url, document.author, document.date, document.dateText] {
        writer.string(text)
      }
    }
    return writer.finish().bytes
  }
}
