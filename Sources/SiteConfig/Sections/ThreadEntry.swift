import Basics
import Foundation

/// One entry of `threads`: a thread, by the address of any of its posts, and what is changed about it.
///
/// An entry fetches nothing, and brings a thread to the site only where `include` is `listed`.
package struct ThreadEntry: Sendable, Equatable {
  package var url: PostReference
  /// Instead of the thread's first sentence.
  package var title: String?
  /// Besides its hashtags.
  package var tags: [String] = []
  /// The readable part of the page's URL.
  package var slug: String?
  /// Posts that are left out of the page.
  package var hide: [PostReference] = []
  /// Other addresses that lead to its page, below the site's own: `old/post/` or `old/post.html`, no two alike.
  package var aliases: [String] = []
  /// The same thread on other networks, by any of its posts there: its pages lead to this one.
  package var sameAs: [PostReference] = []
  /// Drafts are built only when asked for.
  package var isDraft = false
  /// Whether search engines are asked to leave its page out.
  package var noindex = false
  /// Whether the site is without this thread.
  package var isExcluded = false
  /// Descriptions of pictures that their author gave none, by their files in the store.
  package var alt: [String: String] = [:]
  /// The same by the posts that show them: each is of the post's first picture without one.
  package var altOfPosts: [PostReference: String] = [:]
  /// Words of the site's owner, before the thread and behind it: Markdown.
  package var intro: String?
  package var afterword: String?
  /// The same behind single posts.
  package var notes: [Note] = []
  /// Whether the replies of others are shown; `nil` for what the thread's source says.
  package var replies: Bool?

  package init(url: PostReference) { self.url = url }

  /// Words of the site's owner on one post.
  package struct Note: Sendable, Equatable {
    package var post: PostReference
    /// Markdown.
    package var text: String
    /// What the post is called in the file.
    package var name: String
  }
}

/// Which threads of the store a site has.
package enum Inclusion: String, Sendable, CaseIterable {
  /// Everything that is neither excluded nor a draft.
  case all
  /// Of these only what `threads` lists.
  case listed
}

/// The keys of an entry.
private struct ThreadFields: ConfigSection {
  var url: PostReference?
  var title: String?
  var tags: [String] = []
  var slug: String?
  /// Read when `url` is known: an id alone is of the same platform.
  var hide: ConfigValue?
  var aliases: [String] = []
  var sameAs: [PostReference] = []
  var draft = false
  var exclude = false
  var noindex = false
  /// Read when `url` is known.
  var alt: ConfigValue?
  var replies: Bool?
  var intro: String?
  var afterword: String?
  /// Read when `url` is known.
  var notes: ConfigValue?

  static let defaults = ThreadFields()

  static let fields: [ConfigField<ThreadFields>] = [
    ConfigField("url", \.url, .post, isRequired: true),
    ConfigField("title", \.title, .line),
    ConfigField("tags", \.tags, .tags),
    ConfigField("slug", \.slug, .slug),
    ConfigField("aliases", \.aliases, .aliases),
    ConfigField("hide", \.hide, ValueReader { value, _ in value }),
    ConfigField("same_as", \.sameAs, .otherPosts),
    ConfigField("draft", \.draft, .flag),
    ConfigField("exclude", \.exclude, .flag),
    ConfigField("noindex", \.noindex, .flag),
    ConfigField("replies", \.replies, .flag),
    ConfigField("alt", \.alt, ValueReader { value, _ in value }),
    ConfigField("intro", \.intro, .rememberedMarkdown),
    ConfigField("afterword", \.afterword, .rememberedMarkdown),
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
  /// Words on single posts, each by the id or the address of the post.
  private func read(
    _ value: ConfigValue, of thread: PostReference, _ problems: inout ProblemList
  ) -> [ThreadEntry.Note] {
    guard case .mapping(let entries) = value.node.content else {
      problems.error(
        "expected a mapping from posts, by id or address, to what you have to say of them, found \(value.node.kind)",
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

  /// Descriptions of pictures, each by the name of its file or by the address of its post.
  private func readDescriptions(
    _ value: ConfigValue, into thread: inout ThreadEntry, _ problems: inout ProblemList
  ) {
    guard case .mapping(let entries) = value.node.content else {
      problems.error(
        "expected a mapping from pictures to their descriptions, found \(value.node.kind)", at: value)
      return
    }
    for entry in entries {
      let place = value.entry(entry)
      guard !entry.value.isNull, let text = ValueReader<String>.paragraph.read(place, &problems) else {
        continue
      }
      // Files of the store have an ending; a post's id alone is a number.
      let isFile = !entry.key.utf8.contains(UInt8(ascii: "/")) && entry.key.utf8.contains(UInt8(ascii: "."))
      if isFile {
        thread.alt[entry.key] = text
        continue
      }
      do throws(InvalidValue) {
        thread.altOfPosts[try problems.addresses.post(entry.key, besides: thread.url)] = text
      } catch {
        problems.error(
          "expected the name of a picture's file, such as 18e5caac88b152be092774039a5c96d9.jpg, or the address of a post: \(error)",
          at: entry.keyMark, path: place.path)
      }
    }
  }
}

extension ThreadEntry {
  static let keys = ThreadFields.fields.map(\.key)

  /// Keys that say where threads come from.
  private static let keysOfSources = [
    "post", "account", "author", "archive", "search", "min_posts", "since", "until",
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
            "\(quoted(entry.key)) says where threads come from and belongs into an entry of sources; threads only"
              + " change single threads", at: entry.keyMark, path: value.path(of: entry.key))
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
  /// Posts whose places are remembered for the stage that looks for them.
  fileprivate static var otherPosts: ValueReader {
    .list(
      of: ValueReader<PostReference> { value, problems in
        problems.remember(value)
        return ValueReader<PostReference>.post.read(value, &problems)
      })
  }

  /// The posts of a `hide` list: addresses, or ids on the network that the thread is on.
  fileprivate static func hiddenPosts(of thread: PostReference) -> ValueReader {
    .list(
      of: ValueReader<PostReference> { value, problems in
        problems.remember(value)
        let addresses = problems.addresses
        let reader = ValueReader<PostReference>.text("the URL or the id of a post") {
          text throws(InvalidValue) in
          let hidden = try addresses.post(text, besides: thread)
          guard hidden.platform == thread.platform else {
            throw InvalidValue(
              "\(quoted(text)) is on another network than the thread, and cannot be a part of it")
          }
          return hidden
        }
        return reader.read(value, &problems)
      })
  }
}

extension ValueReader where Value == String {
  /// Markdown whose place is remembered for the stage that makes HTML of it.
  fileprivate static var rememberedMarkdown: ValueReader {
    ValueReader { value, problems in
      problems.remember(value)
      return ValueReader.markdown.read(value, &problems)
    }
  }
}

extension ValueReader where Value == [String] {
  /// Addresses that lead to a thread's page, whose places are remembered for the stage that knows what else the site has.
  fileprivate static var aliases: ValueReader {
    .list(
      of: ValueReader<String> { value, problems in
        problems.remember(value)
        return ValueReader<String>.text("a path") { text throws(InvalidValue) in
          try AliasPath.read(text)
        }.read(value, &problems)
      })
  }

  /// Tags, each once; `#` is not a part of their names.
  static var tags: ValueReader {
    let list = ValueReader.list(
      of: .text("a tag") { text throws(InvalidValue) in
        let tag = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
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
      for tag in tags {
        if unique.contains(where: { $0.lowercased() == tag.lowercased() }) {
          problems.warning("the tag \(quoted(tag)) is listed twice", at: value)
        } else {
          unique.append(tag)
        }
      }
      return unique
    }
  }
}

extension ProblemList {
  /// Reports entries of a list that name one post: two of them would be two titles for one page.
  ///
  /// - Parameter key: the key of an entry that holds the post's address, where an entry is a mapping.
  mutating func refuseRepeatedPosts(_ nodes: [ConfigNode], named key: String, in list: ConfigValue) {
    var seen: [String: SourceMark] = [:]
    for (index, node) in nodes.enumerated() {
      // An address that is none was reported when the entry was read.
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
  /// Reports posts under `same_as` that another entry names, too: a thread that leads to another page has none of its own.
  fileprivate mutating func refuseRepeatedPosts(
    _ entries: [ThreadEntry], _ nodes: [ConfigNode], in list: ConfigValue
  ) {
    // Of entries that could not be read nobody knows which of them are missing.
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
  /// Reports an address that two threads, or one thread twice, would be led to from.
  fileprivate mutating func refuseRepeatedAliases(_ nodes: [ConfigNode], in list: ConfigValue) {
    var seen: [String: SourceMark] = [:]
    for (index, node) in nodes.enumerated() {
      guard case .mapping(let entries) = node.content,
        let entry = entries.first(where: { $0.key == "aliases" }),
        case .list(let aliases) = entry.value.content
      else { continue }
      let place = list.element(node, at: index).entry(entry)
      for (position, alias) in aliases.enumerated() {
        // What is none was reported when it was read.
        guard case .scalar(let text, _) = alias.content, let path = try? AliasPath.read(text) else {
          continue
        }
        let key = PathText.folded(path)
        if let first = seen[key] {
          error(
            "this address is an alias already, on line \(first.line); keep one of them",
            at: place.element(alias, at: position))
        } else {
          seen[key] = alias.mark
        }
      }
    }
  }
}

/// An address below the site's own that leads to a page of it, as site.yml writes it.
enum AliasPath {
  /// - Returns: a folder, with a slash at its end, or a file whose name ends in `.html` or `.htm`; as it is on disk, without percent-encoding.
  /// - Throws: ``InvalidValue`` for what is no path within the site.
  static func read(_ text: String) throws(InvalidValue) -> String {
    guard !text.contains("://"), !text.hasBytePrefix("//") else {
      throw InvalidValue(
        "\(quoted(text)) is a whole address; write what follows the site's own, such as /2019/old-title/")
    }
    guard !text.utf8.contains(UInt8(ascii: "?")), !text.utf8.contains(UInt8(ascii: "#")) else {
      throw InvalidValue(
        "\(quoted(text)) has a query or a fragment, by which no file can be found; write a path such as /2019/old-title/"
      )
    }
    guard let decoded = text.removingPercentEncoding else {
      throw InvalidValue("\(quoted(text)) is no address: a \"%\" without two digits behind it")
    }
    // One way of writing each letter, as a slug has it.
    let path = decoded.precomposedStringWithCanonicalMapping
    guard !path.unicodeScalars.contains(where: { SourceText.isControl($0) || $0 == "\t" || $0 == "\n" }),
      !path.utf8.contains(UInt8(ascii: "\\"))
    else { throw InvalidValue("expected a path without control characters and backslashes") }
    let parts = path.split(atBytes: "/", omittingEmptySubsequences: false).map(String.init)
    var names = parts.first == "" ? Array(parts.dropFirst()) : parts
    let isFolder = names.last == ""
    if isFolder { names.removeLast() }
    guard !names.isEmpty else {
      throw InvalidValue("\(quoted(text)) is the site's first page; an alias is another address")
    }
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 200 && !$0.hasBytePrefix(".") }),
      path.utf8.count <= 800
    else {
      throw InvalidValue(
        "\(quoted(text)) is no path within the site: expected names of up to 200 bytes with single slashes between them, none of which"
          + " begins with a dot")
    }
    let last = (names.last ?? "").lowercased()
    if last == "index.html", !isFolder {
      guard names.count > 1 else {
        throw InvalidValue("\(quoted(text)) is the site's first page; an alias is another address")
      }
      return names.dropLast().joined(separator: "/") + "/"
    }
    let isPage = !isFolder && (last.hasSuffix(".html") || last.hasSuffix(".htm"))
    return names.joined(separator: "/") + (isPage ? "" : "/")
  }
}

extension ConfigNode {
  /// The text of the entry itself, or of a key in it.
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
