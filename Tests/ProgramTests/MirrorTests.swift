import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Requests of a reader's browser: a mirrored site causes none to other hosts.
@Suite struct MirrorTests {
  /// A thread with every kind of content, with and without copies, and some of it on the network's hosts.
  private static func conversation() -> Conversation {
    let id = PostID("1001", on: .x)
    var ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
    ada.avatarURL = "https://media.example/ada.jpg"
    ada.avatarFile = "ada.png"
    ada.observedAt = Timestamp(seconds: 1_700_000_000)
    var bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")
    bo.avatarURL = "https://media.example/bo.jpg"

    var first = Post(id: id, authorID: ada.id)
    let text = "Pictures :cat: of clocks"
    first.text = InlineText(
      text,
      entities: [TextEntity(9..<14, .emoji(shortcode: "cat", url: "https://media.example/cat.png"))])
    first.url = "https://x.com/ada/status/1001"
    first.createdAt = Timestamp(seconds: 1_600_000_000)
    var copied = Media(id: "1", kind: .photo, url: "https://media.example/1.jpg")
    copied.file = "one.jpg"
    copied.altText = "Noon"
    (copied.width, copied.height) = (1200, 800)
    copied.sizes = [MediaSize(file: "one-600.jpg", width: 600, height: 400)]
    var lost = Media(id: "2", kind: .photo, url: "https://media.example/2.jpg")
    lost.altText = "Midnight"
    first.media = [copied, lost, video("3", poster: nil), video("4", poster: "four.jpg")]
    var second = Post(id: PostID("1002", on: .x), authorID: ada.id, text: InlineText("A card"))
    second.inReplyTo = id
    second.url = "https://x.com/ada/status/1002"
    second.card = LinkCard(
      url: "https://page.example/", title: "A page", imageURL: "https://media.example/card.jpg")
    second.quotes = PostID("900", on: .x)
    var quoted = Post(id: PostID("900", on: .x), authorID: bo.id, text: InlineText("Quoted"))
    quoted.media = [lost]
    var reply = Post(id: PostID("1003", on: .x), authorID: bo.id, text: InlineText("A reply"))
    reply.inReplyTo = id
    reply.media = [video("5", poster: nil)]

    var conversation = Conversation(id: id, authorID: ada.id)
    conversation.authors = [ada, bo]
    conversation.posts = [first, second, reply]
    conversation.related = [quoted]
    return conversation
  }

  private static func video(_ id: String, poster: String?) -> Media {
    var media = Media(id: id, kind: .video)
    media.posterURL = "https://media.example/poster\(id).jpg"
    media.posterFile = poster
    media.variants = [MediaVariant(url: "https://media.example/\(id).mp4", contentType: "video/mp4")]
    return media
  }

  private func built(media: String) throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write(
      """
      base_url: https://ada.example/
      media: \(media)
      threads:
        - url: https://x.com/ada/status/1001
          replies: true
      """, to: "site.yml")
    try site.save(Self.conversation())
    for file in ["ada.png", "bo.png", "one.jpg", "one-600.jpg", "four.jpg"] {
      try site.folder.write(SampleMedia.named(file), to: "threads/media/\(file)")
    }
    var bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")
    bo.avatarURL = "https://media.example/bo.jpg"
    var cy = Author(id: AuthorID("13", on: .x), handle: "cy", name: "Cy")
    cy.avatarFile = "bo.png"
    let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
    try ThreadStore(folder: site.path + "/threads").save(Profile(author: ada, followers: [bo, cy]))
    try site.build()
    return site
  }

  /// Every URL that a browser requests on its own to show the site, with the file that contains it.
  private func loaded(_ site: TemporarySite) throws -> [(file: String, address: String)] {
    var found: [(String, String)] = []
    for (file, data) in try site.tree().sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: data, as: UTF8.self)
      if file.hasSuffix(".html") {
        for tag in try HTMLTokens(text).startTags { found += addresses(tag).map { (file, $0) } }
      } else if file.hasSuffix(".css") {
        for match in text.matches(of: /(?:url\(|@import)\s*["']?([^"')\s;]+)/) {
          found.append((file, String(match.output.1)))
        }
      }
    }
    return found
  }

  private func addresses(_ tag: HTMLStartTag) -> [String] {
    let loading = ["stylesheet", "icon", "preload", "prefetch", "preconnect", "manifest", "apple-touch-icon"]
    var found = [tag["src"], tag["poster"], tag["data"], tag["background"]].compactMap(\.self)
    for list in [tag["srcset"], tag["imagesrcset"]].compactMap(\.self) {
      found += list.split(separator: ",").compactMap { $0.split(separator: " ").first.map { String($0) } }
    }
    if tag.name == "link",
      (tag["rel"] ?? "").split(separator: " ").contains(where: { loading.contains(String($0)) })
    {
      found += [tag["href"]].compactMap(\.self)
    }
    return found
  }

  private func isElsewhere(_ address: String) -> Bool { address.contains("//") || address.contains(":") }

  @Test func mirroredSiteLoadsNothingFromElsewhere() throws {
    let site = try built(media: "mirror")
    let loaded = try loaded(site)
    #expect(loaded.filter { isElsewhere($0.address) }.map { "\($0.file): \($0.address)" } == [])
    // The check sees every kind of resource: photo, its smaller copy, poster, avatars, style sheet, icon.
    let names = Set(loaded.compactMap { $0.address.split(separator: "/").last.map { String($0) } })
    #expect(names.isSuperset(of: ["one.jpg", "one-600.jpg", "four.jpg", "ada.png", "bo.png"]))
    for (file, data) in try site.tree() where file.hasSuffix(".html") || file == "_headers" {
      let text = String(decoding: data, as: UTF8.self)
      #expect(
        !text.contains("img-src &#39;self&#39; http") && !text.contains("img-src 'self' http"), "\(file)")
      #expect(!text.contains("og:image\" content=\"https://media.example"), "\(file)")
    }
    try SiteChecks(site).checkAll()
  }

  @Test func mediumWithoutACopyIsALink() throws {
    let page = try built(media: "mirror").page("x/ada/pictures-cat-of-clocks-1001/index.html")
    #expect(
      page.contains(
        "<a href=\"https://media.example/2.jpg\" rel=\"noopener nofollow ugc\">Photo: Midnight</a>"))
    #expect(
      page.contains("<a href=\"https://x.com/ada/status/1001\" rel=\"noopener nofollow ugc\">Video</a>"))
    #expect(page.contains("Watch the video on X</a>"))
    #expect(page.contains(":cat:"))
    #expect(!page.contains("<video"))
    #expect(
      page.contains(
        "width=\"1200\" height=\"800\" srcset=\"../../../media/one-600.jpg 600w, ../../../media/one.jpg 1200w\""
      ))
  }

  @Test(arguments: ["mirror", "link"]) func videoWithACopyHasItsCaptions(media: String) throws {
    let site = try TemporarySite()
    try site.folder.write("base_url: https://ada.example/\nmedia: \(media)\n", to: "site.yml")
    let film = ProjectFolders.fixtures(of: "MediaMirrorTests").appending(path: "data-first.mp4")
    try site.folder.write(try Data(contentsOf: film), to: "threads/media/film.mp4")
    try site.folder.write("WEBVTT\n\n00:00.000 --> 00:01.000\nTick\n", to: "threads/media/said.vtt")
    var post = Post(id: PostID("1001", on: .x), authorID: AuthorID("11", on: .x), text: InlineText("A clock"))
    var video = Media(id: "1", kind: .video)
    video.file = "film.mp4"
    video.captions = [
      MediaCaptions(language: "en", url: "https://media.example/en.vtt", file: "said.vtt"),
      MediaCaptions(language: "de", url: "https://media.example/de.vtt"),
    ]
    post.media = [video]
    var conversation = Conversation(id: post.id, authorID: post.authorID)
    conversation.posts = [post]
    conversation.authors = [Author(id: post.authorID, handle: "ada", name: "Ada")]
    try site.save(conversation)
    try site.build()
    let page = try site.page("x/ada/a-clock-1001/index.html")
    #expect(
      page.contains(
        "<track kind=\"captions\" src=\"../../../media/said.vtt\" srclang=\"en\" label=\"English\"><a href"))
    #expect(!page.contains("de.vtt"))
    #expect(try site.tree()["media/said.vtt"] != nil)
    try SiteChecks(site).checkAll()
    // A style sheet in the folder, which an intruder placed there, is not published.
    try site.folder.write(
      "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:00.000 --> 00:01.000\nTick\n", to: "threads/media/said.vtt"
    )
    #expect(throws: (any Error).self) { try site.build() }
  }

  @Test func linkingSitePrefersCopies() throws {
    let site = try built(media: "link")
    let elsewhere = Set(try loaded(site).map(\.address).filter(isElsewhere))
    #expect(
      elsewhere == [
        "https://media.example/2.jpg", "https://media.example/3.mp4", "https://media.example/poster3.jpg",
        "https://media.example/4.mp4", "https://media.example/5.mp4", "https://media.example/poster5.jpg",
        "https://media.example/cat.png", "https://media.example/card.jpg", "https://media.example/bo.jpg",
      ])
    #expect(try site.page("_headers").contains("img-src 'self' https://media.example;"))
    try SiteChecks(site).checkAll()
  }

  @Test func mediaNoneShowsNoImages() throws {
    let site = try built(media: "none")
    for (file, data) in try site.tree() where file.hasSuffix(".html") {
      #expect(!String(decoding: data, as: UTF8.self).contains("<img"), "\(file)")
    }
    #expect(try !site.tree().keys.contains { $0.hasPrefix("media/") })
  }
}
