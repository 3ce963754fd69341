package import ThreadModel

/// Which of a thread's media the Markdown shows.
package enum MediaMode: Sendable {
  /// Only the store's copies: the page loads no media from elsewhere. Media without a copy are shown as words and a link.
  case mirror
  /// Pictures and videos are shown from the store's copy, or else from the network.
  case link
  /// No media, only alternative text and a link.
  case none
}

/// The options on which a thread's Markdown depends.
package struct MarkdownOptions: Sendable {
  package var media: MediaMode
  /// The site's wording.
  package var localization: Localization
  package var calendar: SiteCalendar
  /// Returns the page's address of a file of the store's media folder (`Media.file`, `LinkCard.imageFile` …), such as `../../media/<name>`. The
  /// result is trusted; names that could leave that folder are never passed.
  package var mediaURL: @Sendable (String) -> String
  /// Returns the address of a post for which the network gave none, from its id and its author's handle.
  package var postURL: @Sendable (PostID, String?) -> String?
  /// Returns this site's address for the target of a link in a post's text; `nil` if the target is not on this site. Trusted.
  package var linkURL: @Sendable (String) -> String?
  /// Returns this site's address of a post that another one quotes or answers; `nil` if the site does not show it. Trusted.
  package var pageURL: @Sendable (Post) -> String?
  /// This site's address of the thread's author; `nil` if the site has no page for the author. Trusted.
  package var authorURL: String?
  /// Returns this site's address of a quoted post that the thread's own conversation lacks; `nil` if the site does not show it. Trusted.
  package var missingURL: @Sendable (Tombstone) -> String? = { _ in nil }
  /// Returns this site's address of a mentioned account, from its address on the network; `nil` if the site has no page for it. Trusted.
  package var mentionURL: @Sendable (String) -> String? = { _ in nil }
  /// Returns this site's address of the author of a post that the thread quotes or answers; `nil` if the site has no page for them. Trusted.
  package var profileURL: @Sendable (Author) -> String? = { _ in nil }
  /// Returns this site's list of threads with a tag; `nil` if the site has no page for the tag. Trusted.
  package var tagURL: @Sendable (String) -> String? = { _ in nil }
  /// Whether counters such as `1/12` are removed from the posts' texts, if the counters of all posts form one sequence.
  package var stripsCounters: Bool
  /// Whether templates get the author's name and picture for each post; not in feeds, which have no style sheet to make them small.
  package var repeatsBylines = true
  /// Whether each post ends with its number and its date; not in feeds, where a thread is read as one text.
  package var showsPermalinks = true
  /// Whether the document contains its title; not in feeds, as feed readers show the title above it.
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

/// The site's data about a thread, for the header and the front matter.
package struct ThreadMeta: Sendable {
  package var title: String
  package var tags: [String]
  /// The address of the thread on its network.
  package var source: String?
  /// The last part of the page's address.
  package var slug: String?
  /// A BCP 47 tag; `nil` for the language of most of the posts.
  package var language: String?
  /// The texts of the site's owner.
  package var words = OwnerTexts()
  /// The words of the thread from which the title was made; `nil` if it was not made from any.
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

/// A site owner's texts about a thread: Markdown, which the page shows apart from the author's words.
package struct OwnerTexts: Sendable, Hashable {
  package var introduction: String?
  package var afterword: String?
  /// Texts after single posts.
  package var notes: [PostID: String] = [:]

  package init(introduction: String? = nil, afterword: String? = nil, notes: [PostID: String] = [:]) {
    self.introduction = introduction
    self.afterword = afterword
    self.notes = notes
  }

  package var isEmpty: Bool { introduction == nil && afterword == nil && notes.isEmpty }

  /// All texts, in a fixed order.
  package var texts: [String] {
    [introduction, afterword].compactMap(\.self) + notes.sorted { $0.key < $1.key }.map(\.value)
  }
}
