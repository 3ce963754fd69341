import Foundation
import SiteConfig
import TestSupport
import Testing

/// docs/configuration.md has a row for every key that the decoder knows, and for no other.
@Suite struct DocumentationTests {
  @Test func tablesListEveryKey() throws {
    let url = ProjectFolders.repository.appending(path: "docs/configuration.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let documented = page.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) }
    }
    #expect(documented.count == Set(documented).count, "a key has more than one row")
    #expect(Set(documented) == Set(SiteConfig.knownKeyPaths))
    #expect(SiteConfig.knownKeyPaths.contains("sources[].min_posts"))
  }

  /// The examples of the page are valid files.
  @Test func examplesDecode() throws {
    let url = ProjectFolders.repository.appending(path: "docs/configuration.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let examples = page.matches(of: /```yaml\n((?s).*?)```/).map { String($0.1) }
    #expect(examples.count >= 3)
    for example in examples {
      #expect(throws: Never.self) { try SiteConfig.decode(yaml: example, file: "site.yml") }
    }
  }

  /// The examples for site.yml on the pages about hosts are valid.
  @Test func examplesForHostsDecode() throws {
    let folder = ProjectFolders.repository.appending(path: "docs/hosting")
    var examples = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let page = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in page.matches(of: /cat >> site.yml <<'YAML'\n((?s).*?)\nYAML\n/) {
        examples += 1
        let yaml = SiteConfig.starter(title: "Threads") + match.1 + "\n"
        #expect(throws: Never.self, "\(file)") { try SiteConfig.decode(yaml: yaml, file: "site.yml") }
      }
    }
    #expect(examples >= 6)
  }
}
