import Basics

/// What a result shows before its text is fetched.
enum SearchRecord {
  /// Documents in one file of records. Results are scattered over a site, so that each of them mostly costs a file.
  static let perFile = 4
  /// Documents in one folder of records, which is named by them and their order, as in another one the same number would mean another document: so a new
  /// document changes the last folder alone.
  static let perFolder = 256

  /// `["title","x/ada/…/","Ada","2026-06-09","9 June 2026"]`
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
