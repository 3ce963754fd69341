package import Basics
package import MarkdownHTML

/// A thread as one CommonMark document, with data that HTML needs and Markdown cannot express.
package struct ThreadDocument: Sendable, Equatable {
  /// YAML front matter, a blank line, and the body with the markers of components. Ends with a newline.
  package var markdown: UTF8Buffer
  /// The offset of the body in `markdown`, in bytes.
  package var bodyStart: Int
  /// The BCP 47 tag in the front matter; `nil` if unknown.
  package var language: String?
  /// The known facts of images and videos, by their URL as it reads in the Markdown's destination after unescaping.
  package var media: [String: MediaFacts]
  /// The URLs of the sounds among them, each once, in the order of the document.
  package var sounds: [String] = []
  /// The hosts (`pbs.twimg.com`) of all external media that the page loads by https, sorted, for its Content-Security-Policy. Each is an
  /// ASCII host in lower case, optionally with a port.
  package var externalMediaHosts: [String]
  /// Whether the heading consists of the first words of the first post, which are then not repeated in the post.
  package var headingIsText = false
  /// The number of pictures, each counted once, without a description by their author.
  package var missingAltTexts: Int

  /// The Markdown after the front matter.
  package var body: ArraySlice<UInt8> { markdown.bytes[bodyStart...] }

  /// Returns the document without the markers of components, for readers.
  ///
  /// - Parameter html: the HTML of the body.
  package func published(with html: DocumentHTML) -> UTF8Buffer {
    var published = UTF8Buffer(capacity: markdown.count)
    published.append(markdown.bytes[..<bodyStart])
    MarkerRemoval.append(body, without: html.markerLines, to: &published)
    return published
  }
}
