/// Something that `threadsite check` found: what, where, and what to do about it.
package struct CheckFinding: Sendable, Hashable {
  /// What kinds of things are looked for; the names stand in `check.ignore` and in the output for machines.
  package enum Kind: String, Sendable, CaseIterable {
    /// A link within the site to a file that is not there.
    case brokenLink = "broken-link"
    /// A link to a place in a page that the page does not have.
    case brokenAnchor = "broken-anchor"
    /// A page that could not be read to its end.
    case unreadPage = "unread-page"
    /// A feed or the sitemap is not well formed.
    case badFeed = "bad-feed"
    /// A file of the store that is none.
    case badFile = "bad-file"
    /// A thread mentions a picture, video or sound that the store does not have, or that is none.
    case missingMedia = "missing-media"
    /// Files of the media folder that nothing mentions.
    case unusedMedia = "unused-media"
    /// A picture that nobody described.
    case noAlt = "no-alt"
    /// A thread of which posts are, or may be, missing.
    case incomplete
    /// More than a host takes.
    case hostLimit = "host-limit"
    /// A link out of the site that leads nowhere.
    case deadLink = "dead-link"
    /// A link out of the site whose target has moved for good.
    case movedLink = "moved-link"
    /// A link out of the site that could not be told.
    case untoldLink = "untold-link"
  }

  package enum Severity: String, Sendable {
    case error, warning, note
  }

  package let kind: Kind
  /// The page, or the file, without the site's or the store's folder.
  package let place: String
  /// The link, the picture: what the finding is about; empty where that is the place itself.
  package let subject: String
  package let message: String

  package init(_ kind: Kind, at place: String, _ subject: String = "", _ message: String) {
    self.kind = kind
    self.place = place
    self.subject = subject
    self.message = message
  }

  package var severity: Severity {
    switch kind {
    case .brokenLink, .brokenAnchor, .unreadPage, .badFeed, .badFile, .missingMedia, .deadLink: .error
    case .noAlt, .hostLimit, .movedLink: .warning
    case .unusedMedia, .incomplete, .untoldLink: .note
    }
  }
}

/// What `threadsite check` found.
package struct CheckReport: Sendable {
  /// Those that site.yml does not ignore, sorted by place.
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
}
