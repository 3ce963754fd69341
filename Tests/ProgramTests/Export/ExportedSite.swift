import Export
import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import ThreadModel

/// Invented threads for exports: Ada's of three years, one of which quotes Bo's, a draft, a skipped thread,
/// and a hidden post.
struct ExportedSite {
  let site: TemporarySite

  static let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada & Co. <3")
  static let bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")

  /// A site with the given threads.
  init(site: TemporarySite, configuration: String = "title: Kept") throws {
    self.site = site
    try site.folder.write(configuration + "\n", to: "site.yml")
  }

  init(configuration: String = "", media: [String: Data] = Self.media) throws {
    site = try TemporarySite()
    for conversation in Self.conversations() { try site.save(conversation) }
    for (name, content) in media { try site.folder.write(content, to: "threads/media/\(name)") }
    try site.folder.write(
      """
      title: Kept
      collections:
        - title: Both ways
          slug: both-ways
          introduction: "Read *these*, [all](/all/) of [them](https://ada.example/), ![x](https://ada.example/x.png)."
          threads: [https://x.com/bo/status/2001, https://x.com/ada/status/1001]
      threads:
        - { url: https://x.com/ada/status/4001, draft: true }
        - { url: https://x.com/ada/status/5001, exclude: true }
        - { url: https://x.com/ada/status/1001, hide: [https://x.com/ada/status/1003] }
      \(configuration)

      """, to: "site.yml")
  }

  static let media: [String: Data] = [
    "one.png": SampleMedia.png(), "two.jpg": SampleMedia.jpeg(),
    // A video, and an invalid image with the name of an image.
    "wrong.png": Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
  ]

  static func post(_ id: Int, by author: Author, _ text: String, year: Int, answers: Int? = nil) -> Post {
    var post = Post(id: PostID("\(id)", on: .x), authorID: author.id, text: InlineText(text))
    post.url = "https://x.com/\(author.handle ?? "")/status/\(id)"
    post.conversationID = PostID("\(id / 1000 * 1000 + 1)", on: .x)
    // In the first hours of the year.
    let days = (1970..<year).reduce(0) { $0 + ($1 % 4 == 0 ? 366 : 365) }
    post.createdAt = Timestamp(seconds: Int64(days) * 86_400 + Int64(id))
    post.inReplyTo = answers.map { PostID("\($0)", on: .x) }
    return post
  }

  static func conversation(_ posts: [Post], by author: Author, related: [Post] = []) -> Conversation {
    var conversation = Conversation(id: posts[0].id, authorID: author.id)
    conversation.authors = [ada, bo]
    conversation.posts = posts
    conversation.related = related
    return conversation
  }

  static func conversations() -> [Conversation] {
    var first = post(1001, by: ada, "Ada begins: 1 < 2 & \"so\" on", year: 2021)
    var photo = Media(id: "1", kind: .photo, url: "https://media.example/one.png")
    photo.file = "one.png"
    photo.altText = "A \"quoted\" <cat>"
    var wrong = Media(id: "2", kind: .photo, url: "https://media.example/wrong.png")
    wrong.file = "wrong.png"
    var film = Media(id: "3", kind: .video, url: "https://media.example/film.mp4")
    film.file = "film.mp4"
    film.posterFile = "two.jpg"
    film.altText = "A film"
    first.media = [photo, wrong, film]
    var second = post(1002, by: ada, "Quoting Bo", year: 2021, answers: 1001)
    second.quotes = PostID("2001", on: .x)
    second.poll = Poll(
      options: [PollOption("Yes & no", votes: 3), PollOption("No", votes: 1)], status: .closed)
    let hidden = post(1003, by: ada, "A hidden word", year: 2021, answers: 1002)
    let bos = post(2001, by: bo, "Bo begins here", year: 2022)
    return [
      conversation([first, second, hidden], by: ada, related: [bos]),
      conversation([bos], by: bo),
      conversation([post(3001, by: ada, "Ada again", year: 2023)], by: ada),
      conversation([post(4001, by: ada, "A draft", year: 2023)], by: ada),
      conversation([post(5001, by: ada, "Left out", year: 2023)], by: ada),
    ]
  }

  /// Exports, and returns the files and the summary.
  @discardableResult
  func export(
    _ format: ExportFormat, to output: String, jobs: Int = 2, isFlat: Bool = true,
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws(PipelineError) -> ExportSummary {
    let folder = try SiteFolder.open(
      configFile: site.path + "/site.yml", isDefault: false, progress: { _ in })
    var options = ExportOptions(jobs: jobs)
    options.output = site.path + "/" + output
    options.isFlat = isFlat
    change(&options)
    return try SiteExport(
      folder, installation: TemporarySite.installation, options: options, progress: { _ in }
    ).run(format)
  }

  func book(_ change: (inout ExportOptions) -> Void = { _ in }) throws -> UnpackedBook {
    try export(.epub, to: "book.epub", change)
    let book = try UnpackedBook(try site.folder.data("book.epub"))
    try book.checkAll()
    return book
  }
}

extension TemporaryFolder {
  func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path + "/" + name)) }
}
