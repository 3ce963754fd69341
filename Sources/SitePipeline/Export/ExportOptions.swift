package import SiteConfig

/// What is taken along, and as what.
package struct ExportOptions: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case epub, html, markdown, sqlite

    /// What is written where nobody names a place; not `threads`, which is the store.
    package var defaultName: String {
      switch self {
      case .epub: "threads.epub"
      case .html: "threads.html"
      case .markdown: "threads-notes"
      case .sqlite: "threads.sqlite"
      }
    }
  }

  package var format: Format
  /// Single threads, each by the address of any of its author's posts; all others' where none is named.
  package var threads: [PostReference] = []
  /// The slug of a collection of site.yml.
  package var collection: String?
  /// A handle, with or without its `@`, or the address of an account.
  package var author: String?
  /// The year in which threads begin, as the site counts days.
  package var year: Int?
  /// A file, or a folder for Markdown, seen from the current folder; `nil` for standard output.
  package var output: String?
  /// Whether a folder is replaced that holds what no export wrote.
  package var replacesForeignOutput = false
  /// Whether threads that cannot be read are left out, instead of stopping the export.
  package var keepsGoing = false
  /// Threads of execution.
  package var jobs: Int

  package init(_ format: Format, jobs: Int) {
    self.format = format
    self.jobs = jobs
  }
}

/// What an export did.
package struct ExportSummary: Sendable {
  package internal(set) var threads = 0
  package internal(set) var posts = 0
  /// Pictures, and other media where the format takes them.
  package internal(set) var media = 0
  /// Of the media that are shown, those that nobody described.
  package internal(set) var missingAltTexts = 0
  /// Media that the format does not take, or that cannot be read: each with why.
  package internal(set) var mediaLeftOut: [String] = []
  /// Threads that are not in it, as something is wrong with them: each message complete.
  package internal(set) var leftOut: [String] = []
  /// Bytes of the file; 0 of a folder.
  package internal(set) var bytes = 0
  /// Absolute; `nil` for standard output.
  package internal(set) var output: String?
}
