import HTTPTransport
import MediaMirror
import Testing
import ThreadModel

@Suite struct MirrorVideoTests {
  var bench: MirrorBench

  init() throws {
    bench = try MirrorBench()
    bench.options.videos = true
  }

  private let variants = [
    MediaVariant(url: "https://v.example/list.m3u8", contentType: "application/x-mpegURL"),
    MediaVariant(url: "https://v.example/small.mp4", contentType: "video/mp4", bitrate: 256_000),
    MediaVariant(url: "https://v.example/large.mp4", contentType: "video/mp4", bitrate: 2_176_000),
  ]

  @Test func fetchesTheBestVariantOnRequest() async throws {
    bench.network.answer("https://v.example/large.mp4", .bytes(Samples.mp4()))
    bench.network.answer("https://v.example/poster", .bytes(Samples.png(width: 320, height: 180)))
    let film = MirrorBench.film(.video, variants, poster: "https://v.example/poster")
    let (result, report) = try await bench.mirror().mirror(
      MirrorBench.conversation([MirrorBench.post("1", media: [film])]))
    let media = result.media[0]
    #expect(media.file?.hasSuffix(".mp4") == true)
    #expect(media.posterFile?.hasSuffix(".png") == true)
    #expect(media.width == 640)
    #expect(media.height == 360)
    #expect(media.durationMilliseconds == 2500)
    #expect(report.fetched == 2)
    let request = try #require(bench.network.requests.first { $0.url.hasSuffix("large.mp4") })
    #expect(request.limits.maximumBytes == 512 << 20)
    #expect(request.limits.totalSeconds == 3000)
  }

  @Test func doesNotFetchVideosByDefault() async throws {
    let bench = try MirrorBench()
    var film = MirrorBench.film(.video, variants)
    film.file = "kept.mp4"
    let (result, report) = try await bench.mirror().mirror(
      MirrorBench.conversation([MirrorBench.post("1", media: [film])]))
    #expect(result.media == [film])
    #expect(bench.network.urls.isEmpty)
    #expect(report == MediaReport())
  }

  @Test func acceptsAGIFWithABitrateOfZero() async throws {
    bench.network.answer("https://v.example/gif.mp4", .bytes(Samples.mp4()))
    let variant = MediaVariant(url: "https://v.example/gif.mp4", contentType: "video/mp4", bitrate: 0)
    let (result, _) = try await bench.mirror().mirror(
      MirrorBench.conversation([MirrorBench.post("1", media: [MirrorBench.film(.gif, [variant])])]))
    #expect(result.media[0].file?.hasSuffix(".mp4") == true)
  }

  @Test func gifMayBeAnImageButAVideoMayNot() async throws {
    bench.network.answer("https://v.example/a.gif", .bytes(Samples.gif(width: 20, height: 10)))
    for (kind, isKept) in [(MediaKind.gif, true), (.video, false)] {
      let media = Media(id: "1", kind: kind, url: "https://v.example/a.gif")
      let (result, _) = try await bench.mirror().mirror(
        MirrorBench.conversation([MirrorBench.post("1", media: [media])]))
      #expect((result.media[0].file != nil) == isKept)
    }
  }

  @Test func doesNotRequestStreams() async throws {
    let film = MirrorBench.film(.video, [variants[0]])
    let (_, report) = try await bench.mirror().mirror(
      MirrorBench.conversation([MirrorBench.post("1", media: [film])]))
    #expect(bench.network.urls.isEmpty)
    #expect(report.failures.isEmpty)
  }
}
