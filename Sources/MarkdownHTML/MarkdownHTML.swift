import CCmark
package import UTF8Text

/// Markdown to the body of a page: libcmark parses, a walk over its tree writes.
///
/// Pairs of comment markers become sections, images and videos get what is known of them, links out get their `rel`, all
/// other raw HTML is dropped, and everything else is written as cmark writes it in its safe mode. The differences: a hard
/// line break is `<br>` without a newline behind it, since text is shown with its white space, and a destination whose
/// scheme is not on the list is no link at all.
///
/// The tree is walked by us rather than changed and given to cmark's renderer, because a class on a list item, a `<br>` or
/// the `rel` of a link would make custom nodes of most of it.
package enum MarkdownHTML {
  /// The longest document in bytes. cmark counts in 32 bits, and no thread is this long.
  package static let maximumLength = 16 << 20

  /// The version of libcmark that is linked.
  package static var cmarkVersion: (major: Int, minor: Int) {
    let version = Int(cmark_version())
    return (version >> 16 & 0xFF, version >> 8 & 0xFF)
  }

  /// Appends the HTML of `markdown` to `output`. On an error nothing is appended.
  package static func render(
    _ markdown: UnsafeBufferPointer<UInt8>, options: HTMLOptions = HTMLOptions(),
    into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try MarkdownLimits.check(markdown)
    let start = output.count
    // The buffer moves into the walk and back, so that it is never copied.
    var walk = HTMLWalk(output: output, options: options)
    output = UTF8Buffer()
    defer { output = walk.output }
    do throws(MarkdownHTMLError) {
      let document = try CmarkDocument(parsing: markdown)
      try walk.write(document)
    } catch {
      walk.output.bytes.removeSubrange(start...)
      throw error
    }
  }

  /// `render` for an array.
  package static func render(
    _ markdown: [UInt8], options: HTMLOptions = HTMLOptions(), into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options, into: &output)
    }
  }

  /// `render` for a part of an array, such as a document behind its front matter.
  package static func render(
    _ markdown: ArraySlice<UInt8>, options: HTMLOptions = HTMLOptions(), into output: inout UTF8Buffer
  ) throws(MarkdownHTMLError) {
    try markdown.withUnsafeBufferPointer { (bytes) throws(MarkdownHTMLError) in
      try render(bytes, options: options, into: &output)
    }
  }
}
