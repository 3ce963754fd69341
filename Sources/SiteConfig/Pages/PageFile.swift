import Basics

/// A file of `pages/`: what its front matter says, and its Markdown.
package struct PageFile: Sendable, Equatable {
  /// What stands between two lines of `---` at the head of the file.
  package struct FrontMatter: Sendable, Equatable {
    /// One line; without it the page's first heading is its title.
    package var title: String?
    /// One paragraph, for previews; without it the first paragraph of the page.
    package var description: String?
    /// The last part of the page's address, in the place of the file's name.
    package var slug: String?
    package var menu: MenuWish?
    /// Whether HTML in the Markdown is part of the page.
    package var keepsHTML = false
    /// Drafts are built only when asked for.
    package var isDraft = false
    /// Of the page, as a BCP 47 tag; `nil` for the site's.
    package var language: String?
  }

  /// Whether the page is in the menu, where site.yml does not list what is.
  package enum MenuWish: Sendable, Equatable {
    case shown(Bool)
    /// Under another name than the page's title.
    case named(String)
  }

  package let frontMatter: FrontMatter
  /// With empty lines in the place of the front matter, so that every line has the number that it has in the file.
  package let markdown: [UInt8]
  package let warnings: [ConfigProblem]

  /// Reads a page strictly, as site.yml is read: everything that is wrong with it is found in one go.
  ///
  /// - Parameters:
  ///   - bytes: the file, in UTF-8.
  ///   - file: its name for messages.
  package static func decode(bytes: [UInt8], file: String) throws(SiteConfigError) -> PageFile {
    // Also says what is wrong with the file as a whole, such as that it is no UTF-8.
    let bytes = try StrictYAML<FrontMatter>.checked(bytes: bytes, file: file, kind: "page")
    guard let head = try frontMatter(of: bytes, file: file) else {
      return PageFile(frontMatter: FrontMatter(), markdown: bytes, warnings: [])
    }
    // The line of dashes that the front matter begins with begins a document of YAML, too, so that lines count alike.
    let decoded = try StrictYAML<FrontMatter>.decode(
      bytes: bytes[head.yaml], file: file, kind: "front matter")
    let lines = bytes[..<head.end].count { $0 == UInt8(ascii: "\n") }
    return PageFile(
      frontMatter: decoded.section,
      markdown: [UInt8](repeating: UInt8(ascii: "\n"), count: lines) + bytes[head.end...],
      warnings: decoded.warnings)
  }

  /// Where the front matter is, from its first line of dashes up to its last, and where it ends; `nil` for a page that begins at once.
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
        message: "the front matter that begins here does not end; write a line of --- behind it")
    ])
  }

  private static func isLineOfDashes(_ line: ArraySlice<UInt8>) -> Bool {
    let rest = line.drop { $0 == UInt8(ascii: "-") }
    return line.count - rest.count == 3 && rest.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
  }

  /// Why a name cannot be a part of a page's address; `nil` where it can.
  ///
  /// - Parameter name: of a file without its ending, or of a folder.
  package static func problem(withName name: String) -> String? {
    var problems = ProblemList()
    // Underscores and dots are usual in files' names, and as good as hyphens.
    let plain = String(name.map { $0 == "_" || $0 == "." ? "-" : $0 })
    let isName =
      !name.hasBytePrefix(".") && !name.hasBytePrefix("_")
      && ValueReader.slug.read(
        ConfigValue(node: ConfigNode(content: .scalar(plain, isPlain: false), mark: .start), path: ""),
        &problems) == plain
    return isName
      ? nil
      : "\(quoted(name)) cannot be a part of an address: expected lower-case letters and digits, with single hyphens between them"
  }
}

extension PageFile.FrontMatter: ConfigSection {
  static let defaults = PageFile.FrontMatter()

  static let fields: [ConfigField<PageFile.FrontMatter>] = [
    ConfigField("title", \.title, .line),
    ConfigField("description", \.description, .paragraph),
    ConfigField("slug", \.slug, .slug),
    ConfigField("menu", \.menu, .menuWish),
    ConfigField("html", \.keepsHTML, .flag),
    ConfigField("draft", \.isDraft, .flag),
    ConfigField("language", \.language, .language),
  ]

  /// The keys that front matter can hold.
  package static var knownKeyPaths: [String] { knownKeys }
}

extension ValueReader where Value == PageFile.MenuWish {
  fileprivate static var menuWish: ValueReader {
    ValueReader { value, problems in
      if case .scalar(let text, isPlain: true) = value.node.content, text == "true" || text == "false" {
        return .shown(text == "true")
      }
      return ValueReader<String>.line.read(value, &problems).map { .named($0) }
    }
  }
}
