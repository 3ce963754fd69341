import ExportFormats
import Foundation
package import SiteBuild
import SiteWorkspace

/// The description of a format in the help, and the function that writes it.
struct FormatEntry {
  typealias Writing<Path> = (ExportWork, Path) throws(PipelineError) -> ExportSummary

  enum Output {
    /// To a file or, without a path, to standard output.
    case stream(Writing<String?>)
    /// To a path only.
    case path(Writing<String>)

    static func blog<Writer: BlogWriter & ~Copyable>(_ writer: Writer.Type) -> Output {
      .stream { (work, output) throws(PipelineError) in try work.writeBlog(writer, to: output) }
    }

    static func records<Writer: RecordsWriter & ~Copyable>(_ writer: Writer.Type) -> Output {
      .stream { (work, output) throws(PipelineError) in try work.writeRecords(writer, to: output) }
    }
  }

  /// The formats with this entry, as the help lists them.
  let names: String
  /// A phrase without a full stop.
  let summary: String
  /// Whether the output loads nothing from other files or hosts.
  let isSelfContained: Bool
  let output: Output

  init(_ names: String, _ summary: String, isSelfContained: Bool = false, _ output: Output) {
    self.names = names
    self.summary = summary
    self.isSelfContained = isSelfContained
    self.output = output
  }

  /// Posts for a site generator.
  init(_ preset: GeneratorPreset) {
    self.init(
      "hugo, zola, astro, eleventy, jekyll", "posts with media for a static site generator",
      .path { (work, path) throws(PipelineError) in try work.writePosts(to: path, for: preset) })
  }
}

extension ExportFormat {
  var entry: FormatEntry {
    switch self {
    case .epub:
      FormatEntry(
        rawValue, "an e-book with images", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in try work.writeEPUB(to: output) })
    case .html:
      FormatEntry(
        rawValue, "a single HTML file with images", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in try work.writeHTML(to: output) })
    case .pdf:
      FormatEntry(
        rawValue, "a printed book; needs the program weasyprint", isSelfContained: true,
        .stream { (work, output) throws(PipelineError) in
          try work.writePDF(to: output, environment: ProcessInfo.processInfo.environment)
        })
    case .markdown:
      FormatEntry(
        rawValue, "a folder with a Markdown file and the media of each thread",
        .path { (work, path) throws(PipelineError) in try work.writeNotes(to: path) })
    case .hugo: FormatEntry(.hugo)
    case .astro: FormatEntry(.astro)
    case .eleventy: FormatEntry(.eleventy)
    case .zola: FormatEntry(.zola)
    case .jekyll: FormatEntry(.jekyll)
    case .microBlog:
      FormatEntry(rawValue, "a blog archive (.bar) for Micro.blog", .blog(BlogArchiveWriter.self))
    case .wordpress:
      FormatEntry(rawValue, "a file for WordPress's importer (WXR)", .blog(WordPressWriter.self))
    case .ghost: FormatEntry(rawValue, "a file for Ghost's importer", .blog(GhostWriter.self))
    case .sqlite:
      FormatEntry(
        rawValue, "an SQLite database with a full-text index",
        .path { (work, path) throws(PipelineError) in try work.writeRecords(DatabaseWriter.self, to: path) })
    case .ndjson:
      FormatEntry(
        rawValue, "one line of JSON per post, for DuckDB and other programs", .records(PostLinesWriter.self))
    }
  }

  /// The list of all formats in the help, with an indentation of two spaces.
  package static var help: String {
    let width = (allCases.map(\.rawValue.count).max() ?? 0) + 2
    var listed: Set<String> = []
    return allCases.map(\.entry).filter { listed.insert($0.names).inserted }.map { entry in
      let names = "  " + entry.names
      let isLong = entry.names.count + 2 > width
      let space = String(repeating: " ", count: isLong ? width + 2 : width - entry.names.count)
      return names + (isLong ? "\n" : "") + space + entry.summary
    }.joined(separator: "\n")
  }
}
