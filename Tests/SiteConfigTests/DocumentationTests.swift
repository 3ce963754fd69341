import Foundation
import SiteConfig
import TestSupport
import Testing

/// docs/reference/configuration.md has a row for every key that the decoder knows, and for no other.
@Suite struct DocumentationTests {
  @Test func tablesListEveryKey() throws {
    let url = ProjectFolders.repository.appending(path: "docs/reference/configuration.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let documented = page.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.1) }
    }
    #expect(documented.count == Set(documented).count, "a key has more than one row")
    #expect(Set(documented) == Set(SiteConfig.knownKeyPaths(with: .networks)))
    #expect(SiteConfig.knownKeyPaths(with: .networks).contains("sources[].min_posts"))
  }

  /// The examples of the page are valid files.
  @Test func examplesDecode() throws {
    let url = ProjectFolders.repository.appending(path: "docs/reference/configuration.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    let examples = page.matches(of: /```yaml\n((?s).*?)```/).map { String($0.1) }
    #expect(examples.count >= 3)
    for example in examples {
      #expect(throws: Never.self) { try SiteConfig.decode(yaml: example, file: "site.yml") }
    }
  }

  /// Every key is in an example.
  @Test func examplesShowEveryKey() throws {
    let url = ProjectFolders.repository.appending(path: "docs/reference/configuration.md")
    let page = try String(contentsOf: url, encoding: .utf8)
    var shown: Set<String> = []
    for example in page.matches(of: /```yaml\n((?s).*?)```/) {
      Self.add(try TypedYAML.read(example.1), at: "", to: &shown)
    }
    let missing = Set(SiteConfig.knownKeyPaths(with: .networks)).subtracting(shown)
    #expect(missing.isEmpty, "keys without an example: \(missing.sorted())")
  }

  /// Adds the paths of the keys of a value of YAML, as in the tables.
  private static func add(_ value: Any, at path: String, to paths: inout Set<String>) {
    if let mapping = value as? [String: Any] {
      for (key, member) in mapping {
        let inner = path.isEmpty ? key : "\(path).\(key)"
        paths.insert(inner)
        add(member, at: inner, to: &paths)
      }
    } else if let list = value as? [Any] {
      for member in list { add(member, at: path + "[]", to: &paths) }
    }
  }

  /// The examples for site.yml in tutorials, how-tos and the README are valid. Examples of other files begin with a comment that names the
  /// file.
  @Test func examplesOfOtherPagesDecode() throws {
    let docs = ProjectFolders.repository.appending(path: "docs")
    var pages = [ProjectFolders.repository.appending(path: "README.md")]
    for part in ["tutorials", "how-to", "explanation"] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: docs.appending(path: part).path)
      pages += names.filter { $0.hasSuffix(".md") }.map { docs.appending(path: "\(part)/\($0)") }
    }
    var examples = 0
    for page in pages {
      let text = try String(contentsOf: page, encoding: .utf8)
      for match in text.matches(of: /(?m)^( *)```yaml\n((?s).*?)^ *```/) where !match.2.hasPrefix("# .") {
        examples += 1
        let lines = match.2.components(separatedBy: "\n")
        let yaml = lines.map { String($0.dropFirst(min(match.1.count, $0.prefix { $0 == " " }.count))) }
          .joined(separator: "\n")
        #expect(throws: Never.self, "\(page.lastPathComponent): \(yaml)") {
          try SiteConfig.decode(yaml: yaml, file: "site.yml")
        }
      }
    }
    #expect(examples > 20)
  }

  /// The examples for site.yml on the pages about hosts are valid.
  @Test func examplesForHostsDecode() throws {
    let folder = ProjectFolders.repository.appending(path: "docs/how-to/hosting")
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
