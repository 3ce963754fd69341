package import Basics

/// The HTML of a document in two values, so that a page can put content between them.
package struct DocumentHTML: Sendable, Equatable {
  /// The `<header>` with which the document begins; empty if it begins with anything else.
  package var header: UTF8Buffer
  /// Everything after the header.
  package var body: UTF8Buffer
  /// The lines of the Markdown, from 1, that contain markers, ascending.
  package var markerLines: [Int]

  package init(header: UTF8Buffer, body: UTF8Buffer, markerLines: [Int] = []) {
    self.header = header
    self.body = body
    self.markerLines = markerLines
  }

  /// The header and the body.
  package var whole: UTF8Buffer {
    guard !header.isEmpty else { return body }
    var whole = UTF8Buffer(capacity: header.count + body.count)
    whole.append(header)
    whole.append(body)
    return whole
  }
}
