import SearchIndex

/// A small search index that Tests/Fuzz/search.mjs damages.
package enum SearchSample {
  /// The files of the index by their paths from the search page's folder, and the pages that it links to.
  package static func files() throws -> [(path: String, bytes: [UInt8])] {
    let documents = (0..<40).map { number in
      var document = SearchDocument(
        url: "x/ada/\(number)/", title: "Notes on lanterns, part \(number)", author: "Ada Example")
      document.authorNames = ["ada_example", "Ada Example"]
      document.tags = number % 3 == 0 ? ["harbour"] : []
      document.passages = [
        .init("Lanterns and ladders, part \(number) of many. The harbour is quiet, 静かな朝の東京."),
        .init("Somebody else wrote about whales.", .half),
      ]
      return document
    }
    var collector = SearchCollector()
    for (position, document) in documents.enumerated() { try collector.add(document, at: position) }
    let index = try SearchIndex([collector], order: documents.map(\.url))
    let page =
      "<!doctype html>\n<section class=\"post\" id=\"post-1\">\n<div class=\"post-text\">\n<p>Lanterns &amp; ladders</p>\n</div>\n</section>\n"
    return index.files.map { ($0.path, $0.bytes) }
      + documents.map { ("../\($0.url)index.html", Array(page.utf8)) }
  }
}
