import Basics
import Foundation
import InterfaceText
import MarkdownHTML
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// The output of each component, byte for byte, in `Fixtures/<name>.md`.
struct ComponentGoldenTests {
  private func document(_ sample: Samples.Sample) throws -> ThreadDocument {
    var options = Components.options
    options.media = sample.media
    options.stripsCounters = sample.stripsCounters
    options.archived = sample.archived
    let title = ThreadTitle(of: sample.thread, in: .english, by: .utc)
    var meta = ThreadMeta(
      title: title.text,
      tags: ThreadTags.make(from: sample.thread),
      source: "https://x.com/ada/status/10", slug: "a-thread")
    meta.titleSource = title.source
    return try Components.render(sample.thread, meta: meta, options: options)
  }

  @Test(arguments: Samples.all) func componentsMatchTheirFiles(sample: Samples.Sample) throws {
    let file = ProjectFolders.fixtures(of: "ThreadMarkdownTests").appending(path: sample.name + ".md")
    try Golden.compare(document(sample).markdown.string, with: file)
  }

  /// Without markers, a document has the same words in the same blocks.
  @Test(arguments: Samples.all) func publishedDocumentHasNoMarkers(sample: Samples.Sample) throws {
    let document = try document(sample)
    let published = document.published(with: try MarkdownHTML.render(document.body))
    let body = published.bytes[document.bodyStart...]
    #expect(try MarkdownHTML.render(body).markerLines.isEmpty)
    func words(_ markdown: ArraySlice<UInt8>) throws -> [[Substring]] {
      try MarkdownHTML.words(of: Array(markdown)).split(separator: "\n").map { $0.split(separator: " ") }
    }
    #expect(try words(body) == words(document.body))
    guard sample.name == "whole" else { return }
    try Golden.compare(
      published.string,
      with: ProjectFolders.fixtures(of: "ThreadMarkdownTests").appending(path: "published/whole.md"))
  }

  @Test(arguments: Samples.all) func pagesContainOnlyAllowedHTML(sample: Samples.Sample) throws {
    let document = try document(sample)
    let tokens = try Components.tokens(of: document)
    #expect(Allowlist.violations(tokens) == [])
    func loaded(_ tags: [HTMLStartTag]) -> [String] {
      tags.flatMap { tag in tag.attributes.filter { ["src", "poster"].contains($0.name) }.map(\.value) }
    }
    // Only the place of an emoji is known.
    let known = Set(document.media.keys).union(document.media.values.flatMap { $0.captions.map(\.url) })
    #expect(Set(loaded(tokens.startTags.filter { $0["class"] != "emoji" })) == known)
    let hosts = Set(
      loaded(tokens.startTags).compactMap { $0.hasPrefix("https://") ? URL(string: $0)?.host() : nil })
    #expect(hosts.sorted() == document.externalMediaHosts)
  }

  @Test func sameThreadGivesTheSameBytes() throws {
    let sample = try #require(Samples.all.last)
    #expect(try document(sample) == document(sample))
  }

  @Test func captionsComeFromTheStoreInValidLanguages() throws {
    let document = try Components.render(Invented.thread([Samples.films]), options: Components.options)
    let captions = try #require(document.media["../../media/aa.mp4"]?.captions)
    #expect(captions.map(\.url) == ["ab", "ac", "ad"].map { "../../media/\($0).vtt" })
    #expect(captions.map(\.language) == ["de", "pt-BR", "tlh"])
    #expect(captions.map(\.label) == ["Deutsch", "Português (pt-BR)", "tlh"])
    // A video on another host also has them.
    let tracks = try Components.tokens(of: document).startTags.filter { $0.name == "track" }
    #expect(tracks.compactMap { $0["srclang"] } == captions.map(\.language) + captions.map(\.language))
  }

  @Test func mediaNoneShowsNoImages() throws {
    for sample in Samples.all {
      var options = Components.options
      options.media = .none
      let document = try Components.render(sample.thread, options: options)
      #expect(!document.markdown.string.contains("!["))
      #expect(document.media.isEmpty)
      #expect(document.externalMediaHosts.isEmpty)
      let names = try Set(Components.tokens(of: document).startTags.map(\.name))
      #expect(names.isDisjoint(with: ["img", "video", "source"]))
    }
  }

  @Test func mirrorLoadsNothingFromElsewhere() throws {
    for sample in Samples.all {
      var options = Components.options
      options.media = .mirror
      let document = try Components.render(sample.thread, options: options)
      #expect(document.externalMediaHosts.isEmpty)
      #expect(document.media.keys.allSatisfy { $0.hasPrefix("../../media/") })
      let sources = document.media.values.flatMap { $0.sources.map(\.url) + [$0.poster].compactMap(\.self) }
      #expect(sources.allSatisfy { $0.hasPrefix("../../media/") })
      #expect(Allowlist.violations(try Components.tokens(of: document)) == [])
    }
  }

  @Test func offersSmallerCopiesWithTheImage() throws {
    var options = Components.options
    options.media = .mirror
    let document = try Components.render(Invented.thread([Samples.mirrored]), options: options)
    #expect(
      document.media["../../media/one.jpg"]?.sources == [
        MediaFacts.Source(url: "../../media/one-400.jpg", width: 400),
        MediaFacts.Source(url: "../../media/one.jpg", width: 1200),
      ])
  }

  @Test func linksToPostsOfTheSiteStayOnTheSite() throws {
    let text = "As said in x.com/ada/status/7 and x.com/bo/status/8"
    let post = Invented.post(
      "10", text,
      entities: [
        Invented.entity(
          "x.com/ada/status/7", in: text, .link(url: "https://x.com/ada/status/7", short: nil)),
        Invented.entity("x.com/bo/status/8", in: text, .link(url: "https://x.com/bo/status/8", short: nil)),
      ])
    let quoted = Invented.post("20", "Quoted", author: Invented.babbage)
    var options = Components.options
    options.links = SampleLinks(
      posts: ["20": "../c-20/"], linked: ["https://x.com/ada/status/7": "../a(b)-7/#post-7"])
    let thread = Invented.thread([
      .post(ThreadPost(post, quote: .post(quoted, author: Invented.babbage, quote: nil)))
    ])
    let links = try Components.tokens(of: Components.render(thread, options: options)).startTags
      .filter { $0.name == "a" }
    #expect(links.first { $0["href"] == "../a(b)-7/#post-7" }.map { $0["rel"] == nil } == true)
    #expect(links.contains { $0["href"] == "https://x.com/bo/status/8" && $0["rel"] != nil })
    #expect(links.contains { $0["href"] == "../c-20/" })
    #expect(!links.contains { $0["href"] == quoted.url })
  }

  @Test func recordsFactsAboutMedia() throws {
    let document = try Components.render(Invented.thread([Samples.pictures, Samples.films]))
    #expect(
      document.media["https://pbs.example.com/media/one.jpg"]
        == MediaFacts(kind: .image, width: 1200, height: 800))
    #expect(document.media["../../media/5f1d9a.jpg"]?.width == 1200)
    #expect(
      document.media["https://video.example.com/film.mp4?tag=1&x=_y_"]
        == MediaFacts(
          kind: .video, width: 640, height: 360, poster: "https://pbs.example.com/poster/film.jpg",
          contentType: "video/mp4"))
    #expect(document.media["https://video.example.com/loop-low.mp4"]?.isLooping == true)
    #expect(document.externalMediaHosts == ["files.example.com", "pbs.example.com", "video.example.com"])
    #expect(document.missingAltTexts == 2)
  }

  @Test func everyPostHasAnAnchor() throws {
    let tokens = try Components.tokens(of: Components.render(Samples.whole))
    let ids = tokens.startTags.compactMap { $0["id"] }
    #expect(Set(ids).count == ids.count)
    let anchors = tokens.startTags.compactMap { $0["href"] }.filter { $0.hasPrefix("#") }
    #expect(anchors.count == 14)
    #expect(Set(anchors.map { String($0.dropFirst()) }).isSubset(of: ids))
  }
}
