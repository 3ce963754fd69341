import SiteOutput
import ThreadModel

/// Invented values for pages, indexes and feeds.
enum Samples {
  static let ada = author("ada", name: "Ada Example")

  static func author(_ handle: String, name: String) -> AuthorSummary {
    AuthorSummary(
      platform: .x, handle: handle, name: name, url: "https://x.example/\(handle)",
      path: SitePath("x/\(handle)/"),
      bio: "Writes about small things.")
  }

  static func site(baseURL: String? = "https://ada.example/threads/", perPage: Int = 20) -> SiteFacts {
    SiteFacts(
      title: "Threads & more", summary: "Kept <for> good", language: "en", baseURL: baseURL, calendar: .utc,
      threadsPerPage: perPage)
  }

  static func thread(
    _ id: String, title: String = "A title", by author: AuthorSummary = ada,
    at time: String? = "2021-01-06T18:40:00Z",
    tags: [String] = []
  ) -> ThreadSummary {
    let published = time.flatMap { Timestamp(iso8601: $0) }
    return ThreadSummary(
      id: PostID(id, on: .x), path: author.path.appending("a-title-\(id)/"), title: title,
      excerpt: "What it says.",
      author: author, published: published, updated: published, tags: tags, postCount: 3, language: "en",
      isWhole: true,
      image: nil)
  }

  static func threads(_ count: Int) -> [ThreadSummary] {
    // One a minute, so that the last one is the newest.
    (0..<count).map { number in
      var thread = thread("\(1000 + number)")
      thread.published = Timestamp(seconds: 1_600_000_000 + Int64(number) * 60)
      return thread
    }
  }
}
