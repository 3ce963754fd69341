import Basics
import Foundation

/// An entry of `threads`: changes to the thread that contains a given post.
///
/// An entry does not fetch the thread, and adds it to the site only if `include` is `listed`.
package struct ThreadEntry: Sendable, Equatable {
  package var url: PostReference
  /// The title; `nil` to make it from the beginning of the thread.
  package var title: String?
  /// Tags in addition to the thread's hashtags.
  package var tags: [String] = []
  /// The slug of the page.
  package var slug: String?
  /// Posts that are left out of the page.
  package var hide: [PostReference] = []
  /// More URLs that redirect to the thread's page, relative to the site: `old/post/` or `old/post.html`, without duplicates.
  package var aliases: [String] = []
  /// The same thread on other networks, by any of its posts there. The pages of those threads redirect to this thread's page.
  package var sameAs: [PostReference] = []
  /// Whether the thread is a draft, which is built only on request.
  package var isDraft = false
  /// The time before which the thread is a draft.
  package var publishAt: PublicationTime?
  /// Whether that time has not come. The file does not contain this fact; the site's folder sets it when it is opened.
  package var isWaiting = false
  /// Whether the thread's page is excluded from search engines.
  package var noindex = false
  /// Whether the site leaves out the thread.
  package var isExcluded = false
  /// Descriptions of images without alternative text, by the images' file names in the store.
  package var alt: [String: String] = [:]
  /// Descriptions of images by their posts. Each describes the post's first image without alternative text.
  package var altOfPosts: [PostReference: String] = [:]
  /// Markdown by the site's owner before and after the thread.
  package var intro: String?
  package var afterword: String?
  /// Markdown by the site's owner after single posts.
  package var notes: [Note] = []
  /// Whether replies by other authors are shown; `nil` to use the setting of the thread's source.
  package var replies: Bool?

  package init(url: PostReference) { self.url = url }

  /// Whether the thread is built only on request.
  package var isHeldBack: Bool { isDraft || isWaiting }

  /// A note by the site's owner on a single post.
  package struct Note: Sendable, Equatable {
    package var post: PostReference
    /// The note as Markdown.
    package var text: String
    /// The post's id or URL as written in the file.
    package var name: String
  }
}

/// Which threads of the store are on the site.
package enum Inclusion: String, Sendable, CaseIterable {
  /// All threads except drafts and excluded threads.
  case all
  /// Only threads with an entry in `threads`, except drafts and excluded threads.
  case listed
}

/// The keys of an entry of `threads`.
private struct ThreadFields: ConfigSection {
  var url: PostReference?
  var title: String?
  var tags: [String] = []
  var slug: String?
  /// Read after `url`, because an id alone belongs to the network of `url`.
  var hide: ConfigValue?
  var aliases: [String] = []
  var sameAs: [PostReference] = []
  var draft = false
  var publishAt: PublicationTime?
  var exclude = false
  var noindex = false
  /// Read after `url`.
  var alt: ConfigValue?
  var replies: Bool?
  var intro: String?
  var afterword: String?
  /// Read after `url`.
  var notes: ConfigValue?

  package static let defaults = ThreadFields()

  package static let fields: [ConfigField<ThreadFields>] = [
    ConfigField("url", \.url, .post, isRequired: true),
    ConfigField("title", \.title, .line),
    ConfigField("tags", \.tags, .tags),
    ConfigField("slug", \.slug, .slug),
    ConfigField("aliases", \.aliases, .aliases),
    ConfigField("hide", \.hide, ValueReader { value, _ in value }),
    ConfigField("same_as", \.sameAs, .list(of: .remembered(.post))),
    ConfigField("draft", \.draft, .flag),
    ConfigField("publish_at", \.publishAt, .publicationTime),
    ConfigField("exclude", \.exclude, .flag),
    ConfigField("noindex", \.noindex, .flag),
    ConfigField("replies", \.replies, .flag),
    ConfigField("alt", \.alt, ValueReader { value, _ in value }),
    ConfigField("intro", \.intro, .remembered(.markdown)),
    ConfigField("afterword", \.afterword, .remembered(.markdown)),
    ConfigField("notes", \.notes, ValueReader { value, _ in value }),
  ]

  func entry(problems: inout ProblemList) -> ThreadEntry? {
    guard let url else { return nil }
    var entry = ThreadEntry(url: url)
    entry.title = title
    entry.tags = tags
    entry.slug = slug
    entry.aliases = aliases
    entry.sameAs = sameAs
    entry.isDraft = draft
    entry.publishAt = publishAt
    entry.isExcluded = exclude
    entry.noindex = noindex
    entry.replies = replies
    entry.intro = intro
    entry.afterword = afterword
    if let notes { entry.notes = read(notes, of: url, &problems) }
    if let alt { readDescriptions(alt, into: &entry, &problems) }
    if let hide { entry.hide = ValueReader.hiddenPosts(of: url).read(hide, &problems) ?? [] }
    return entry
  }
}

extension ThreadFields {
  /// Reads notes on single posts, by the posts' ids or URLs.
  private func read(
    _ value: ConfigValue, of thread: PostReference, _ problems: inout ProblemList
  ) -> [ThreadEntry.Note] {
    guard case .mapping(let entries) = value.node.content else {
      problems.error(
        "expected a mapping from ids or URLs of posts to notes, found \(value.node.kind)",
        at: value)
      return []
    }
    var notes: [ThreadEntry.Note] = []
    var known: Set<String> = []
    for entry in entries {
      let place = value.entry(entry)
      let name = ConfigNode(content: .scalar(entry.key, isPlain: true), mark: entry.keyMark)
      problems.remember(ConfigValue(node: name, path: place.path))
      guard !entry.value.isNull, let text = ValueReader<String>.markdown.read(place, &problems) else {
        continue
      }
      do throws(InvalidValue) {
        let post = try problems.addresses.post(entry.key, besides: thread)
        guard known.insert(post.identity).inserted else {
          throw InvalidValue("there is a note on this post before; keep one of them")
        }
        notes.append(ThreadEntry.Note(post: post, text: text, name: clipped(entry.key)))
      } catch {
        problems.error("\(error)", at: entry.keyMark, path: place.path)
      }
    }
    return notes
  }

  /// Reads descriptions of images, by the names of their files or by the ids or URLs of their posts.
  private func readDescriptions(
    _ value: ConfigValue, into thread: inout ThreadEntry, _ problems: inout ProblemList
  ) {
    guard case .mapping(let entries) = value.node.content else {
      problems.error(
        "expected a mapping from images to alt texts, found \(value.node.kind)", at: value)
      return
    }
    var known: Set<String> = []
    for entry in entries {
      let place = value.entry(entry)
      problems.remember(
        ConfigValue(
          node: ConfigNode(content: .scalar(entry.key, isPlain: true), mark: entry.keyMark), path: place.path)
      )
      guard !entry.value.isNull, let text = ValueReader<String>.paragraph.read(place, &problems) else {
        continue
      }
      if ThreadEntry.namesFile(entry.key) {
        thread.alt[entry.key] = text
        continue
      }
      do throws(InvalidValue) {
        let post = try problems.addresses.post(entry.key, besides: thread.url)
        guard known.insert(post.identity).inserted else {
          problems.error(
            "there is an alt text for this post before; keep one of them", at: entry.keyMark, path: place.path
          )
          continue
        }
        thread.altOfPosts[post] = text
      } catch {
        problems.error(
          "expected the file name of an image, such as 18e5caac88b152be092774039a5c96d9.jpg, or the URL of a post: \(error)",
          at: entry.keyMark, path: place.path)
      }
    }
  }
}

extension ThreadEntry {
  static let keys = ThreadFields.fields.map(\.key)

  /// Whether a key of `alt` is a file, and not a post. Files of the store have an extension; ids contain no full stop.
  package static func namesFile(_ key: String) -> Bool {
    !key.utf8.contains(UInt8(ascii: "/")) && key.utf8.contains(UInt8(ascii: "."))
  }

  /// Returns a tag in its written form: single spaces between its words.
  static func tag(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  /// Keys that belong to `sources`.
  private static let keysOfSources = [
    "post", "account", "author", "archive", "search", "min_posts", "since", "until",
    "unlisted", "own",
  ]

  fileprivate static func read(_ value: ConfigValue, problems: inout ProblemList) -> ThreadEntry? {
    problems.remember(value)
    switch value.node.content {
    case .scalar where !value.node.isNull:
      return ValueReader.post.read(value, &problems).map { ThreadEntry(url: $0) }
    case .mapping(let entries):
      let misplaced = entries.filter { keysOfSources.contains($0.key) }
      guard misplaced.isEmpty else {
        for entry in misplaced {
          problems.error(
            "\(quoted(entry.key)) selects threads to fetch; move it to an entry of sources",
            at: entry.keyMark, path: value.path(of: entry.key))
        }
        return nil
      }
      return ValueReader<ThreadFields>.section.read(value, &problems)?.entry(problems: &problems)
    default:
      problems.error(
        "expected the URL of a post, or a mapping with the key url; found \(value.node.kind)", at: value)
      return nil
    }
  }
}

extension ValueReader where Value == [ThreadEntry] {
  static var threadEntries: ValueReader {
    let elements = ValueReader<ThreadEntry>(nestedKeys: ThreadEntry.keys.map { "." + $0 }) {
      value, problems in ThreadEntry.read(value, problems: &problems)
    }
    let list = ValueReader.list(of: elements)
    return ValueReader(nestedKeys: list.nestedKeys) { value, problems in
      guard let entries = list.read(value, &problems) else { return nil }
      if case .list(let nodes) = value.node.content {
        problems.refuseRepeatedPosts(nodes, named: "url", in: value)
        problems.refuseRepeatedPosts(entries, nodes, in: value)
        problems.refuseRepeatedAliases(nodes, in: value)
      }
      return entries
    }
  }
}

extension ValueReader where Value == [PostReference] {
  /// The posts of a `hide` list: URLs, or ids on the thread's network.
  fileprivate static func hiddenPosts(of thread: PostReference) -> ValueReader {
    .list(
      of: .remembered(
        .addressed("the URL or the id of a post") { (text, addresses) throws(InvalidValue) in
          let hidden = try addresses.post(text, besides: thread)
          guard hidden.platform == thread.platform else {
            throw InvalidValue(
              "\(quoted(text)) is on another network than the thread, and cannot be a part of it")
          }
          return hidden
        }))
  }
}

extension ValueReader where Value == [String] {
  /// URLs that redirect to a thread's page. Their positions are remembered for the stage that compares them with other pages.
  fileprivate static var aliases: ValueReader {
    .list(of: .remembered(.text("a path") { text throws(InvalidValue) in try AliasPath.read(text) }))
  }

  /// Tags without duplicates; a `#` is not part of a tag's name.
  static var tags: ValueReader {
    let list = ValueReader.list(
      of: .text("a tag") { text throws(InvalidValue) in
        let tag = ThreadEntry.tag(text)
        guard !tag.isEmpty, tag.unicodeScalars.count <= 100,
          !tag.unicodeScalars.contains(where: SourceText.isControl), !tag.contains("\t")
        else { throw InvalidValue("expected a tag of 1 to 100 characters, without control characters") }
        guard !tag.hasPrefix("#") else {
          throw InvalidValue("write the tag \(quoted(tag)) without the \"#\"")
        }
        return tag
      })
    return ValueReader { value, problems in
      guard let tags = list.read(value, &problems) else { return nil }
      var unique: [String] = []
      var counts: [String: Int] = [:]
      for tag in tags {
        counts[tag.lowercased(), default: 0] += 1
        switch counts[tag.lowercased()] {
        case 1: unique.append(tag)
        case 2: problems.warning("the tag \(quoted(tag)) is listed twice", at: value)
        // Already reported.
        default: break
        }
      }
      return unique
    }
  }
}

extension ProblemList {
  /// Reports entries of a list with the same post, because their settings would apply to the same page.
  ///
  /// - Parameter key: the key that contains the post's URL if an entry is a mapping.
  mutating func refuseRepeatedPosts(_ nodes: [ConfigNode], named key: String, in list: ConfigValue) {
    var seen: [String: SourceMark] = [:]
    for (index, node) in nodes.enumerated() {
      // An invalid URL was reported when the entry was read.
      guard let address = node.address(under: key), let post = try? addresses.post(address) else { continue }
      if let first = seen[post.identity] {
        error(
          "this post is listed before, on line \(first.line); keep one of them",
          at: list.element(node, at: index))
      } else {
        seen[post.identity] = node.mark
      }
    }
  }
}

extension ProblemList {
  /// Reports posts under `same_as` that also occur in another entry, because a thread that redirects to another page has no page.
  fileprivate mutating func refuseRepeatedPosts(
    _ entries: [ThreadEntry], _ nodes: [ConfigNode], in list: ConfigValue
  ) {
    // If an entry could not be read, the indices of entries and nodes do not match.
    guard entries.count == nodes.count else { return }
    var seen = Set(entries.map(\.url.identity))
    for (index, entry) in entries.enumerated() {
      for post in entry.sameAs where !seen.insert(post.identity).inserted {
        error(
          "\(post) is named under same_as and in another place of threads; keep one of them",
          at: list.element(nodes[index], at: index))
      }
    }
  }
}

extension ProblemList {
  /// Reports aliases that occur more than once in the file.
  fileprivate mutating func refuseRepeatedAliases(_ nodes: [ConfigNode], in list: ConfigValue) {
    var seen: [String: SourceMark] = [:]
    for (index, node) in nodes.enumerated() {
      guard case .mapping(let entries) = node.content,
        let entry = entries.first(where: { $0.key == "aliases" }),
        case .list(let aliases) = entry.value.content
      else { continue }
      let place = list.element(node, at: index).entry(entry)
      for (position, alias) in aliases.enumerated() {
        // An invalid alias was reported when it was read.
        guard case .scalar(let text, _) = alias.content, let path = try? AliasPath.read(text) else {
          continue
        }
        let key = PathText.folded(path)
        if let first = seen[key] {
          error(
            "this path is already an alias on line \(first.line); keep one of them",
            at: place.element(alias, at: position))
        } else {
          seen[key] = alias.mark
        }
      }
    }
  }
}

/// An alias in site.yml: a path within the site that redirects to a page.
enum AliasPath {
  /// - Returns: the path of a folder, with a slash at its end, or of a file whose name ends in `.html` or `.htm`; without percent-encoding.
  /// - Throws: ``InvalidValue`` if the text is not a path within the site.
  static func read(_ text: String) throws(InvalidValue) -> String {
    guard !text.contains("://"), !text.hasBytePrefix("//") else {
      throw InvalidValue(
        "\(quoted(text)) is a full URL; write only the path on the site, such as /2019/old-title/")
    }
    guard !text.utf8.contains(UInt8(ascii: "?")), !text.utf8.contains(UInt8(ascii: "#")) else {
      throw InvalidValue(
        "\(quoted(text)) has a query or a fragment, by which no file can be found; write a path such as /2019/old-title/"
      )
    }
    guard let decoded = text.removingPercentEncoding else {
      throw InvalidValue("\(quoted(text)) is not a valid path: \"%\" needs two hexadecimal digits")
    }
    // Normalized like slugs.
    let path = decoded.precomposedStringWithCanonicalMapping
    guard !path.unicodeScalars.contains(where: { SourceText.isControl($0) || $0 == "\t" || $0 == "\n" }),
      !path.utf8.contains(UInt8(ascii: "\\"))
    else { throw InvalidValue("expected a path without control characters and backslashes") }
    let parts = path.split(atBytes: "/", omittingEmptySubsequences: false).map(String.init)
    var names = parts.first == "" ? Array(parts.dropFirst()) : parts
    let isFolder = names.last == ""
    if isFolder { names.removeLast() }
    guard !names.isEmpty else {
      throw InvalidValue("\(quoted(text)) is the home page; an alias needs another path")
    }
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 200 && !$0.hasBytePrefix(".") }),
      path.utf8.count <= 800
    else {
      throw InvalidValue(
        "\(quoted(text)) is not a path on the site: expected names of up to 200 bytes with single slashes between them, none of which"
          + " begins with a dot")
    }
    let last = (names.last ?? "").lowercased()
    if last == "index.html", !isFolder {
      guard names.count > 1 else {
        throw InvalidValue("\(quoted(text)) is the home page; an alias needs another path")
      }
      return names.dropLast().joined(separator: "/") + "/"
    }
    let isPage = !isFolder && (last.hasSuffix(".html") || last.hasSuffix(".htm"))
    return names.joined(separator: "/") + (isPage ? "" : "/")
  }
}

extension ConfigNode {
  /// Returns the text of the node itself, or of a key in it; `nil` if it has none.
  fileprivate func address(under key: String) -> String? {
    switch content {
    case .scalar(let text, _): return text
    case .mapping(let entries):
      guard let entry = entries.first(where: { $0.key == key }),
        case .scalar(let text, _) = entry.value.content
      else { return nil }
      return text
    case .list, .refused: return nil
    }
  }
}
