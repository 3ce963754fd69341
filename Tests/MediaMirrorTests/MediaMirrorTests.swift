import Foundation
import HTTPTransport
import MediaMirror
import TestSupport
import Testing
import ThreadModel
import ThreadStore

@Suite struct MediaMirrorTests {
  var bench: MirrorBench

  init() throws { bench = try MirrorBench() }

  @Test func copiesEverythingThatAPageShows() async throws {
    bench.network.answer(
      "https://a.example/photo", .bytes(Samples.jpeg(width: 640, height: 480, orientation: 6)))
    bench.network.answer("https://a.example/poster", .bytes(Samples.png(width: 320, height: 180)))
    bench.network.answer("https://a.example/face", .bytes(Samples.png(width: 400, height: 400)))
    bench.network.answer("https://a.example/card", .bytes(Samples.webp(.lossy, width: 600, height: 315)))
    bench.network.answer("https://a.example/quoted", .bytes(Samples.gif(width: 9, height: 8)))
    var author = Author(id: AuthorID("7", on: .x))
    author.avatarURL = "https://a.example/face"
    let card = LinkCard(url: "https://b.example/", imageURL: "https://a.example/card")
    let film = MirrorBench.film(
      .video, [MediaVariant(url: "https://a.example/film.mp4", contentType: "video/mp4")],
      poster: "https://a.example/poster")
    var conversation = MirrorBench.conversation(
      [MirrorBench.post("1", media: [MirrorBench.photo("https://a.example/photo"), film], card: card)],
      authors: [author])
    conversation.related = [MirrorBench.post("2", media: [MirrorBench.photo("https://a.example/quoted")])]

    let (result, report) = try await bench.mirror().mirror(conversation)

    let photo = result.posts[0].media[0]
    #expect(photo.file?.hasSuffix(".jpg") == true)
    #expect((photo.width, photo.height) == (480, 640))
    #expect(photo.sizes.isEmpty)
    let video = result.posts[0].media[1]
    #expect(video.posterFile?.hasSuffix(".png") == true)
    #expect(video.file == nil)
    #expect((video.width, video.height) == (320, 180))
    #expect(result.authors[0].avatarFile?.hasSuffix(".png") == true)
    #expect(result.posts[0].card?.imageFile?.hasSuffix(".webp") == true)
    #expect((result.posts[0].card?.imageWidth, result.posts[0].card?.imageHeight) == (600, 315))
    #expect(result.related[0].media[0].file?.hasSuffix(".gif") == true)
    #expect(report.fetched == 5)
    #expect(report.failures.isEmpty)
    #expect(Set(try bench.names()) == result.mediaFiles)
    #expect(try bench.unfinished().isEmpty)
  }

  @Test func copiesEmojiOfPostsAndNames() async throws {
    bench.network.answer("https://a.example/cat", .bytes(Samples.png(width: 64, height: 64)))
    bench.network.answer("https://a.example/svg", .bytes(Array("<svg onload=alert(1)>".utf8)))
    let emoji = [
      CustomEmoji(shortcode: "cat", url: "https://a.example/cat"),
      CustomEmoji(shortcode: "svg", url: "https://a.example/svg"),
    ]
    var author = Author(id: AuthorID("7", on: .x))
    author.emoji = emoji
    var conversation = MirrorBench.conversation([MirrorBench.post("1")], authors: [author])
    conversation.posts[0].emoji = emoji
    let (result, report) = try await bench.mirror().mirror(conversation)
    let file = try #require(result.posts[0].emoji[0].file)
    #expect(file.hasSuffix(".png") && result.posts[0].emoji[1].file == nil)
    #expect(result.authors[0].emoji == result.posts[0].emoji)
    #expect(result.mediaFiles == [file])
    #expect(try bench.names() == [file])
    #expect(report.failures.map(\.url) == ["https://a.example/svg"])
    // Existing files are not requested again, and keep the time of their last observation.
    bench.network.forget()
    let again = try await bench.mirror().mirror(result)
    #expect(again.conversation == result && !bench.network.urls.contains("https://a.example/cat"))
  }

  @Test func requestsOnlyPublicURLsWithoutCredentials() async throws {
    bench.network.answer("https://a.example/1", .bytes(Samples.gif(width: 1, height: 1)))
    _ = try await bench.mirror().mirror(MirrorBench.photos("https://a.example/1"))
    let request = try #require(bench.network.requests.first)
    #expect(request.reach == .publicOnly)
    #expect(request.maximumRedirects == 3)
    #expect(request.authorization == nil)
    #expect(request.headers.isEmpty)
    #expect(request.limits.maximumBytes == 32 << 20)
  }

  @Test func fetchesAURLOnceAndStoresContentOnce() async throws {
    for name in ["one", "two"] {
      bench.network.answer("https://a.example/\(name)", .bytes(Samples.png(width: 5, height: 5)))
    }
    let conversation = MirrorBench.conversation([
      MirrorBench.post(
        "1", media: [MirrorBench.photo("https://a.example/one"), MirrorBench.photo("https://a.example/two")]),
      MirrorBench.post("2", media: [MirrorBench.photo("https://a.example/one")]),
    ])
    let mirror = try bench.mirror()
    async let first = mirror.mirror(conversation)
    async let second = mirror.mirror(MirrorBench.photos("https://a.example/one"))
    let results = await (first, second)
    #expect(bench.network.urls == ["https://a.example/one", "https://a.example/two"])
    #expect(try bench.names().count == 1)
    #expect(Set((results.0.conversation.media + results.1.conversation.media).map(\.file)).count == 1)
    #expect(results.0.report.fetched + results.1.report.fetched == 2)
  }

  @Test func limitsConcurrentTransfers() async throws {
    let urls = (0..<40).map { "https://a.example/\($0)" }
    for (index, url) in urls.enumerated() {
      bench.network.answer(url, .bytes(Samples.png(width: index + 1, height: 1)))
    }
    var options = MediaMirrorOptions()
    options.atOnce = 3
    bench.network.gather(3)
    let mirror = try MediaMirror(store: bench.store, transport: bench.network, options: options)
    let report = await mirror.mirror(
      urls, load: { MirrorBench.photos($0) },
      done: { _, result, isChanged in
        #expect(result.media[0].file != nil)
        #expect(isChanged)
      })
    #expect(report.fetched == 40)
    #expect(bench.network.mostAtOnce == 3)
    #expect(try bench.names().count == 40)
  }

  @Test func secondRunFetchesNothing() async throws {
    bench.network.answer("https://a.example/1", .bytes(Samples.png(width: 5, height: 5)))
    let first = try await bench.mirror().mirror(MirrorBench.photos("https://a.example/1")).conversation
    bench.network.forget()
    let (second, report) = try await bench.mirror().mirror(first)
    #expect(second == first)
    #expect(bench.network.urls.isEmpty)
    #expect(report.reused == 1)
    #expect(report.fetched == 0)
  }

  @Test func doesNotFetchFilesOfAnUnsavedRunAgain() async throws {
    let conversation = MirrorBench.photos("https://a.example/1", "https://a.example/2")
    bench.network.answer("https://a.example/1", .bytes(Samples.png(width: 5, height: 5)))
    bench.network.answer("https://a.example/2", .bytes(Samples.png(width: 6, height: 6)))
    let first = try await bench.mirror().mirror(conversation).conversation
    bench.network.forget()
    // The earlier conversation, because the other was not saved.
    let (second, report) = try await bench.mirror().mirror(conversation)
    #expect(second == first)
    #expect(bench.network.urls.isEmpty)
    #expect(report.reused == 2)
  }

  @Test func damagedJournalOrLostFileCostsOnlyATransfer() async throws {
    let conversation = MirrorBench.photos("https://a.example/1", "https://a.example/2")
    bench.network.answer("https://a.example/1", .bytes(Samples.png(width: 5, height: 5)))
    bench.network.answer("https://a.example/2", .bytes(Samples.png(width: 6, height: 6)))
    let first = try await bench.mirror().mirror(conversation).conversation
    let log = try bench.folder.text("media/.incoming/sources")
    let lines = log.split(separator: "\n")
    #expect(lines.count == 2)
    try bench.folder.write(
      "\0\nx ../../etc/passwd\n\(lines[0].prefix(32)) ../../secret\n\(lines[1])\n\(lines[1].prefix(20))",
      to: "media/.incoming/sources")
    bench.network.forget()
    #expect(try await bench.mirror().mirror(conversation).conversation == first)
    #expect(bench.network.urls.count == 1)

    try bench.folder.remove("media/" + #require(first.media[1].file))
    bench.network.forget()
    #expect(try await bench.mirror().mirror(first).conversation == first)
    #expect(bench.network.urls == ["https://a.example/2"])
  }

  @Test func fetchesInvalidFilesOfTheStoreAgain() async throws {
    bench.network.answer("https://a.example/1", .bytes(Samples.png(width: 5, height: 5)))
    for file in ["aa.png", "../x.png", "missing.png", "bb.jpg"] {
      try bench.folder.write("<html>", to: "media/aa.png")
      try bench.folder.write(Data(Samples.png(width: 1, height: 1)), to: "media/bb.jpg")
      var conversation = MirrorBench.photos("https://a.example/1")
      conversation.posts[0].media[0].file = file
      let result = try await bench.mirror().mirror(conversation).conversation
      #expect(result.media[0].width == 5)
      #expect(result.media[0].file != file)
    }
  }

  @Test(arguments: [
    (FakeTransport.Answer.status(404), false), (.status(410), false), (.status(403), false),
    (.status(500), true),
    (.status(429), true), (.status(204), false), (.error(.refusedAddress), false),
    (.error(.refusedRedirect), false),
    (.error(.timedOut), true), (.error(.cut), true), (.bytes(Array("<html><body>404".utf8)), false),
    (.bytes(Array("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>".utf8)), false),
    (.bytes([]), false),
    (.bytes(Samples.mp4()), false), (.bytes(Samples.png(width: 20_000, height: 20_000)), false),
    (.bytes(Samples.png(width: 1, height: 1, salt: String(repeating: " ", count: 5000))), false),
  ])
  func reportsADeadLinkAndContinues(_ answer: FakeTransport.Answer, _ isPassing: Bool) async throws {
    var options = MediaMirrorOptions()
    options.limits.imageBytes = 4000
    bench.network.answer("https://a.example/photo.jpg", answer)
    bench.network.answer("https://a.example/good", .bytes(Samples.png(width: 5, height: 5)))
    let conversation = MirrorBench.photos("https://a.example/photo.jpg", "https://a.example/good")
    let mirror = try MediaMirror(store: bench.store, transport: bench.network, options: options)
    let (result, report) = await mirror.mirror(conversation)
    #expect(result.media[0].file == nil)
    #expect(result.media[0] == conversation.media[0])
    #expect(result.media[1].file != nil)
    #expect(report.fetched == 1)
    #expect(report.failures.map(\.url) == ["https://a.example/photo.jpg"])
    #expect(report.failures.first?.isPassing == isPassing)
    #expect(try bench.names().count == 1)
    #expect(try bench.unfinished().isEmpty)
    // Once per run, however often it is requested.
    _ = await mirror.mirror(conversation)
    #expect(bench.network.urls.count == 2)
  }

  @Test func cancellationEndsTransfersAndLeavesNoFiles() async throws {
    let urls = (0..<30).map { "https://a.example/\($0)" }
    for url in urls { bench.network.answer(url, .silence) }
    let mirror = try bench.mirror()
    let task = Task { await mirror.mirror(urls, load: { MirrorBench.photos($0) }, done: { _, _, _ in }) }
    await bench.network.waitUntilRunning(8)
    task.cancel()
    let report = await task.value
    #expect(report.fetched == 0)
    #expect(try bench.names().isEmpty)
    #expect(try bench.unfinished().isEmpty)
    // A later request tries again.
    bench.network.answer(urls[0], .bytes(Samples.png(width: 5, height: 5)))
    #expect(await mirror.mirror(MirrorBench.photos(urls[0])).report.fetched == 1)
  }

  @Test func copiesTheAvatarsOfAProfile() async throws {
    let authors = (0..<3).map { index in
      var author = Author(id: AuthorID("\(index)", on: .x))
      author.avatarURL = "https://a.example/\(index)"
      bench.network.answer("https://a.example/\(index)", .bytes(Samples.png(width: 400, height: index + 1)))
      return author
    }
    let profile = Profile(author: authors[0], followers: Array(authors[1...]))
    let (result, report) = try await bench.mirror().mirror(profile)
    #expect(report.fetched == 3)
    #expect(result.mediaFiles.count == 3)
    #expect(result.followers.map(\.id) == profile.followers.map(\.id))
  }

  @Test func removesOnlyGivenFilesWithoutReferences() async throws {
    let mediaStore = try bench.mirror().mediaStore
    let names = try (1...3).map { try mediaStore.keep(Samples.png(width: $0, height: 1)).name }
    let removed = try mediaStore.remove([names[0], names[1], "missing.png"], unlessIn: [names[1]])
    #expect(removed == [names[0]])
    #expect(try bench.names() == [names[1], names[2]].sorted())
    #expect(throws: MediaError.self) { try mediaStore.remove(["../1.json"], unlessIn: []) }
  }
}
