import Basics
import Foundation
import LoopbackServer
import SitePreview
import SiteWorkspace
import TestSupport
import Testing

/// A site changes while its preview runs, and the pages follow.
@Suite(.serialized) struct PreviewSessionTests {
  private static func setting(_ title: String, _ more: String = "") -> String {
    "title: \(title)\nlanguage: en\ntheme: paper\ntimezone: UTC\nmedia: none\nsearch: false\n\(more)"
  }

  @Test(arguments: [false, true])
  func showsAMistakeUntilItIsCorrected(polls: Bool) async throws {
    try await RunningPreview.run(Self.setting("One"), polls: polls) { preview in
      let page = try RunningPreview.Page(preview)
      let first = try page.next { $0["build"] as? Int == 1 }
      #expect(first["messages"] is NSNull)
      #expect(try preview.title() == "One")

      try preview.folder.save(Self.setting("Two", "tilte: Three\n"), to: "site.yml")
      let failed = try page.next { $0["messages"] is [String] }
      let messages = try #require(failed["messages"] as? [String])
      #expect(messages.count == 1)
      #expect(
        preview.withoutFolder(messages[0]).hasPrefix(
          "site.yml:7:1: error: tilte: unknown key \"tilte\"; did you mean \"title\"?"))
      #expect(failed["build"] as? Int == 1)
      #expect(try preview.title() == "One")

      try preview.folder.save(Self.setting("Two"), to: "site.yml")
      let corrected = try page.next { $0["build"] as? Int == 2 }
      #expect(corrected["messages"] is NSNull)
      #expect(corrected["reload"] as? Int == 2)
      #expect(corrected["session"] as? String == first["session"] as? String)
      #expect(try preview.title() == "Two")
      #expect(preview.changes(ofBuilds: 3) == [[], ["site.yml"], ["site.yml"]])
    }
  }

  @Test func serves503UntilTheFirstBuildSucceeds() async throws {
    try await RunningPreview.run("title: [") { preview in
      let page = try RunningPreview.Page(preview)
      _ = try page.next { $0["messages"] is [String] && $0["build"] as? Int == 0 }
      let response = try preview.response("/x/")
      #expect(response.hasPrefix("HTTP/1.1 503 "))
      #expect(preview.withoutFolder(response).contains("<pre>site.yml:1:"))
      // The base URL is also unknown until then.
      try preview.folder.save(Self.setting("One", "base_url: https://ada.example/below/\n"), to: "site.yml")
      _ = try page.next { $0["build"] as? Int == 1 }
      #expect(try preview.response("/").contains("location: /below/\r\n"))
      #expect(try preview.title("/below/") == "One")
    }
  }

  @Test func followsEveryKindOfFile() async throws {
    try await RunningPreview.run(Self.setting("One")) { preview in
      let page = try RunningPreview.Page(preview)
      _ = try page.next { $0["build"] as? Int == 1 }
      let folder = preview.folder
      var (build, reload) = (1, 1)
      func expectBuilt(_ change: String, isStyle: Bool = false) throws {
        build += 1
        if !isStyle { reload = build }
        let state = try page.next { $0["build"] as? Int == build || $0["messages"] is [String] }
        #expect(state["messages"] is NSNull, "\(change)")
        #expect(state["reload"] as? Int == reload, "\(change)")
      }
      let stored = try #require(try folder.tree("threads").keys.sorted().first { $0.hasPrefix("x/") })
      let thread = try folder.text("threads/" + stored)
      try folder.save(
        thread.replacing("\"text\": \"", with: "\"text\": \"Changed: "), to: "threads/" + stored)
      try expectBuilt("a thread")
      try folder.save("<p>{{text}}</p>", to: "themes/paper/partials/unused.mustache")
      try expectBuilt("a theme")
      try folder.save("body { color: red }", to: "themes/paper/static/style.css")
      try expectBuilt("a style sheet", isStyle: true)
      let poll = try String(
        contentsOfFile: ProjectFolders.repository.path + "/templates/poll.mustache", encoding: .utf8)
      try folder.save(poll, to: "templates/poll.mustache")
      try expectBuilt("a template")
      try folder.save("words:\n  threads: Start\n", to: "templates/strings/en.yml")
      try expectBuilt("words")
      try folder.save("# About\n", to: "pages/about.md")
      try expectBuilt("a page")
      try folder.save("# About\n\nMe.\n", to: "pages/about.md")
      try expectBuilt("another page")
      try folder.removeAtOnce("templates")
      try expectBuilt("no words and no template")
    }
  }

  /// The preview keeps the state of the site between builds. Edits of texts, titles and files follow each other in any order.
  @Test func followsEditsOfTexts() async throws {
    try await RunningPreview.run(Self.setting("One")) { preview in
      let page = try RunningPreview.Page(preview)
      _ = try page.next { $0["build"] as? Int == 1 }
      let folder = preview.folder
      let stored = try #require(try folder.tree("threads").keys.sorted().first { $0.hasPrefix("x/") })
      let thread = try folder.text("threads/" + stored)
      let id = (stored as NSString).deletingPathExtension.split(separator: "/").last ?? ""
      let address = try #require(
        try folder.tree(".threadsite/preview/site").keys.first { $0.hasSuffix("\(id)/index.html") })
      var build = 1
      func expectBuilt() throws {
        build += 1
        let state = try page.next { $0["build"] as? Int == build || $0["messages"] is [String] }
        #expect(state["messages"] is NSNull)
      }
      for round in 0..<3 {
        for number in 0..<2 {
          try folder.save(
            thread.replacing("\"text\": \"", with: "\"text\": \"Changed \(round)-\(number): "),
            to: "threads/" + stored)
          try expectBuilt()
          let body = try preview.response("/" + address)
          #expect(body.contains("Changed \(round)-\(number): "))
        }
        try folder.save(Self.setting("Title \(round)"), to: "site.yml")
        try expectBuilt()
        #expect(try preview.title() == "Title \(round)")
      }
      // The whole folder of the site is missing.
      try folder.removeAtOnce(".threadsite/preview/site")
      try folder.save(thread, to: "threads/" + stored)
      try expectBuilt()
      #expect(try preview.title() == "Title 2")
      #expect(try !preview.response("/" + address).contains("Changed"))
    }
  }

  /// A build that cannot read site.yml does not know the store, so the next one looks at all of its files.
  @Test func showsThreadsThatChangedWhileTheSettingsWereInvalid() throws {
    let (folder, build) = try RunningPreview.site(Self.setting("One"))
    let youngest = try #require(FileSystem.signature(of: folder.path + "/site.yml"))
    while !youngest.isSettled(at: FileSignature.now) { usleep(1000) }
    let (config, thread) = ("site.yml", "threads/x/ada/1001.json")
    func run(_ changed: [String]?) throws {
      let paths = changed.map { $0.map { folder.path + "/" + $0 } }
      _ = try build.run(afterChangesOf: paths, progress: { _ in }, whenInPlace: { _, _ in }).result.get()
    }
    func page() throws -> String {
      let site = try folder.tree(".threadsite/preview/site")
      let page = try #require(site.first { $0.key.hasSuffix("-1001/index.html") })
      return String(decoding: page.value, as: UTF8.self)
    }
    try run(nil)
    #expect(try page().contains("The third one ends it."))
    try folder.save("title: [", to: config)
    try folder.save(
      folder.text(thread).replacing("The third one ends it.", with: "The third one has changed."), to: thread)
    #expect(throws: PipelineError.self) { try run([config, thread]) }
    try folder.save(Self.setting("One"), to: config)
    try run([config])
    #expect(try page().contains("The third one has changed."))
  }

  /// An unpublished thread has no permanent URL yet, and the files that a build writes do not cause another
  /// build.
  @Test func recordsNoPermalinksAndBuildsOncePerChange() async throws {
    try await RunningPreview.run(Self.setting("One")) { preview in
      let page = try RunningPreview.Page(preview)
      _ = try page.next { $0["build"] as? Int == 1 }
      #expect(!preview.folder.exists("threads/permalinks.json"))
      try preview.folder.save(Self.setting("Two"), to: "site.yml")
      let state = try page.next { $0["build"] as? Int ?? 0 > 1 }
      #expect(state["build"] as? Int == 2)
      #expect(!preview.folder.exists("threads/permalinks.json"))
      #expect(!preview.folder.exists("site/index.html"))
      #expect(preview.changes(ofBuilds: 2) == [[], ["site.yml"]])
    }
  }

  @Test func refusesForeignHostsAndPathsOutside() async throws {
    try await RunningPreview.run(Self.setting("One")) { preview in
      try preview.folder.save("secret", to: "secret.txt")
      _ = try RunningPreview.Page(preview).next { $0["build"] as? Int == 1 }
      #expect(try preview.response("/", headers: "Host: evil.example\r\n").hasPrefix("HTTP/1.1 403 "))
      #expect(try preview.response("/", headers: "").hasPrefix("HTTP/1.1 400 "))
      for path in [
        "/../secret.txt", "/%2e%2e/%2e%2e/secret.txt", "/..%2f..%2f..%2fsecret.txt", "//secret.txt",
      ] {
        #expect(try preview.response(path).hasPrefix("HTTP/1.1 400 "), "\(path)")
      }
      #expect(try preview.response("/.threadsite").hasPrefix("HTTP/1.1 404 "))
      // A request that is not HTTP ends its connection and nothing else.
      let broken = try RawConnection(port: preview.port)
      try broken.send("\0\r\n\r\n")
      broken.read { _ in false }
      #expect(try preview.response("/").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func rejectsASecondPreviewOfTheSameSite() async throws {
    try await RunningPreview.run(Self.setting("One")) { preview in
      let second = SitePreviewBuild(
        configFile: preview.folder.path + "/site.yml", isDefault: true, drafts: false, jobs: 1,
        environment: [:], installation: nil)
      let error = #expect(throws: (any Error).self) { _ = try second.lock() }
      #expect("\(error as Any)".contains("another `threadsite serve` shows this site"))
    }
  }

  @Test func usesAnotherPortIfOneIsInUse() async throws {
    let first = try await PreviewServer.start(host: "127.0.0.1", port: 0)
    let second = try await PreviewServer.start(host: "127.0.0.1", port: first.port)
    #expect(second.port != first.port)
    #expect(second.address == "http://127.0.0.1:\(second.port)/")
    first.stop()
    second.stop()
    await #expect(throws: (any Error).self) { _ = try await PreviewServer.start(host: "no address", port: 0) }
  }
}
