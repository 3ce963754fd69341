/// A change to what site.yml says of one thread.
package enum ThreadChange: Sendable, Equatable {
  case title(String)
  /// Tags that are added; those that are there stay.
  case tags([String])
  /// Posts that are hidden, too, by their addresses.
  case hide([String])
  case draft(Bool)
  case exclude(Bool)
}

extension ThreadChange {
  /// The lines that say the same in an entry of `threads`, for whoever has to write them by hand.
  package var lines: [String] {
    switch self {
    case .title(let title): ["title: \(quotedYAML(title))"]
    case .tags(let tags): ["tags: [\(tags.map(quotedYAML).joined(separator: ", "))]"]
    case .hide(let posts): ["hide:"] + posts.map { "  - \($0)" }
    case .draft(let isDraft): ["draft: \(isDraft)"]
    case .exclude(let isExcluded): ["exclude: \(isExcluded)"]
    }
  }

  /// Makes the change in a file's text, where the thread has an entry.
  func apply(to editor: inout YAMLEditor, entry: Int, _ known: ThreadEntry) -> Bool {
    let list = ThreadListName.threads.rawValue
    switch self {
    case .title(let title): return editor.set("title", to: quotedYAML(title), inEntry: entry, of: list)
    case .tags(let tags):
      let new = tags.filter { tag in !known.tags.contains { $0.lowercased() == tag.lowercased() } }
      return new.isEmpty
        || editor.append(new.map(quotedYAML), to: "tags", inEntry: entry, of: list, isFlow: true)
    case .hide(let posts):
      return editor.append(posts, to: "hide", inEntry: entry, of: list, isFlow: false)
    case .draft(let value): return set("draft", value, known.isDraft, &editor, entry)
    case .exclude(let value): return set("exclude", value, known.isExcluded, &editor, entry)
    }
  }

  /// A flag that holds without being said is taken out, where that is possible.
  private func set(_ key: String, _ value: Bool, _ known: Bool, _ editor: inout YAMLEditor, _ entry: Int)
    -> Bool
  {
    let list = ThreadListName.threads.rawValue
    if value == known { return true }
    if !value, editor.remove(key, inEntry: entry, of: list) { return true }
    return editor.set(key, to: "\(value)", inEntry: entry, of: list)
  }

  /// Makes the change in what the file says; `nil` where a post's address is none.
  func applied(to entry: ThreadEntry, _ addresses: AddressBook) -> ThreadEntry? {
    var entry = entry
    switch self {
    case .title(let title): entry.title = title
    case .tags(let tags):
      for tag in tags where !entry.tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
        entry.tags.append(tag)
      }
    case .hide(let posts):
      for post in posts {
        // An address that is none hides nothing.
        guard let reference = try? addresses.post(post, besides: entry.url) else { return nil }
        entry.hide.append(reference)
      }
    case .draft(let isDraft): entry.isDraft = isDraft
    case .exclude(let isExcluded): entry.isExcluded = isExcluded
    }
    return entry
  }
}

/// Text as a value of YAML: plain where it is a word that means nothing else, else in double quotes.
private func quotedYAML(_ text: String) -> String {
  let isWord =
    text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } == true
    && text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    } && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  return isWord ? text : SiteConfig.doubleQuoted(text)
}
