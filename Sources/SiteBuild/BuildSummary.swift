package import Basics
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The result of a build in figures.
package struct BuildSummary: Sendable {
  package let threads: Int
  package let posts: Int
  package let pages: Int
  package let missingAltTexts: Int
  /// The number of threads left out because they are drafts.
  package let drafts: Int
  /// The number of threads left out because an entry of site.yml excludes them, or because no entry lists them.
  package let excluded: Int
  /// Threads, entries and profiles that are not on the site because of an error, if the build kept going.
  package let leftOut: [LeftOut]

  package struct LeftOut: Sendable, Equatable {
    /// The thread's file, relative to the store's folder; `nil` for an entry of site.yml or an author's profile.
    package let thread: String?
    /// Complete messages, each with the problem, its place, and the solution.
    package let messages: [String]
  }

  /// The number of threads that were rendered, and not reused from the last build.
  package var rendered = 0
  /// The number of threads that other processes rendered, if the build joined shards.
  package var fromShards = 0
  /// The number of photos of which this build made smaller copies.
  package var scaledPhotos = 0
  /// Files, relative to the store's folder, that have no page because they contain no post of the thread's author.
  package var empty: [String] = []
  /// Pages of threads that the site had before this build and no longer has, relative to the site's URL.
  package var pagesLeftOut: [String] = []
  /// Published pages that this site has at another URL, relative to the site's URL. Their published URLs redirect there.
  package var moved: [Move] = []

  package struct Move: Sendable, Equatable {
    package let from: String
    package let to: String

    package init(from: String, to: String) { (self.from, self.to) = (from, to) }
  }

  /// The output folder of the site.
  package let output: String
}

extension BuildSummary {
  /// The summary of a site that is complete and not yet in place.
  ///
  /// - Parameter previous: the URLs of the threads of the existing site; `nil` if they are unknown.
  init(of site: PreparedSite, after previous: Permalinks?) {
    let (index, figures) = (site.indexed.index, site.threads.figures)
    let failures = site.inputs.leftOut.sorted { $0.file < $1.file }
    self.init(
      threads: index.threads.count, posts: index.threads.reduce(0) { $0 + $1.postCount },
      pages: index.threads.count + site.indexed.pages.count + site.inputs.pages.pages.count
        + (site.indexed.renderer.hasSearch ? 1 : 0),
      missingAltTexts: site.media.missingAltTexts, drafts: figures.drafts, excluded: figures.excluded,
      leftOut: failures.map { LeftOut(thread: $0.file.path, messages: $0.error.messages) }
        + site.leftOut.map { LeftOut(thread: nil, messages: $0.messages) },
      rendered: figures.rendered, fromShards: figures.fromShards,
      scaledPhotos: site.rendering.worker.images?.newPhotos ?? 0, empty: figures.empty.sorted(),
      pagesLeftOut: BuiltPermalinks(of: site.context.site, site.context.options).pagesLeftOut(
        by: site.permalinks, after: previous, site.inputs.permalinks),
      moved: site.permalinks.moved.map { Move(from: $0.key.text, to: $0.value.text) }
        .sorted { $0.from < $1.from },
      output: site.context.site.output)
  }
}

extension BuildSummary: Record {
  package static let fields = RecordFields(
    Self.init, \.threads, \.posts, \.pages, \.missingAltTexts, \.drafts, \.excluded, \.leftOut, \.rendered,
    \.fromShards, \.scaledPhotos, \.empty, \.pagesLeftOut, \.moved, \.output)
}

extension BuildSummary.Move: Record {
  package static let fields = RecordFields(Self.init(from:to:), \.from, \.to)
}

extension BuildSummary.LeftOut: Record {
  package static let fields = RecordFields(Self.init, \.thread, \.messages)
}
