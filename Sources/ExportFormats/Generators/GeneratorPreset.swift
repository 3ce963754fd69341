package import Basics
package import SiteOutput
package import ThreadModel

/// How a site generator stores posts: the files, the front matter, and the texts that it would run as code.
package struct GeneratorPreset: Sendable {
  enum Syntax: Sendable {
    case yaml
    /// Zola's default, between lines of `+++`.
    case toml
  }

  /// The path of a post, with `NAME` in place of the post's name.
  let post: String
  /// The paths of a picture of a post, with `NAME` and `FILE`.
  let pictures: [String]
  /// The paths of another media file; `nil` if they are those of pictures.
  var otherMedia: [String]?
  /// The text before a file's name in a post.
  package var mediaPrefix = ""
  var syntax = Syntax.yaml
  /// Pairs of bytes that begin code or markup of the generator. A backslash is written between them.
  package var pairs: [String] = []
  /// A file for the whole export, which is not written over a file of the owner.
  var extraFile: (@Sendable (_ title: String) -> (path: String, text: String))?
  /// The front matter of a post, in order. Entries without a value are left out.
  let fields: @Sendable (GeneratorPost) -> [(key: String, value: FrontMatterValue?)]
}

/// A thread as a post of a site generator.
package struct GeneratorPost: Sendable {
  /// The name of the file or folder, which begins with the day and is also the post's slug.
  package var name: String
  package var summary: ThreadSummary
  /// The URL of the thread on its network.
  package var source: String?

  package init(name: String, summary: ThreadSummary, source: String?) {
    self.name = name
    self.summary = summary
    self.source = source
  }

  fileprivate var title: FrontMatterValue { .text(summary.title) }
  fileprivate var slug: FrontMatterValue { .text(name) }
  fileprivate var date: FrontMatterValue? { summary.published.map(FrontMatterValue.date) }
  fileprivate var updated: FrontMatterValue? {
    summary.updated == summary.published ? nil : summary.updated.map(FrontMatterValue.date)
  }
  fileprivate var description: FrontMatterValue? { summary.excerpt.isEmpty ? nil : .text(summary.excerpt) }
  fileprivate var tags: FrontMatterValue? { summary.tags.isEmpty ? nil : .list(summary.tags.map(\.name)) }
  fileprivate var language: FrontMatterValue? { summary.language.map(FrontMatterValue.text) }
  fileprivate var author: FrontMatterValue { .text(summary.author.name) }
  /// The thread's page on this site, from the site's root.
  fileprivate var formerPages: FrontMatterValue { .list(["/" + summary.path.text]) }
  fileprivate var origin: [(key: String, value: FrontMatterValue?)] {
    [
      ("author", author), ("author_url", summary.author.url.map(FrontMatterValue.text)),
      ("source", source.map(FrontMatterValue.text)), ("network", .text(summary.id.platform.rawValue)),
    ]
  }
}

package enum FrontMatterValue: Sendable {
  case text(String)
  case date(Timestamp)
  case list([String])
  case flag(Bool)
  case table([(key: String, value: FrontMatterValue?)])
}

extension GeneratorPreset {
  /// A page bundle (https://gohugo.io/content-management/page-bundles/). `params` are the page's own facts.
  package static let hugo = GeneratorPreset(
    post: "NAME/index.md", pictures: ["NAME/FILE"], pairs: ["{{"]
  ) { post in
    [
      ("title", post.title), ("slug", post.slug), ("date", post.date), ("lastmod", post.updated),
      ("description", post.description), ("tags", post.tags), ("aliases", post.formerPages),
      ("params", .table(post.origin + [("language", post.language)])),
    ]
  }

  /// A page with its files (https://www.getzola.org/documentation/content/page/). Zola allows only its own keys outside of `extra`.
  package static let zola = GeneratorPreset(
    post: "NAME/index.md", pictures: ["NAME/FILE"], syntax: .toml, pairs: ["{{", "{%"],
    extraFile: { ("_index.md", "+++\ntitle = \(FrontMatterValue.quoted($0))\nsort_by = \"date\"\n+++\n") }
  ) { post in
    [
      ("title", post.title), ("slug", post.slug), ("date", post.date), ("updated", post.updated),
      ("description", post.description), ("aliases", post.formerPages),
      ("taxonomies", post.tags.map { .table([("tags", $0)]) }),
      ("extra", .table(post.origin + [("language", post.language)])),
    ]
  }

  /// A content collection (https://docs.astro.build/en/guides/content-collections/), from the root of the project. Astro's build processes
  /// pictures of a post, but not the files to which it links; those are copied as they are from `public`.
  package static let astro = GeneratorPreset(
    post: "src/content/threads/NAME/index.md",
    pictures: ["src/content/threads/NAME/FILE", "public/threads/NAME/FILE"],
    otherMedia: ["public/threads/NAME/FILE"], mediaPrefix: "./",
    extraFile: { _ in ("src/threads-collection.ts", astroCollection) }
  ) { post in
    [
      ("title", post.title), ("date", post.date), ("updated", post.updated),
      ("description", post.description),
      ("tags", post.tags ?? .list([])), ("aliases", post.formerPages), ("language", post.language),
    ] + post.origin
  }

  private static let astroCollection = """
    import { defineCollection } from 'astro:content';
    import { glob } from 'astro/loaders';
    import { z } from 'astro/zod';

    export const threads = defineCollection({
      loader: glob({ pattern: '*/index.md', base: './src/content/threads' }),
      schema: z.object({
        title: z.string(),
        date: z.coerce.date().optional(),
        updated: z.coerce.date().optional(),
        description: z.string().optional(),
        tags: z.array(z.string()),
        aliases: z.array(z.string()),
        language: z.string().optional(),
        author: z.string(),
        author_url: z.string().optional(),
        source: z.string().optional(),
        network: z.string(),
      }),
    });

    """

  /// A folder for each post. `templateEngineOverride` keeps Liquid from running texts of posts
  /// (https://www.11ty.dev/docs/template-overrides/).
  package static let eleventy = GeneratorPreset(post: "NAME/index.md", pictures: ["NAME/FILE"]) { post in
    [
      ("title", post.title), ("date", post.date), ("updated", post.updated),
      ("description", post.description),
      ("tags", post.tags), ("aliases", post.formerPages), ("language", post.language),
      ("templateEngineOverride", .text("md")),
    ] + post.origin
  }

  /// Posts, from the root of the project, with their media where their pages will be, so that the same relative URLs work
  /// (https://jekyllrb.com/docs/posts/). `redirect_from` is read by the plugin jekyll-redirect-from.
  package static let jekyll = GeneratorPreset(
    post: "_posts/NAME.md", pictures: ["threads/NAME/FILE"], pairs: ["{:"]
  ) { post in
    [
      ("layout", .text("post")), ("title", post.title), ("date", post.date),
      ("last_modified_at", post.updated),
      ("description", post.description), ("tags", post.tags), ("permalink", .text("/threads/\(post.name)/")),
      ("redirect_from", post.formerPages), ("lang", post.language), ("render_with_liquid", .flag(false)),
    ] + post.origin
  }
}

extension GeneratorPreset {
  /// Returns the path of a post in the folder of the export.
  package func path(of name: String) -> String { post.replacing("NAME", with: name) }

  /// Returns the paths of a media file of a post.
  package func paths(of file: String, in name: String, isPicture: Bool) -> [String] {
    (isPicture ? pictures : otherMedia ?? pictures).map {
      $0.replacing("FILE", with: file).replacing("NAME", with: name)
    }
  }

  /// Returns the file for the whole export.
  package func extraFile(title: String) -> (path: String, text: String)? { extraFile?(title) }

  /// Returns the front matter with the lines around it and an empty line.
  package func frontMatter(of post: GeneratorPost) -> UTF8Buffer {
    let fence = syntax == .yaml ? "---\n" : "+++\n"
    var text = UTF8Buffer(fence)
    var tables: [(String, [(key: String, value: FrontMatterValue?)])] = []
    for (key, value) in fields(post) {
      guard let value else { continue }
      if case .table(let members) = value {
        if syntax == .toml {
          // In TOML, everything after a table's name belongs to the table.
          tables.append((key, members))
          continue
        }
        text.append("\(key):\n")
        for member in members { append(member.key, member.value, to: &text, indented: true) }
      } else {
        append(key, value, to: &text)
      }
    }
    for (name, members) in tables {
      text.append("[\(name)]\n")
      for member in members { append(member.key, member.value, to: &text) }
    }
    text.append(fence + "\n")
    return text
  }

  private func append(
    _ key: String, _ value: FrontMatterValue?, to text: inout UTF8Buffer, indented: Bool = false
  ) {
    guard let value else { return }
    let start = indented ? "  " : ""
    text.append(start + key + (syntax == .yaml ? ": " : " = ") + value.scalar + "\n")
  }
}

extension FrontMatterValue {
  /// The value as YAML and as TOML, which agree on it.
  fileprivate var scalar: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .date(let date): date.iso8601
    case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    case .flag(let flag): flag ? "true" : "false"
    case .table: ""
    }
  }

  /// Returns a string in double quotes, with the escape sequences that YAML 1.2 (5.7) and TOML 1.0 have in common.
  fileprivate static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: result += escape(scalar)
      case _ where TextControls.isUnfit(scalar) || TextControls.isDirection(scalar): result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    let width = scalar.value > 0xFFFF ? 8 : 4
    return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
  }
}
