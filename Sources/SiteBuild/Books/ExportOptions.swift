package import SiteConfig

/// The threads to export.
package struct ExportOptions: Sendable {
  /// Single threads, each by the URL of any of its author's posts; empty for all threads.
  package var threads: [PostReference] = []
  /// The slug of a collection of site.yml.
  package var collection: String?
  /// A handle, with or without its `@`, or the URL of an account.
  package var author: String?
  /// The year in which threads begin, in the site's time zone.
  package var year: Int?
  /// The path of a file, or of a folder for formats that are folders, relative to the current folder; `nil` for standard output.
  package var output: String?
  /// Whether a folder may be replaced that contains files not written by an export.
  package var replacesForeignOutput = false
  /// Whether all notes (`markdown`) are in one folder, with a common folder for media, instead of one folder for each thread.
  package var isFlat = false
  /// Whether threads that cannot be read are left out, instead of stopping the export.
  package var keepsGoing = false
  /// The number of system threads.
  package var jobs: Int

  package init(jobs: Int) { self.jobs = jobs }
}

/// The result of an export.
package struct ExportSummary: Sendable {
  package var threads = 0
  package var posts = 0
  /// The number of pictures, and of other media if the format supports them.
  package var media = 0
  /// The number of shown media without a description.
  package var missingAltTexts = 0
  /// Media that the format does not support, or that cannot be read, each with the reason.
  package var mediaLeftOut: [String] = []
  /// Threads that were left out because of an error: complete messages.
  package var leftOut: [String] = []
  /// The size of the file in bytes; 0 for a folder.
  package var bytes = 0
  /// The absolute path; `nil` for standard output.
  package var output: String?

  package init() {}
}
