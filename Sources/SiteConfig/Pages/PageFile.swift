import Basics

/// A file in `pages/`: its front matter and its Markdown.
package struct PageFile: Sendable, Equatable {
  /// The front matter between two lines of `---` at the beginning of the file.
  package struct FrontMatter: Sendable, Equatable {
    /// One line; `nil` to use the page's first heading.
    package var title: String?
    /// One paragraph, for previews; `nil` to use the page's first paragraph.
    package var description: String?
    /// The last part of the page's URL; `nil` to use the file's name.
    package var slug: String?
    package var menu: MenuPlacement?
    /// Whether the page keeps HTML in the Markdown.
    package var keepsHTML = false
    /// Whether the page is a draft, which is built only on request.
    package var isDraft = false
    /// The page's language as a BCP 47 tag; `nil` for the site's language.
    package var language: String?
  }

  /// Whether the page is in the menu if site.yml does not list the menu's entries.
  package enum MenuPlacement: Sendable, Equatable {
    case shown(Bool)
    /// Shown under a name other than the page's title.
    case named(String)
  }

  package let frontMatter: FrontMatter
  /// The Markdown, with empty lines instead of the front matter, so that line numbers are those of the file.
  package let markdown: [UInt8]
  package let warnings: [ConfigProblem]

  /// Reads a page strictly, like site.yml, and reports all its problems at once.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: the file's name for messages.
  package static func decode(bytes: [UInt8], file: String) throws(SiteConfigError) -> PageFile {
    // Also throws for problems of the whole file, such as invalid UTF-8.
    let bytes = try StrictYAML<FrontMatter>.checked(bytes: bytes, file: file, kind: "page")
    guard let head = try frontMatter(of: bytes, file: file) else {
      return PageFile(frontMatter: FrontMatter(), markdown: bytes, warnings: [])
    }
    // The first line of dashes is also the start of a YAML document, so line numbers are those of the file.
    let decoded = try StrictYAML<FrontMatter>.decode(
      bytes: bytes[head.yaml], file: file, kind: "front matter")
    let lines = bytes[..<head.end].count { $0 == UInt8(ascii: "\n") }
    return PageFile(
      frontMatter: decoded.section,
      markdown: [UInt8](repeating: UInt8(ascii: "\n"), count: lines) + bytes[head.end...],
      warnings: decoded.warnings)
  }

  /// Returns the range of the front matter without its last line of dashes, and the offset after that line; `nil` for a page without front matter.
  private static func frontMatter(
    of bytes: [UInt8], file: String
  ) throws(SiteConfigError) -> (yaml: Range<Int>, end: Int)? {
    var start = 0
    var isFirst = true
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let isDashes = isLineOfDashes(bytes[start..<end])
      if isFirst, !isDashes { return nil }
      if !isFirst, isDashes { return (0..<start, min(end + 1, bytes.count)) }
      isFirst = false
      start = end + 1
    }
    guard !isFirst else { return nil }
    throw SiteConfigError(problems: [
      ConfigProblem(
        file: file, location: ConfigProblem.Location(line: 1, column: 1, sourceLine: "---"),
        message: "the front matter that begins here does not end; write a line of --- after it")
    ])
  }

  private static func isLineOfDashes(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.drop { $0 == UInt8(ascii: "-") }
    return line.count - rest.count == 3 && rest.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
  }

  /// Returns why a name cannot be part of a page's URL; `nil` if it can.
  ///
  /// - Parameter name: the name of a file without its extension, or of a folder.
  package static func problem(withName name: String) -> String? {
    var problems = ProblemList()
    // Underscores and full stops are common in file names, and are treated like hyphens.
    let plain = String(name.map { $0 == "_" || $0 == "." ? "-" : $0 })
    let isName =
      !name.hasBytePrefix(".") && !name.hasBytePrefix("_")
      && ValueReader.slug.read(
        ConfigValue(node: ConfigNode(content: .scalar(plain, isPlain: false), mark: .start), path: ""),
        &problems) == plain
    return isName
      ? nil
      : "\(quoted(name)) cannot be part of a URL: expected lower-case letters and digits, with single hyphens between them"
  }
}

extension PageFile.FrontMatter: ConfigSection {
  package static let defaults = PageFile.FrontMatter()

  package static let fields: [ConfigField<PageFile.FrontMatter>] = [
    ConfigField("title", \.title, .line),
    ConfigField("description", \.description, .paragraph),
    ConfigField("slug", \.slug, .slug),
    ConfigField("menu", \.menu, .menuWish),
    ConfigField("html", \.keepsHTML, .flag),
    ConfigField("draft", \.isDraft, .flag),
    ConfigField("language", \.language, .language),
  ]

  /// The keys that front matter may contain.
  package static var knownKeyPaths: [String] { knownKeys }
}

extension ValueReader where Value == PageFile.MenuPlacement {
  fileprivate static var menuWish: ValueReader {
    ValueReader { value, problems in
      if case .scalar(let text, isPlain: true) = value.node.content, text == "true" || text == "false" {
        return .shown(text == "true")
      }
      if case .scalar(let text, isPlain: true) = value.node.content,
        let meant = ["yes": true, "on": true, "no": false, "off": false][text.lowercased()]
      {
        problems.error(
          "expected true, false or a label; did you mean \(meant)? Put the label \(quoted(text)) in quotes.",
          at: value)
        return nil
      }
      return ValueReader<String>.line.read(value, &problems).map { .named($0) }
    }
  }
}
