import Basics
import MarkdownHTML

/// The pages of the installed documentation: all Markdown files in its folder, so that pages need not be registered.
package struct HelpTopics: Sendable {
  /// One page.
  package struct Topic: Sendable {
    /// Its path without the extension and the folder of its part, in lower case: `configuration`, `hosting/netlify`.
    package let name: String
    /// The part of the documentation that contains it; `nil` for pages outside of all parts.
    package let part: Part?
    /// Its first heading.
    package let title: String
    /// Its path in the folder.
    let path: String
    let blocks: [MarkdownBlock]
  }

  /// The parts of the documentation (https://diataxis.fr), by the folders that contain their pages.
  package enum Part: String, Sendable, CaseIterable {
    case tutorials
    case howTo = "how-to"
    case reference
    case explanation

    /// The heading above the list of its pages.
    package var title: String {
      switch self {
      case .tutorials: "TUTORIALS"
      case .howTo: "HOW-TOS"
      case .reference: "REFERENCE"
      case .explanation: "EXPLANATION"
      }
    }
  }

  /// Sorted by name.
  package let topics: [Topic]
  private let byPath: [String: Topic]
  /// All files of the folder, which pages may link to.
  private let files: Set<String>

  private static let longestPage = 4 << 20

  /// Reads the folder and its subfolders.
  package init(folder: String) throws(ManualError) {
    var topics: [Topic] = []
    var files: Set<String> = []
    var folders = [""]
    do {
      while let next = folders.popLast() {
        for entry in try FileSystem.entries(of: next.isEmpty ? folder : folder + "/" + next.dropLast()) {
          let path = next + entry.name
          files.insert(path)
          switch entry.kind {
          case .folder: folders.append(path + "/")
          // A README describes a folder to visitors of the repository; the overview of the help takes its place.
          case .file where path.hasSuffix(".md") && entry.name != "README.md":
            topics.append(try Self.read(path, in: folder))
          default: break
          }
        }
      }
    } catch let error as ManualError {
      throw error
    } catch {
      throw ManualError(message: "\(error)")
    }
    self.topics = topics.sorted { $0.name < $1.name }
    self.files = files
    byPath = Dictionary(topics.map { ($0.path, $0) }) { first, _ in first }
  }

  private static func read(_ path: String, in folder: String) throws(ManualError) -> Topic {
    var name = path.dropLast(3).lowercased()
    let part = Part.allCases.first { name.hasPrefix($0.rawValue + "/") }
    if let part { name.removeFirst(part.rawValue.count + 1) }
    do {
      let bytes = try FileBytes.read(folder + "/" + path, atMost: longestPage)
      // The text is shown on terminals, and the environment may name any folder.
      let blocks = try MarkdownBlock.read(TextControls.shown(String(decoding: bytes, as: UTF8.self)))
      let title = blocks.lazy.compactMap { block in
        if case .heading(_, let words) = block { MarkdownInline.words(of: words) } else { nil }
      }.first
      return Topic(name: name, part: part, title: title ?? name, path: path, blocks: blocks)
    } catch {
      throw ManualError(message: "\(folder)/\(path): \(error)")
    }
  }

  /// Returns the page for a name: the page's name, its file's path, or the last part of either if no other page has the same last part.
  package func topic(_ wanted: String) -> Topic? {
    var name = wanted.lowercased()
    if name.hasPrefix("docs/") { name.removeFirst(5) }
    if name.hasSuffix(".md") { name.removeLast(3) }
    name = String(name.map { $0 == " " ? "-" : $0 })
    if let topic = topics.first(where: { $0.path.dropLast(3).lowercased() == name }) { return topic }
    if let topic = topics.first(where: { $0.name == name }) { return topic }
    let ending = topics.filter { $0.name.hasSuffix("/" + name) }
    return ending.count == 1 ? ending[0] : nil
  }

  /// Words that users may look for, and the page about each, where neither a page's name nor its title begins with the word.
  static let synonyms = [
    "accent": "theming", "atom": "configuration", "bsky": "bluesky", "colors": "theming",
    "comment": "comments",
    "cost": "x", "csp": "security", "css": "theming", "deploy": "publishing", "domains": "domain",
    "favicon": "icons", "fediverse": "mastodon", "gdpr": "privacy", "github": "ci", "giscus": "comments",
    "hosting": "publishing", "layout": "theming", "mustache": "theming", "plausible": "analytics",
    "rss": "configuration",
    "seo": "search-engines", "settings": "configuration", "site.yml": "configuration", "templates": "theming",
    "token": "x", "twitter": "x", "upload": "publishing", "yaml": "configuration",
  ]

  /// Returns the pages that a word may mean which is not the name of a page, from the first of these that finds any: pages with names
  /// that begin with the word, the page for a synonym, pages with names or titles of which a word begins with it.
  package func topics(like wanted: String) -> [Topic] {
    let name = String(wanted.lowercased().map { $0 == " " ? "-" : $0 })
    guard !name.isEmpty else { return [] }
    let named = topics.filter { $0.name.hasPrefix(name) }
    if !named.isEmpty { return named }
    if let synonym = Self.synonyms[name].flatMap({ topic($0) }) { return [synonym] }
    return topics.filter { topic in
      (topic.name + " " + topic.title.lowercased()).split { !$0.isLetter && !$0.isNumber }.contains {
        $0.hasPrefix(name)
      }
    }
  }

  /// Returns the text after a link's words, because a terminal has nothing to click on; `nil` if the words are enough.
  func place(of address: String, on topic: Topic) -> String? {
    if address.contains("://") || address.hasPrefix("mailto:") { return address }
    let path = address.prefix { $0 != "#" }
    guard !path.isEmpty else { return nil }
    var parts = topic.path.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    let target = parts.joined(separator: "/")
    if let other = byPath[target] { return other.path == topic.path ? nil : "threadsite help \(other.name)" }
    return files.contains(target) ? "docs/\(target)" : nil
  }
}

/// The reason why the documentation cannot be shown.
package struct ManualError: Error, Sendable, CustomStringConvertible {
  /// A full sentence, or a path and the problem with it.
  package let message: String

  package init(message: String) { self.message = message }

  package var description: String { message }
}
