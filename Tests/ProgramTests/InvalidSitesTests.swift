import Foundation
import SiteWorkspace
import TestSupport
import Testing

/// Whole sites that do not build. All errors are reported, and no file changes.
@Suite struct InvalidSitesTests {
  @Test(arguments: [
    ("everything-at-once", "content"), ("damaged-threads", "content"), ("thread-not-in-store", "content"),
    ("one-thread-twice", "configuration"), ("nothing-answers", "content"),
    ("broken-component", "configuration"),
    ("unpaired-marker", "configuration"),
    ("broken-layout", "configuration"), ("broken-strings", "configuration"),
    ("unknown-theme", "configuration"),
    ("broken-configuration", "configuration"),
    ("foreign-output", "io"), ("output-is-the-store", "configuration"), ("two-threads-one-page", "content"),
    ("thread-not-in-collection", "content"),
    ("a-page-of-the-sites-own", "content"), ("missing-media", "content"), ("broken-permalinks", "content"),
    ("no-site-here", "configuration"), ("yaml-not-yml", "configuration"),
  ])
  func reportsAllErrors(name: String, kind: String) throws {
    let site = try TemporarySite(name, kind: "InvalidSites")
    let before = try site.folder.tree()
    let error = try #require(throws: PipelineError.self) { try site.build() }
    let text = error.messages.map { site.withoutPaths($0) + "\n" }.joined()
    try Golden.compare(
      "\(error.kind.word)\n\n\(text)",
      with: TemporarySite.fixtures.appending(path: "InvalidSites/\(name).messages.txt"))
    #expect(error.kind.word == kind)
    #expect(try site.folder.tree() == before)
    #expect(!site.folder.exists(".site.staging"))
    // The messages and their order do not depend on the number of workers.
    let again = #expect(throws: PipelineError.self) { try site.build(jobs: 4) }
    #expect(again?.messages == error.messages)
  }

  @Test func keepsThePreviousSite() throws {
    let site = try TemporarySite("defaults")
    try site.build()
    let before = try site.tree()
    try site.folder.write("{", to: "threads/x/ada/1020.json")
    #expect(throws: PipelineError.self) { try site.build() }
    #expect(try site.tree() == before)
    try site.folder.remove("threads/x/ada/1020.json")
    // An error that occurs only after all threads are written.
    try site.folder.write(
      "{{<base}}{{$main}}{{>*site.title}}{{/main}}{{/base}}", to: "themes/paper/layouts/404.mustache")
    #expect(throws: PipelineError.self) { try site.build() }
    #expect(try site.tree() == before)
    #expect(!site.folder.exists(".site.staging"))
  }

  @Test func checksTheOutputOfTheCommandLine() throws {
    let site = try TemporarySite("defaults")
    let before = try site.folder.tree()
    for output in ["", "/threads", "/threads/site", "/..", "/threads/x/../", "/./"] {
      let error = #expect(throws: PipelineError.self) {
        try site.build(force: true, output: site.path + output)
      }
      #expect(error?.kind == .configuration, "\(output)")
    }
    #expect(try site.folder.tree() == before)
  }

  @Test func resolvesLinksInTheOutputPath() throws {
    let site = try TemporarySite("defaults")
    let other = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: other.path + "/store", withDestinationPath: site.path + "/threads")
    try FileManager.default.createSymbolicLink(atPath: other.path + "/up", withDestinationPath: site.path)
    let before = try site.folder.tree()
    for output in ["/store", "/store/x", "/up", "/up/threads/new"] {
      let error = #expect(throws: PipelineError.self) {
        try site.build(force: true, output: other.path + output)
      }
      #expect(error?.kind == .configuration, "\(output)")
    }
    #expect(try site.folder.tree() == before)
  }

  @Test func overwritesAForeignFolderOnlyWithForce() throws {
    let site = try TemporarySite("foreign-output", kind: "InvalidSites")
    try site.build(force: true)
    #expect(!site.folder.exists("site/thesis.tex"))
    #expect(site.folder.exists("site/index.html"))
  }
}
