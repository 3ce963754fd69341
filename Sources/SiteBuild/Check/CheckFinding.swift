/// A problem that `threadsite check` found, with its place and advice.
package struct CheckFinding: Sendable, Hashable {
  /// The kinds of problems. Their names are used in `check.ignore` and in the output for machines.
  package enum Kind: String, Sendable, CaseIterable {
    /// A link within the site to a missing file.
    case brokenLink = "broken-link"
    /// A link to an anchor that the page does not have.
    case brokenAnchor = "broken-anchor"
    /// A page that could not be read completely.
    case unreadPage = "unread-page"
    /// A feed or the sitemap that is not well-formed.
    case badFeed = "bad-feed"
    /// A file of the store that is not a valid conversation.
    case badFile = "bad-file"
    /// A thread refers to a picture, video or sound that is missing from the store or is not a valid media file.
    case missingMedia = "missing-media"
    /// Files of the media folder that no thread uses.
    case unusedMedia = "unused-media"
    /// Photos without smaller copies, because libvips is not installed.
    case unscaledPhotos = "unscaled-photos"
    /// A picture without a description.
    case noAlt = "no-alt"
    /// A thread with posts that are missing or may be missing.
    case incomplete
    /// The site exceeds a limit of a host.
    case hostLimit = "host-limit"
    /// An external link whose target no longer exists.
    case deadLink = "dead-link"
    /// An external link whose target has moved permanently.
    case movedLink = "moved-link"
    /// An external link whose state could not be determined.
    case unverifiedLink = "unverified-link"
    /// A difference between a manifest and the inputs of the site, or the files that they produce.
    case manifest
  }

  package enum Severity: String, Sendable {
    case error, warning, note
  }

  package let kind: Kind
  /// The path of the page or the file, below the site's or the store's folder.
  package let place: String
  /// The link or the picture that the finding concerns; empty if it concerns the place itself.
  package let subject: String
  package let message: String
  /// The page that shows the thread of a stored file, relative to the site's URL; `nil` for other places, and for threads without a page.
  package var page: String?
  /// Whether the subject is a file of the store's media folder.
  package var namesMedia = false

  package init(_ kind: Kind, at place: String, _ subject: String = "", _ message: String) {
    self.kind = kind
    self.place = place
    self.subject = subject
    self.message = message
  }

  package var severity: Severity {
    switch kind {
    case .brokenLink, .brokenAnchor, .unreadPage, .badFeed, .badFile, .missingMedia, .deadLink,
      .manifest:
      .error
    case .noAlt, .hostLimit, .movedLink: .warning
    case .unusedMedia, .unscaledPhotos, .incomplete, .unverifiedLink: .note
    }
  }
}

/// The result of `threadsite check`.
package struct CheckReport: Sendable {
  /// The findings that site.yml does not ignore, sorted by place.
  package internal(set) var findings: [CheckFinding] = []
  package internal(set) var ignored = 0
  package internal(set) var pages = 0
  package internal(set) var links = 0
  package internal(set) var externalLinks = 0
  package internal(set) var threads = 0
  package internal(set) var files = 0
  package internal(set) var bytes = 0

  package mutating func add(_ findings: [CheckFinding]) { self.findings += findings }

  package func count(of severity: CheckFinding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// The numbers of findings by kind, the most frequent kind first.
  package func kinds(of severity: CheckFinding.Severity) -> [(kind: CheckFinding.Kind, count: Int)] {
    CheckFinding.Kind.allCases.map { kind in
      (kind, findings.count { $0.kind == kind && $0.severity == severity })
    }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
  }
}
