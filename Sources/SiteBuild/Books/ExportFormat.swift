package import ExportFormats

/// A format of `threadsite export`, by its name on the command line.
package enum ExportFormat: String, Sendable, CaseIterable {
  case epub, html, pdf, markdown, hugo, astro, eleventy, zola, jekyll
  case microBlog = "micro-blog"
  case wordpress, ghost, sqlite, ndjson

  /// The site generator that the format is for.
  package var generator: GeneratorPreset? {
    switch self {
    case .hugo: .hugo
    case .astro: .astro
    case .eleventy: .eleventy
    case .zola: .zola
    case .jekyll: .jekyll
    case .epub, .html, .pdf, .markdown, .microBlog, .wordpress, .ghost, .sqlite, .ndjson: nil
    }
  }

  /// Whether the export is a folder, and not a file.
  package var isFolder: Bool { self == .markdown || generator != nil }

  /// Whether the export can be written to standard output. SQLite writes its file in place.
  package var canBeStreamed: Bool { !isFolder && self != .sqlite }

  /// The name of the output if the user specifies none. It is not `threads`, which is the store.
  package var defaultName: String {
    switch self {
    case .markdown: "threads-notes"
    case .hugo, .astro, .eleventy, .zola, .jekyll: "threads-\(rawValue)"
    case .microBlog: "threads.bar"
    case .wordpress: "threads.wxr.xml"
    case .ghost: "threads-ghost.zip"
    case .epub, .html, .pdf, .sqlite, .ndjson: "threads.\(rawValue)"
    }
  }
}
