import Foundation
import SiteOutput
import TestSupport
import Testing
import ThreadMarkdown

/// docs/theming.md has every value that a template is given, and no installed template uses another.
@Suite struct ThemingDocumentationTests {
  private static let repository = ProjectFolders.repository

  /// Every word of its code spans, such as `thread`, `tags` and `name` of `thread.tags[]` with `name`.
  private static func documented() throws -> Set<String> {
    let text = try String(contentsOf: repository.appending(path: "docs/theming.md"), encoding: .utf8)
    var words: Set<String> = []
    for span in text.matches(of: /`([^`\n]+)`/) {
      for word in span.output.1.split(whereSeparator: { !$0.isLetter && $0 != "_" }) {
        words.insert(String(word))
      }
    }
    return words
  }

  private static func files(below folder: String, ending: String) throws -> [URL] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: folder).path)
    return names.filter { $0.hasSuffix(ending) }.sorted().map {
      repository.appending(path: "\(folder)/\($0)")
    }
  }

  /// The names that code gives to values: `"title": .text(…)` and `values["title"] = …`.
  @Test(arguments: ["Sources/SiteOutput/Pages", "Sources/ThreadMarkdown"])
  func everyValueIsDocumented(folder: String) throws {
    let documented = try Self.documented()
    var count = 0
    for file in try Self.files(below: folder, ending: ".swift")
    where folder.hasSuffix("Pages") || file.lastPathComponent.hasPrefix("ThreadComposer") {
      // What phrases are filled with is not given to templates.
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing(/wording\.text\([^()]*(\([^()]*\)[^()]*)*\)/, with: "")
      let keys =
        text.matches(of: /"([a-z_]+)":\s/).map(\.output.1)
        + text.matches(of: /\["([a-z_]+)"\]/).map(\.output.1)
      let known = folder.hasSuffix("Pages") ? Theme.valueNames : ThreadComponents.valueNames
      for key in keys {
        count += 1
        #expect(known.contains(String(key)), "\(file.lastPathComponent) has \"\(key)\", valueNames has not")
        #expect(
          documented.contains(String(key)),
          "\(file.lastPathComponent) has \"\(key)\", docs/theming.md has not")
      }
    }
    #expect(count > 40)
  }

  /// The names by which slips in templates are told are those of the page.
  @Test func namesForSuggestionsAreDocumented() throws {
    let missing = Theme.valueNames.union(ThreadComponents.valueNames).subtracting(try Self.documented())
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test(arguments: ["templates", "themes"])
  func everyNameInTemplatesIsDocumented(folder: String) throws {
    let documented = try Self.documented()
    for file in try Self.files(below: folder, ending: ".mustache") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for tag in text.matches(of: /\{\{\{?[#^&]?([a-z_.]+)\}?\}\}/) {
        // Options and assets are the theme's own; words that there are none of fail to compile.
        guard !tag.output.1.hasPrefix("words."), !tag.output.1.hasPrefix("theme.options."),
          !tag.output.1.hasPrefix("theme.assets.")
        else {
          continue
        }
        for part in tag.output.1.split(separator: ".") {
          #expect(documented.contains(String(part)), "\(file.lastPathComponent): {{\(tag.output.1)}}")
        }
      }
    }
  }
}
