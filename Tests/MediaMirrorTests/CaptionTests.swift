import MediaMirror
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Captions contain only text in WebVTT.
@Suite struct CaptionTests {
  static let captions =
    "WEBVTT - a talk\n\nNOTE what a style is\nSTYLE is a word here\n\n1\n00:00.000 --> 00:02.000\nHello <b>there</b>\n"

  private func rejection(_ text: some Sequence<UInt8>) throws -> MediaError? {
    let folder = try TemporaryFolder()
    let mediaStore = try MediaStore(store: ThreadStore(folder: folder.path))
    do throws(MediaError) {
      let stored = try mediaStore.keep(Array(text), accepting: .captions)
      #expect(stored.name.hasSuffix(".vtt") && stored.type.mimeType == "text/vtt")
      #expect(mediaStore.stored(stored.name, accepting: .captions)?.name == stored.name)
      return nil
    } catch {
      return error
    }
  }

  @Test func keepsText() throws {
    #expect(try rejection(Self.captions.utf8) == nil)
    #expect(try rejection("\u{FEFF}\(Self.captions)".utf8) == nil)
    #expect(try rejection(Self.captions.replacing("\n", with: "\r\n").utf8) == nil)
    #expect(try rejection(Self.captions.replacing("\n", with: "\r").utf8) == nil)
    // Longer than the part of a file that is in memory at a time.
    #expect(try rejection((Self.captions + String(repeating: "\nü", count: 20_000)).utf8) == nil)
  }

  @Test func rejectsOtherContent() throws {
    let style = "\n\nSTYLE\n::cue { background: url(https://evil.example/) }\n"
    for newline in ["\n", "\r\n", "\r"] {
      let text = (Self.captions + style).replacing("\r\n", with: "\n").replacing("\n", with: newline)
      #expect(try rejection(text.utf8) == .damaged(.vtt))
      #expect(
        try rejection(text.replacing("STYLE\(newline)", with: "STYLE \t\(newline)").utf8) == .damaged(.vtt))
    }
    #expect(try rejection("WEBVTT\n\nno cue".utf8) == .damaged(.vtt))
    #expect(try rejection(Array(Self.captions.utf8) + [0]) == .damaged(.vtt))
    #expect(try rejection(Array(Self.captions.utf8) + [0xFF]) == .damaged(.vtt))
    #expect(
      try rejection("WEBVTT\n\n--> \(String(repeating: "x", count: 5 << 20))".utf8)
        == .tooLarge(limit: 4 << 20))
    for text in ["<script>", "WEBVTTX\n\n-->", " WEBVTT\n\n-->", "1\n00:00:00,000 --> 00:00:01,000\nsrt"] {
      if case .notMedia? = try rejection(text.utf8) { continue }
      Issue.record("\(text)")
    }
    #expect(try rejection(Samples.png(width: 1, height: 1)) == .wrongFamily(.png))
  }

  @Test func areCopiedWithTheirVideo() async throws {
    let bench = try MirrorBench()
    bench.network.answer("https://a.example/film.mp4", .bytes(Samples.mp4()))
    bench.network.answer("https://a.example/en", .bytes(Array(Self.captions.utf8)))
    bench.network.answer("https://a.example/de", .bytes(Array("<script>".utf8)))
    var film = MirrorBench.film(
      .video, [MediaVariant(url: "https://a.example/film.mp4", contentType: "video/mp4")], poster: nil)
    film.captions = ["en", "de"].map { MediaCaptions(language: $0, url: "https://a.example/\($0)") }
    let conversation = MirrorBench.conversation([MirrorBench.post("1", media: [film])])
    let without = try await bench.mirror().mirror(conversation)
    #expect(without.conversation == conversation && bench.network.urls.isEmpty)

    var options = MediaMirrorOptions()
    options.videos = true
    let mirror = try MediaMirror(store: bench.store, transport: bench.network, options: options)
    let (result, report) = await mirror.mirror(conversation)
    let captions = result.posts[0].media[0].captions
    #expect(captions.map(\.language) == ["en", "de"])
    #expect(captions[0].file?.hasSuffix(".vtt") == true && captions[1].file == nil)
    #expect(report.failures.map(\.url) == ["https://a.example/de"])
    #expect(try Set(bench.names()) == result.mediaFiles)
  }
}
