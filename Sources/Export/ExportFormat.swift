import ExportFormats
import Foundation
import SiteBuild
import SiteWorkspace

/// A format of `threadsite export`, by its name on the command line. This is the only list of them: each has one case and one entry.
package enum ExportFormat: String, Sendable, CaseIterable {
  case epub, html, pdf, markdown, hugo, zola, astro, eleventy, jekyll
  case microBlog = "micro-blog"
  case wordpress, ghost, sqlite, ndjson

  var entry: FormatEntry {
    switch self {
    case .epub:
      entry(
        "an e-book with images", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in try work.writeEPUB(to: output) })
    case .html:
      entry(
        "a single HTML file with images", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in try work.writeHTML(to: output) })
    case .pdf:
      entry(
        "a printed book; needs the program weasyprint", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in
          try work.writePDF(to: output, environment: ProcessInfo.processInfo.environment)
        })
    case .markdown:
      entry(
        "a folder with a Markdown file and the media of each thread", defaultName: "threads-notes",
        .folder { (work, path) throws(PipelineError) in try work.writeNotes(to: path) })
    case .hugo: entry(for: .hugo)
    case .zola: entry(for: .zola)
    case .astro: entry(for: .astro)
    case .eleventy: entry(for: .eleventy)
    case .jekyll: entry(for: .jekyll)
    case .microBlog:
      entry(
        "a blog archive (.bar) for Micro.blog", defaultName: "threads.bar",
        .blog(BlogArchiveWriter.self, for: self))
    case .wordpress:
      entry(
        "a file for WordPress's importer (WXR)", defaultName: "threads.wxr.xml",
        .blog(WordPressWriter.self, for: self))
    case .ghost:
      entry(
        "a file for Ghost's importer", defaultName: "threads-ghost.zip", .blog(GhostWriter.self, for: self))
    case .sqlite:
      entry("an SQLite database with a full-text index", .records(DatabaseWriter.self))
    case .ndjson:
      entry("one line of JSON per post, for DuckDB and other programs", .records(PostLinesWriter.self))
    }
  }

  /// - Parameter defaultName: the name of the output if the user specifies none. It is not `threads`, which is the store.
  private func entry(
    _ summary: String, defaultName: String? = nil, isSelfContained: Bool = false,
    _ output: FormatEntry.Output
  ) -> FormatEntry {
    FormatEntry(
      summary: summary, defaultName: defaultName ?? "threads.\(rawValue)",
      isSelfContained: isSelfContained, output: output)
  }

  /// Posts for a site generator.
  private func entry(for preset: GeneratorPreset) -> FormatEntry {
    entry(
      "posts with media for a static site generator", defaultName: "threads-\(rawValue)",
      .folder { (work, path) throws(PipelineError) in
        try work.writePosts(to: path, for: preset, called: rawValue)
      })
  }

  /// Whether the export is a folder, and not a file.
  package var isFolder: Bool { if case .folder = entry.output { true } else { false } }

  /// Whether the export can be written to standard output.
  package var canBeStreamed: Bool { if case .stream = entry.output { true } else { false } }

  /// The name of the output if the user specifies none.
  package var defaultName: String { entry.defaultName }

  /// The list of all formats in the help, with an indentation of two spaces. Neighbors with the same description are one entry.
  package static var help: String {
    let width = (allCases.map(\.rawValue.count).max() ?? 0) + 2
    var lines: [(names: String, summary: String)] = []
    for format in allCases {
      let summary = format.entry.summary
      if let last = lines.last, last.summary == summary {
        lines[lines.count - 1].names += ", " + format.rawValue
      } else {
        lines.append((format.rawValue, summary))
      }
    }
    return lines.map { names, summary in
      let isLong = names.count + 2 > width
      let space = String(repeating: " ", count: isLong ? width + 2 : width - names.count)
      return "  " + names + (isLong ? "\n" : "") + space + summary
    }.joined(separator: "\n")
  }
}
