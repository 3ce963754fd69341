import Foundation
import SiteOutput
import TestSupport
import Testing
import ThreadMarkdown

/// docs/reference/theming.md lists every value of templates, and installed templates use no others.
@Suite struct ThemingDocumentationTests {
  private static let repository = ProjectFolders.repository

  /// Every word in its code spans, such as `thread`, `tags` and `name` of `thread.tags[]` with `name`.
  private static func documented() throws -> Set<String> {
    let text = try String(
      contentsOf: repository.appending(path: "docs/reference/theming.md"), encoding: .utf8)
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

  /// The names that the code gives to values: `"title": .text(…)` and `values["title"] = …`.
  @Test(arguments: ["Sources/SiteOutput/Pages", "Sources/ThreadMarkdown"])
  func everyValueIsDocumented(folder: String) throws {
    let documented = try Self.documented()
    var count = 0
    for file in try Self.files(below: folder, ending: ".swift")
    where folder.hasSuffix("Pages") && file.lastPathComponent != "PageValues.swift"
      || file.path.contains("/Components/")
      || ["ThreadComposer.swift", "DocumentWriter.swift"].contains(file.lastPathComponent)
    {
      // The values of phrases are not available in templates.
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing(/localization\.text\([^()]*(\([^()]*\)[^()]*)*\)/, with: "")
      let keys =
        text.replacing(/\bcase ("[a-z_]+"|\.[A-Za-z]+)(, "[a-z_]+")*:/, with: "")
        .matches(of: /"([a-z_]+)":\s/).map(\.output.1)
        + text.matches(of: /\["([a-z_]+)"\]/).map(\.output.1)
      let known = folder.hasSuffix("Pages") ? LayoutValues.names : ThreadComponents.valueNames
      for key in keys {
        count += 1
        #expect(
          known.contains(String(key)), "\(file.lastPathComponent) has \"\(key)\", which is not declared")
        #expect(
          documented.contains(String(key)),
          "\(file.lastPathComponent) has \"\(key)\", docs/reference/theming.md has not")
      }
    }
    #expect(count > 40)
  }

  /// The page lists the names that are suggested for misspelled ones.
  @Test func namesForSuggestionsAreDocumented() throws {
    let missing = LayoutValues.names.union(ThreadComponents.valueNames).subtracting(try Self.documented())
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  /// Each component's template uses the values in its own row of the table.
  @Test func everyComponentUsesTheValuesOfItsRow() throws {
    let page = try String(
      contentsOf: Self.repository.appending(path: "docs/reference/theming.md"), encoding: .utf8)
    var rows: [String: Set<String>] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      let names = cells[1].matches(of: /`([a-z]+)`/).map { String($0.output.1) }
      let values = Set(
        cells[2...].joined(separator: "|").matches(of: /`([a-z_.]+)(\[\])?`/).map { String($0.output.1) })
      // The first row with a name belongs to the component; rows of other tables follow.
      for name in names where rows[name] == nil { rows[name] = values }
    }
    let files =
      try Self.files(below: "templates", ending: ".mustache")
      + Self.files(below: "themes", ending: ".mustache").filter { $0.path.contains("/templates/") }
    #expect(files.count > ThreadComponents.templateNames.count)
    for file in files where !file.path.contains("/ci/") {
      let component = file.deletingPathExtension().lastPathComponent
      let values = try #require(rows[component], "docs/reference/theming.md has no row for \(component)")
      for tag in try Self.tags(in: file) {
        for name in tag.split(separator: ".") {
          #expect(values.contains(String(name)), "\(file.path): {{\(tag)}} is not in the row of \(component)")
        }
      }
    }
  }

  /// Each path in a layout or a partial, such as `thread.author.name`, is in the tables.
  @Test func everyPathOfLayoutsIsDocumented() throws {
    let paths = try Self.documentedPaths()
    var count = 0
    for file in try Self.files(below: "themes", ending: ".mustache") where !file.path.contains("/templates/")
    {
      for tag in try Self.tags(in: file) where tag.contains(".") {
        count += 1
        #expect(Self.has(tag, in: paths), "\(file.path): {{\(tag)}}")
      }
    }
    #expect(count > 100)
  }

  /// The paths in the page's code spans, without the marks of lists. `.alt` after `page.image.url` means
  /// `page.image.alt`. At the beginning of a table's row, it means a member of each element of a list.
  private static func documentedPaths() throws -> Set<String> {
    let page = try String(
      contentsOf: repository.appending(path: "docs/reference/theming.md"), encoding: .utf8)
    var paths: Set<String> = []
    for line in page.split(separator: "\n") {
      var parent: String?
      for span in line.matches(of: /`([a-z_.<>\[\]]+)`/) {
        var path = String(span.output.1.replacing("[]", with: ""))
        if path.hasPrefix(".") {
          let rest = String(path.dropFirst())
          path = parent.map { $0.isEmpty ? rest : "\($0).\(rest)" } ?? rest
          parent = parent ?? ""
        } else {
          parent = path.split(separator: ".").dropLast().joined(separator: ".")
        }
        let names = path.split(separator: ".")
        for end in names.indices { paths.insert(names[...end].joined(separator: ".")) }
      }
    }
    return paths
  }

  /// Whether the page has the path, or its beginning and its end as a member of that.
  private static func has(_ tag: String, in paths: Set<String>) -> Bool {
    if paths.contains(tag) { return true }
    let names = tag.split(separator: ".")
    return names.indices.dropFirst().contains { cut in
      paths.contains(names[..<cut].joined(separator: "."))
        && paths.contains(names[cut...].joined(separator: "."))
    }
  }

  /// The names in a template's tags, except for words, options and assets, which have their own checks.
  private static func tags(in file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).matches(of: /\{\{\{?[#^&]?([a-z_.]+)\}?\}\}/)
      .map { String($0.output.1) }
      .filter { tag in
        tag != "." && !["words.", "theme.options.", "theme.assets."].contains { tag.hasPrefix($0) }
      }
  }

  @Test(arguments: ["templates", "themes"])
  func everyNameInTemplatesIsDocumented(folder: String) throws {
    let documented = try Self.documented()
    for file in try Self.files(below: folder, ending: ".mustache") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for tag in text.matches(of: /\{\{\{?[#^&]?([a-z_.]+)\}?\}\}/) {
        // Options and assets belong to the theme; unknown words do not compile.
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
