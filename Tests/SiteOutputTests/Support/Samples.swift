import InterfaceText
import SiteConfig
import SiteOutput
import Templates
import TestSupport
import ThreadModel

extension Theme {
  /// A theme in English.
  static func load(_ name: String, in roots: [String]) throws -> Theme {
    try load(ThemeLayers(of: name, in: roots), words: TemplateWords(Localization.english.words))
  }
}

extension StagedSite {
  /// Moves the site into the output, and releases the lock on the staging folder for other builds.
  func publish() throws(SiteOutputError) {
    try putInPlace()
    try discard()
  }
}

/// Invented values for pages, indexes and feeds.
enum Samples {
  /// Returns a page without parts that depend on the content of files: their published names, and the script
  /// in its head with its digest.
  static func withoutDigests(_ html: String) -> String {
    html.replacing(/(style|lists|home|look|icon|wander)\.[0-9a-f]{10}\./) { "\($0.output.1).HASH." }
      .replacing(/sha256-[A-Za-z0-9+\/=]+/, with: "sha256-HASH")
      .replacing(/(<script data-src="[^"]*">)[^<]*<\/script>/) { "\($0.1)HEAD</script>" }
  }

  static let ada = author("ada", name: "Ada Example")

  static func author(_ handle: String, name: String) -> AuthorSummary {
    AuthorSummary(
      platform: .x, handle: handle, name: name, url: "https://x.example/\(handle)",
      path: SitePath("x/\(handle)/"))
  }

  /// Everything that an author's page can show.
  static let profile: AuthorProfile = {
    var profile = AuthorProfile(author: ada)
    profile.avatar = .stored("media/ada b.png")
    let text = "Writes about <small> things.\nSee ada.example, not this"
    profile.bio = InlineText(
      text,
      entities: [
        TextEntity(33..<44, .link(url: "https://ada.example/?a=1&b=\"", short: nil)),
        TextEntity(46..<54, .link(url: "javascript:alert(1)", short: nil)),
      ])
    profile.location = "Somewhere <b>"
    profile.website = "https://www.ada.example/notes/"
    profile.joined = Timestamp(iso8601: "2009-06-30T23:59:00Z")
    profile.isVerified = true
    profile.followers = 1_204_567
    profile.following = 1
    profile.posts = -3
    profile.observed = Timestamp(iso8601: "2026-03-03T10:00:00Z")
    profile.knownFollowers = [
      AuthorProfile.Follower(
        name: "Bo & Co", handle: "bo", url: "https://x.example/bo",
        avatar: SummaryImage(loadedFrom: "https://faces.example/bo.png?a=\"1\"")),
      AuthorProfile.Follower(name: "<i>", handle: nil, url: "javascript:alert(1)", avatar: nil),
    ]
    return profile
  }()

  static func site(baseURL: String? = "https://ada.example/threads/", perPage: Int = 20) -> SiteFacts {
    var facts = SiteFacts(
      title: "Threads & more", summary: "Kept <for> good", localization: .english, baseURL: baseURL,
      calendar: .utc,
      threadsPerPage: perPage)
    facts.networks = [
      (name: "Bluesky", links: ShareSample { "https://bsky.app/intent/compose?text=\($0)%20\($1)" }),
      (name: "Mastodon", links: ShareSample { "https://share.joinmastodon.org/#text=\($0)%20\($1)" }),
      (name: "X", links: ShareSample { "https://x.com/intent/post?text=\($0)&url=\($1)" }),
    ]
    return facts
  }

  /// A network that only has URLs for sharing.
  private struct ShareSample: NetworkLinks {
    let make: @Sendable (_ title: String, _ url: String) -> String

    func share(title: String, url: String) -> String? { make(title, url) }
  }

  /// The options of a theme on a site with only these settings.
  static func options(of theme: Theme, chosen: [String: ThemeOption] = [:]) -> ThemeOptionValues {
    ThemeOptionValues.resolve(chosen, by: theme.options, of: theme.name).values
  }

  static func thread(
    _ id: String, title: String = "A title", by author: AuthorSummary = ada,
    at time: String? = "2021-01-06T18:40:00Z",
    tags: [String] = []
  ) -> ThreadSummary {
    let published = time.flatMap { Timestamp(iso8601: $0) }
    var thread = ThreadSummary(
      id: PostID(id, on: .x), path: author.path.appending("a-title-\(id)/"), title: title, author: author)
    thread.excerpts = Excerpts(short: "What it says.")
    (thread.published, thread.updated) = (published, published)
    thread.tags = ThreadTag.tags(tags)
    thread.postCount = 3
    thread.language = "en"
    return thread
  }

  static func threads(_ count: Int) -> [ThreadSummary] {
    // One per minute, so the last one is the newest.
    (0..<count).map { number in
      var thread = thread("\(1000 + number)")
      thread.published = Timestamp(seconds: 1_600_000_000 + Int64(number) * 60)
      return thread
    }
  }
}
