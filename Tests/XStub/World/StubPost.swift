package import Foundation

/// One version of a post.
package struct StubPost: Sendable {
  package var id: StubID
  package var author: StubID
  package var text: StubText
  /// The full text of a long post; the stub then cuts `text` as X does.
  package var note: StubText?
  package var lang = "en"
  package var conversation: StubID
  package var replyTo: StubID?
  package var replyToUser: StubID?
  package var quotes: StubID?
  package var reposts: StubID?
  package var media: [StubMedia] = []
  /// The t.co URL that all media of the post share.
  package var mediaLink: String?
  package var quoteLink: String?
  package var poll: StubPoll?
  package var article: StubArticle?
  /// The IDs of all versions of this post, including this one, the oldest first.
  package var history: [StubID]
  package var sensitive = false
  package var replySettings = "everyone"
  package var source = "X Web App"
  package var community: StubID?
  package var withheld: StubWithheld?
  package var isDeleted = false
  /// The reason why the post cannot be read, other than the state of its author or its deletion.
  package var hidden: StubHiding?

  package var createdAt: Date { id.date }
  package var isLatestVersion: Bool { history.last == id }
  package var isReply: Bool { replyTo != nil }
}

/// The reasons for a partial error, by the last part of the problem's type.
package enum StubHiding: String, Sendable, CaseIterable {
  case notFound = "resource-not-found"
  case notAuthorized = "not-authorized-for-resource"
  case unavailable = "resource-unavailable"
  case disallowed = "disallowed-resource"
}

/// The withholding of a post in some countries, which replaces its text.
package struct StubWithheld: Sendable {
  package var countries: [String]
  package var copyright = false
  /// Whether the whole account is withheld, and not only the post.
  package var wholeUser = false
  package init(countries: [String], copyright: Bool = false, wholeUser: Bool = false) {
    self.countries = countries
    self.copyright = copyright
    self.wholeUser = wholeUser
  }
}

/// A long-form article. X's response for articles is not documented; title and preview are an assumption.
package struct StubArticle: Sendable {
  package var title: String
  package var preview: String
  package var cover: StubMedia?
  package init(title: String, preview: String, cover: StubMedia? = nil) {
    self.title = title
    self.preview = preview
    self.cover = cover
  }
}

/// A poll with 2–4 options.
package struct StubPoll: Sendable {
  package struct Option: Sendable {
    package var label: String
    package var votes: Int
    package init(_ label: String, votes: Int) {
      self.label = label
      self.votes = votes
    }
  }
  package var id: StubID = 0
  package var options: [Option]
  package var minutes: Int
  /// The indices of the options in the order of the response, which can differ from that of their positions.
  package var arrivalOrder: [Int]?

  package init(_ options: [Option], minutes: Int = 1440, arrivalOrder: [Int]? = nil) {
    self.options = options
    self.minutes = minutes
    self.arrivalOrder = arrivalOrder
  }

  /// The end of the poll, `minutes` after the creation of its ID, which is just before its post.
  package var end: Date { id.date.addingTimeInterval(Double(minutes) * 60) }
}
