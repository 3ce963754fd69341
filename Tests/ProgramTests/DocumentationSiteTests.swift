import Foundation
import TestSupport
import Testing

/// `make docs-site`: the documentation is a site that the program builds and checks without errors.
@Suite(.fewAtOnce) struct DocumentationSiteTests {
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python 3 is not installed"))
  func documentationIsASite() async throws {
    let folder = try TemporaryFolder()
    let program = try #require(Program.executable, "the program is not built")
    var script = Program(folder: folder.path)
    script.executable = ProjectFolders.repository.appending(path: "Packaging/docs-site/make")
    let outcome = try await script.runAside([program.path, folder.path + "/site"])
    // `check` also fails for links to missing headings.
    #expect(outcome.code == 0, "\(outcome.output)\n\(outcome.errors)")

    // Each page is in the list of pages, which every page has.
    let overview = try folder.text("site/docs/index.html")
    let docs = ProjectFolders.repository.appending(path: "docs")
    for part in ["tutorials", "how-to", "reference", "explanation"] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: docs.appending(path: part).path)
      for name in names where name.hasSuffix(".md") {
        let page = "\(part)/\(name.dropLast(3))/"
        #expect(overview.contains("<a href=\"../docs/\(page)\">"), "\(page)")
        #expect(folder.exists("site/docs/\(page)index.html"), "\(page)")
      }
    }
    #expect(
      try folder.text("site/docs/reference/configuration/index.html").contains("<th scope=\"col\">Key</th>"))
    // The sample threads are the demo.
    #expect(
      try folder.tree("site").keys.contains { $0.hasPrefix("x/ada_example/") && $0.hasSuffix("/index.md") })
  }

  private static let lists = [
    (folder: "how-to/hosting/", page: "how-to/publish.md"),
    (folder: "how-to/moving/", page: "how-to/export-threads.md"),
  ]

  /// docs/README.md, or the page about the task, links to every page.
  @Test func indexListsEveryPage() throws {
    let docs = ProjectFolders.repository.appending(path: "docs")
    let index = try String(contentsOf: docs.appending(path: "README.md"), encoding: .utf8)
    for name in try FileManager.default.subpathsOfDirectory(atPath: docs.path) where name.hasSuffix(".md") {
      guard name != "README.md", !name.hasPrefix("images/") else { continue }
      // Other pages list the hosts and the programs to which threads move.
      let list = Self.lists.first { name.hasPrefix($0.folder) }
      let text =
        try list.map { try String(contentsOf: docs.appending(path: $0.page), encoding: .utf8) } ?? index
      let link = list == nil ? name : String(name.dropFirst("how-to/".count))
      #expect(text.contains("](\(link))"), "\(list?.page ?? "README.md") does not list \(name)")
    }
  }
}
