package import Basics
package import InterfaceText
package import ThreadModel

/// The media of a thread that the Markdown shows.
package enum MediaMode: Sendable {
  /// Only the store's copies: the page loads no media from elsewhere. Media without a copy are replaced by words and a link.
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
  /// An existential instead of a type parameter: it is called at most once per link, and generic code in another module is not specialized.
  package var links: any ThreadLinks
  /// Whether counters such as `1/12` are removed from the posts' texts, if the counters of all posts form one sequence.
  package var stripsCounters: Bool
  /// The links to archived copies of missing posts and dead pages; `nil` if the document has none.
  package var archived: ArchivedLinks?
  /// Whether templates get the author's name and picture for each post. `false` in feeds, which have no style sheet to make them small.
  package var repeatsBylines = true
  /// Whether each post ends with its number and its date. `false` in feeds, where a thread is read as one text.
  package var showsPermalinks = true
  /// Whether the document contains its title. `false` in feeds, because feed readers show the title above it.
  package var showsTitle = true
  /// Whether the header contains the author's picture, if the theme shows pictures of people.
  package var showsAvatars = true

  package init(
    media: MediaMode = .link, localization: Localization, calendar: SiteCalendar = .utc,
    links: any ThreadLinks = NetworkLinks(), stripsCounters: Bool = false
  ) {
    self.media = media
    self.localization = localization
    self.calendar = calendar
    self.links = links
    self.stripsCounters = stripsCounters
  }
}

/// The site's data about a thread, for the header and the front matter.
package struct ThreadMeta: Sendable {
  package var title: String
  package var tags: [String]
  /// The URL of the thread on its network.
  package var source: String?
  /// The last part of the page's URL.
  package var slug: String?
  /// A BCP 47 tag; `nil` for the language of most of the posts.
  package var language: String?
  /// The texts of the site's owner.
  package var words = OwnerTexts()
  /// The words of the thread from which the title was created; `nil` if it was created from other words.
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

/// A site owner's texts about a thread, as Markdown. The page shows them separately from the author's words.
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

extension OwnerTexts: Record {
  package static let fields = RecordFields(
    Self.init(introduction:afterword:notes:), \.introduction, \.afterword, \.notes)
}
