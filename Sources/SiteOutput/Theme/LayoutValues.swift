package import Templates

/// The values that each layout receives, by their names. docs/reference/theming.md describes them.
///
/// A theme that names any other value is an error. Tests compare the names with the values of built pages, and with the documentation.
package enum LayoutValues {
  /// The values of every layout, and of partials that are rendered on their own, by the name of the template.
  package static let all: [String: ValueShape] = [
    "thread": thread,
    "thread-related": related,
    "thread-web-replies": webReplies,
    "home": home,
    "author": list.adding(
      .object(
        "has_liked",
        ["author": profile, "book": link, "statistics": link, "feed": feed, "liked": namedThread])),
    "authors": index.adding(.object("", ["authors": author])),
    "tag": list.adding(.object("", ["tag": tag, "feed": feed])),
    "tags": index.adding(.object("", ["tags": tag])),
    "archive": index.adding(
      .object("shows_author has_titles", ["years": archiveYear, "statistics": link])),
    "period": list.adding(.object("", ["period": period])),
    "collections": index.adding(.object("", ["collections": collection])),
    "collection": list.adding(
      .object("", ["collection": collection, "book": link, "feed": feed])),
    "statistics": index.adding(.object("", ["statistics": statistics])),
    "search": search,
    "page": page.adding(.object("body")),
    "404": index,
  ]

  /// All names, split at full stops.
  package static let names: Set<String> = all.values.reduce(into: []) { $0.formUnion($1.names) }

  // MARK: - Parts

  private static let link = ValueShape.object("url")
  private static let namedLink = ValueShape.object("name url")
  private static let date = ValueShape.object("iso text")
  private static let feed = ValueShape.object("title url")
  /// A name in plain text and as HTML.
  private static let person = ValueShape.object("name_html name")
  private static let linkedPerson = ValueShape.object("name_html name url")
  private static let author = ValueShape.object(
    "name_html name handle url initial threads", ["avatar": link])

  /// The values that are the same on every page, except for links.
  private static let shared = ValueShape.object(
    "has_feeds generator",
    [
      "site": .object(SharedValues.siteMembers.map(\.name).joined(separator: " ")),
      "theme": .object(
        "stylesheet icon legacy_icon head_script classes",
        [
          "touch_icon": .object("url size"), "colors": .object("light dark"), "options": .open,
          "assets": .open,
        ]),
      "feeds": .object("type title name url"),
    ])

  /// The values of every page.
  private static let page = shared.adding(
    .object(
      "has_menu csp",
      [
        "page": .object(
          "title description canonical first noindex author og_type document publication published updated language direction",
          ["image": .object("url large width height alt")]),
        "nav": .object(
          Dictionary(
            uniqueKeysWithValues: Section.allCases.map { ($0.rawValue, .object("url current")) })),
        "menu": .object("label url current rel"),
      ]))

  /// The values of every page that lists something.
  private static let index = page.adding(
    .object("", ["pagination": .object("page pages several previous_url next_url"), "threads": .object("")]))

  private static let list = index.adding(.object("", ["threads": listedThread]))

  /// The values of a thread in lists and on its own page.
  private static let anyThread = ValueShape.object(
    "title url excerpt long_excerpt language posts_digits posts_text posts reading_minutes reading_text "
      + "has_tags shows_author",
    [
      "published": date, "updated": date, "tags": namedLink, "thumbnail": link, "picture": link,
      "author": .object("name_html name handle url initial", ["avatar": link]),
    ])

  private static let listedThread = anyThread.adding(.object("more_tags lead new_year pause"))

  private static let collection = ValueShape.object("title url introduction_html threads_text threads")
  private static let tag = ValueShape.object("name url anchor threads_text threads")

  // MARK: - Layouts

  private static let thread = page.adding(
    .object(
      "body_header body_text body heading_is_text json_ld related web_replies",
      [
        "book": link,
        "thread": anyThread.adding(
          .object(
            // Partials about tags are shared with lists, which name the number of further tags.
            "direction minutes_to_read markdown_url has_contents more_tags",
            [
              "source": namedLink, "copies": namedLink, "contents": .object("title url number branch"),
              "actions": .object("like_url repost_url reply_url"),
              "share": .object("mail_url", ["networks": namedLink]),
            ])),
      ]))

  private static let relatedThread = ValueShape.object(
    "title url language posts", ["author": linkedPerson, "published": date, "thumbnail": link])

  /// An author in short.
  private static let brief = author.adding(.object("profile_url bio_html has_several_threads"))

  private static let related = shared.adding(
    .object(
      "has_neighbours has_more has_quoted_by has_similar shows_author has_collections",
      [
        "newer": relatedThread, "older": relatedThread, "author_newer": relatedThread,
        "author_older": relatedThread, "more": relatedThread, "quoted_by": relatedThread,
        "similar": relatedThread,
        "author": brief,
        "collections": .object(
          "title url number count has_neighbours", ["previous": relatedThread, "next": relatedThread]),
      ]))

  private static let webReplies = shared.adding(
    .object(
      "counts older", ["replies": .object("name url host text is_cut", ["date": date])]))

  /// The beginnings of the lists of collections, authors and tags.
  private static let contents = ValueShape.object(
    "has_collections has_authors has_tags has_any",
    ["collections": collection, "authors": author, "tags": tag])

  private static let home = list.adding(
    .object(
      "",
      [
        "me": link, "book": link, "statistics": link, "index": contents, "wander": .object("script"),
        "about": .object(
          "",
          [
            "author": brief.adding(.object("has_links", ["links": aboutLink])),
            "owner": .object("name has_links", ["links": aboutLink]),
          ]),
      ]))

  private static let aboutLink = ValueShape.object("url text me")

  private static let profile = author.adding(
    .object(
      "profile_url network threads_text years verified bio_html location has_details has_counts has_followers",
      [
        "accounts": .object("handle profile_url network"), "website": .object("url text"), "joined": date,
        "observed": date, "counts": .object("number name"),
        "followers": .object("name_html name handle url", ["avatar": link]),
      ]))

  private static let title = ValueShape.object("title url language", ["author": person])
  private static let month = ValueShape.object("name url threads")

  private static let archiveYear = ValueShape.object(
    "name url threads", ["months": month.adding(.object("", ["titles": title]))])

  private static let period = ValueShape.object(
    "name threads_text threads has_months has_neighbours",
    ["months": month, "year": namedLink, "newer": namedLink, "older": namedLink])

  private static let namedThread = title.adding(.object("text shows_author"))

  private static let statistics = ValueShape.object(
    "threads_text posts_text has_liked has_longest has_months",
    [
      "author": linkedPerson, "liked": namedThread, "longest": namedThread,
      "hours": .object("hour time posts share text label"),
      "dots": .object("x radius text"), "marks": .object("x name"), "months": .object("name posts url"),
    ])

  private static let search = page.adding(
    .object(
      "",
      [
        "search": .object(
          "shows_author script corrected", ["found": .object("form text"), "partly": .object("form text")]),
        "latest": title.adding(.object("", ["published": date])), "index": contents,
      ]))
}
