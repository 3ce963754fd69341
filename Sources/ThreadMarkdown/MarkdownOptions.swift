package import ThreadModel

/// What of a thread's media the Markdown shows.
package enum MediaMode: Sendable {
  /// The store's copies and nothing else: a page made of this loads nothing from elsewhere. What has no copy is words and a link.
  case mirror
  /// Pictures and videos are shown from where they are kept: the store's copy, else the network.
  case link
  /// No picture anywhere: alternative text, and a link.
  case none
}

/// What a thread's Markdown depends on beside the thread.
package struct MarkdownOptions: Sendable {
  package var media: MediaMode
  /// The words that are not of the thread.
  package var localization: Localization
  package var calendar: SiteCalendar
  /// Where the page finds a file of the store's media folder (`Media.file`, `LinkCard.imageFile` …), such as
  /// `../../media/<name>`; trusted, and never asked for a name that could leave that folder.
  package var mediaURL: @Sendable (String) -> String
  /// Where a post whose address the network did not give is found, from its id and its author's handle.
  package var postURL: @Sendable (PostID, String?) -> String?
  /// Where this site shows what a link in a post's text leads to; `nil` for all that is elsewhere. Trusted.
  package var linkURL: @Sendable (String) -> String?
  /// Where this site shows a post that another quotes or answers; `nil` where it does not. Trusted.
  package var pageURL: @Sendable (Post) -> String?
  /// Where this site shows the thread's author; `nil` where it does not. Trusted.
  package var authorURL: String?
  /// Where this site shows a quoted post that the thread's own conversation lacks; `nil` where it does not. Trusted.
  package var missingURL: @Sendable (Tombstone) -> String? = { _ in nil }
  /// Where this site shows the account that a mention leads to, by its address on its network; `nil` where it does not. Trusted.
  package var mentionURL: @Sendable (String) -> String? = { _ in nil }
  /// Where this site shows who wrote a post that the thread quotes or answers; `nil` where it does not. Trusted.
  package var profileURL: @Sendable (Author) -> String? = { _ in nil }
  /// Where this site lists threads with a tag; `nil` for tags that it has no page of. Trusted.
  package var tagURL: @Sendable (String) -> String? = { _ in nil }
  /// Whether `1/12` is taken from the posts' texts, where the counters of all posts form one sequence.
  package var stripsCounters: Bool
  /// Whether posts are given their author's name and picture each, where templates show them; not in feeds, which have no
  /// style sheet to make them small.
  package var repeatsBylines = true
  /// Whether each post ends with its place and its date; not in feeds, where a thread is read as one text.
  package var showsPermalinks = true
  /// Whether the document bears its title; not in feeds, whose readers show it above.
  package var showsTitle = true

  package init(
    media: MediaMode = .link, localization: Localization, calendar: SiteCalendar = .utc,
    mediaURL: @escaping @Sendable (String) -> String = { $0 },
    postURL: @escaping @Sendable (PostID, String?) -> String? = { _, _ in nil },
    linkURL: @escaping @Sendable (String) -> String? = { _ in nil },
    pageURL: @escaping @Sendable (Post) -> String? = { _ in nil }, stripsCounters: Bool = false
  ) {
    self.media = media
    self.localization = localization
    self.calendar = calendar
    self.mediaURL = mediaURL
    self.postURL = postURL
    self.linkURL = linkURL
    self.pageURL = pageURL
    self.stripsCounters = stripsCounters
  }
}

/// What the site says about a thread: for the header and the front matter.
package struct ThreadMeta: Sendable {
  package var title: String
  package var tags: [String]
  /// The thread on its network.
  package var source: String?
  /// The last part of the page's address.
  package var slug: String?
  /// BCP 47; `nil` for what most of the posts are written in.
  package var language: String?
  /// What the site's owner has to say.
  package var words = OwnersWords()
  /// The words of the thread that the title is; `nil` where it was not made of any.
  package var titleSource: ThreadTitle.Source?

  package init(
    title: String, tags: [String] = [], source: String? = nil, slug: String? = nil, language: String? = nil
  ) {
    self.title = title
    self.tags = tags
    self.source = source
    self.slug = slug
    self.language = language
  }
}

/// What a site's owner has to say of a thread: Markdown of theirs, which stands apart from the author's words on the page.
package struct OwnersWords: Sendable, Hashable {
  package var introduction: String?
  package var afterword: String?
  /// Behind single posts.
  package var notes: [PostID: String] = [:]

  package init(introduction: String? = nil, afterword: String? = nil, notes: [PostID: String] = [:]) {
    self.introduction = introduction
    self.afterword = afterword
    self.notes = notes
  }

  package var isEmpty: Bool { introduction == nil && afterword == nil && notes.isEmpty }

  /// All of them, in an order that does not change.
  package var texts: [String] {
    [introduction, afterword].compactMap(\.self) + notes.sorted { $0.key < $1.key }.map(\.value)
  }
}
