/// The lists of a site.yml to which the program adds threads.
package enum ThreadListName: String, Sendable {
  /// The list of sources from which threads are fetched.
  case sources
  /// The list of changes to threads. With `include: listed` it also selects the site's threads.
  case threads
}

extension DecodedSiteConfig {
  /// Returns the file's text with one more post at the end of a list. The rest of the text is unchanged.
  ///
  /// - Parameters:
  ///   - address: the post's URL, in the form for the file.
  ///   - list: the list to which the URL is added.
  ///   - bytes: the content of the file from which this value was decoded.
  ///   - addresses: the readers for URLs in the file.
  /// - Returns: `nil` if the list does not have one entry per line, so that only the owner can edit it.
  package func adding(
    _ address: String, to list: ThreadListName, in bytes: [UInt8], _ addresses: AddressBook
  ) -> [UInt8]? {
    guard !(list == .sources ? config.sources.isEmpty : config.threads.isEmpty),
      var editor = YAMLEditor(bytes), editor.append([address], to: list.rawValue)
    else { return nil }
    // An invalid URL makes no entry.
    guard let reference = try? addresses.post(address) else { return nil }
    var expected = config
    switch list {
    case .sources: expected.sources.append(.post(ThreadSource.Post(reference)))
    case .threads: expected.threads.append(ThreadEntry(url: reference))
    }
    return proven(editor, expected, addresses)
  }

  /// Returns the file's text with one more account at the end of `sources`, which is created if it is missing; the rest of the text stays as the owner
  /// wrote it.
  ///
  /// - Returns: `nil` if the list is formatted in a way that only the owner should edit.
  package func adding(account: AccountReference, _ addresses: AddressBook) -> [UInt8]? {
    guard var editor = YAMLEditor(bytes),
      editor.append(["account: \(addresses.url(of: account))"], to: ThreadListName.sources.rawValue)
    else { return nil }
    let result = editor.bytes
    // An equal configuration proves that the edit was correct.
    guard let new = try? SiteConfig.decode(bytes: result, file: file, addresses: addresses),
      case .account(let added)? = new.config.sources.last
    else { return nil }
    var expected = config
    expected.sources.append(.account(added))
    return new.config == expected && added.account.isSameName(as: account) ? result : nil
  }

  /// Returns the edited text if it decodes to the expected configuration. This proves that the edit was correct.
  private func proven(
    _ editor: YAMLEditor, _ expected: SiteConfig, _ addresses: AddressBook
  ) -> [UInt8]? {
    let result = editor.bytes
    // An invalid text proves nothing.
    let new = try? SiteConfig.decode(bytes: result, file: file, addresses: addresses)
    return new?.config == expected ? result : nil
  }

  /// Returns the file's text with a change to the settings of one thread. The rest of the text is unchanged.
  ///
  /// - Parameters:
  ///   - entry: the index of the thread's entry in `threads`; `nil` to add an entry.
  ///   - address: the thread's URL for a new entry.
  /// - Returns: `nil` if the file is formatted in a way that only the owner should edit.
  package func changing(
    entry: Int?, address: String, _ change: ThreadChange, _ addresses: AddressBook
  ) -> [UInt8]? {
    var expected = config
    guard var editor = YAMLEditor(bytes) else { return nil }
    if let entry {
      guard config.threads.indices.contains(entry),
        let changed = change.applied(to: config.threads[entry], addresses),
        change.apply(to: &editor, entry: entry, config.threads[entry])
      else { return nil }
      expected.threads[entry] = changed
    } else {
      // An invalid URL makes no entry.
      guard let reference = try? addresses.post(address),
        let new = change.applied(to: ThreadEntry(url: reference), addresses),
        editor.append(["url: \(address)"] + change.lines, to: ThreadListName.threads.rawValue)
      else { return nil }
      expected.threads.append(new)
    }
    return proven(editor, expected, addresses)
  }

  /// Returns lines that the owner can add if the file cannot be edited: lines for the thread's entry, or a whole entry.
  package func linesByHand(entry: Int?, address: String, _ change: ThreadChange) -> String {
    let lines = entry == nil ? ["threads:", "  - url: \(address)"] : []
    return (lines + change.lines.map { "    " + $0 }).joined(separator: "\n")
  }

  /// Returns the file's text without some entries of its lists. The rest of the text is unchanged.
  ///
  /// - Returns: the text and the entries that were removed. An entry stays if only the owner should edit its format, or if the file would be invalid
  ///   without it, such as the last thread of a collection.
  package func removing(
    _ entries: Set<ConfigEntry>, _ addresses: AddressBook
  ) -> (bytes: [UInt8], removed: Set<ConfigEntry>) {
    if let result = without(entries, addresses) { return (result, entries) }
    // Every attempt decodes the whole file.
    guard entries.count <= 100 else { return (bytes, []) }
    var removed: Set<ConfigEntry> = []
    var result = bytes
    for entry in entries {
      guard let other = without(removed.union([entry]), addresses) else { continue }
      removed.insert(entry)
      result = other
    }
    return (result, removed)
  }

  private func without(_ entries: Set<ConfigEntry>, _ addresses: AddressBook) -> [UInt8]? {
    guard !entries.isEmpty, var editor = YAMLEditor(bytes), editor.remove(entries) else { return nil }
    func rest<Element>(_ list: [Element], _ gone: (Int) -> ConfigEntry) -> [Element] {
      list.enumerated().filter { !entries.contains(gone($0.offset)) }.map(\.element)
    }
    var expected = config
    for index in expected.threads.indices {
      expected.threads[index].sameAs = rest(config.threads[index].sameAs) { .sameAs(thread: index, $0) }
    }
    for index in expected.collections.indices {
      expected.collections[index].threads = rest(config.collections[index].threads) {
        .collected(collection: index, $0)
      }
    }
    expected.sources = rest(config.sources) { .source($0) }
    expected.threads = rest(expected.threads) { .thread($0) }
    return proven(editor, expected, addresses)
  }

  /// Returns the lines of an entry of `sources` or `threads`, without the spaces before its dash; `nil` for entries of other lists, and for entries in
  /// other formats.
  package func lines(of entry: ConfigEntry) -> [String]? { YAMLEditor(bytes)?.lines(of: entry) }

  /// Returns the file's text with removed entries added again at the end of their list.
  ///
  /// - Parameter entries: the lines of each entry, as `lines(of:)` returned them.
  /// - Returns: `nil` if the list is formatted in a way that only the owner should edit.
  package func putting(
    back entries: [[String]], into list: ThreadListName, _ addresses: AddressBook
  ) -> [UInt8]? {
    guard var editor = YAMLEditor(bytes) else { return nil }
    var expected = config
    for lines in entries {
      let text = "\(list.rawValue):\n" + lines.map { "  \($0)\n" }.joined()
      guard let alone = try? SiteConfig.decode(yaml: text, file: file, addresses: addresses).config else {
        return nil
      }
      expected.sources += alone.sources
      expected.threads += alone.threads
      guard editor.append(lines.map { String($0.dropFirst(2)) }, to: list.rawValue) else { return nil }
      // An editor's marks are only valid for the text from which it was created.
      guard let next = YAMLEditor(editor.bytes) else { return nil }
      editor = next
    }
    return proven(editor, expected, addresses)
  }
}

/// The position of an entry for a thread or an account in one of site.yml's lists.
package enum ConfigEntry: Hashable, Sendable {
  case source(Int)
  case thread(Int)
  case sameAs(thread: Int, Int)
  case collected(collection: Int, Int)
  case tag(thread: Int, Int)
  case hidden(thread: Int, Int)
}

/// A change to the settings of one thread in site.yml.
package enum ThreadChange: Sendable, Equatable {
  /// Sets the title; `nil` removes it, so that the title is again made from the thread.
  case title(String?)
  /// Adds tags; existing tags stay.
  case tags([String])
  /// Removes tags that the owner added.
  case withoutTags([String])
  /// Hides more posts, by their URLs.
  case hide([String])
  /// Shows hidden posts again.
  case show([PostReference])
  /// Describes a picture, given by its file in the store or by the URL of its post; `nil` removes the description.
  case alt(picture: String, String?)
  case draft(Bool)
  /// Schedules the thread, by a text that ``PublicationTime`` reads; `nil` removes the time.
  case publishAt(String?)
  case exclude(Bool)
}

extension ThreadChange {
  /// The lines of the change in an entry of `threads`, for an owner who has to add them manually.
  package var lines: [String] {
    switch self {
    case .title(let title): title.map { ["title: \(quotedYAML($0))"] } ?? []
    case .tags(let tags): ["tags: [\(tags.map(quotedYAML).joined(separator: ", "))]"]
    case .hide(let posts): ["hide:"] + posts.map { "  - \($0)" }
    case .alt(let picture, let text): text.map { ["alt:", "  \(picture): \(quotedYAML($0))"] } ?? []
    case .withoutTags, .show: []
    case .draft(let isDraft): ["draft: \(isDraft)"]
    case .publishAt(let time): time.map { ["publish_at: \(quotedYAML($0))"] } ?? []
    case .exclude(let isExcluded): ["exclude: \(isExcluded)"]
    }
  }

  /// The setting that an owner has to remove from an entry by hand; `nil` for a change that adds something.
  package var removal: String? {
    switch self {
    case .title(nil): "`title`"
    case .publishAt(nil): "`publish_at`"
    case .withoutTags(let tags): "\(tags.map(quoted).joined(separator: ", ")) from `tags`"
    case .show(let posts): "\(posts.map(\.description).joined(separator: ", ")) from `hide`"
    case .alt(let picture, nil): "\(picture) from `alt`"
    default: nil
    }
  }

  /// Whether the change only removes settings, so that a thread without an entry needs none.
  package var removes: Bool {
    switch self {
    case .title(nil), .withoutTags, .show, .alt(_, nil), .draft(false), .publishAt(nil), .exclude(false): true
    case .title, .tags, .hide, .alt, .draft, .publishAt, .exclude: false
    }
  }

  /// Checks the values of the change as if they were in a file.
  ///
  /// - Returns: the problems with the values, each as a sentence.
  package func problems(address: String, _ addresses: AddressBook) -> [String] {
    guard !lines.isEmpty else { return [] }
    let text = (["threads:", "  - url: \(address)"] + lines.map { "    " + $0 }).joined(separator: "\n")
    do throws(SiteConfigError) {
      _ = try SiteConfig.decode(yaml: text, file: "", addresses: addresses)
      return []
    } catch {
      return error.problems.filter { $0.severity == .error }.map(\.message)
    }
  }

  /// Changes an existing entry in the file's text. Returns `false` if the text cannot be edited.
  func apply(to editor: inout YAMLEditor, entry: Int, _ known: ThreadEntry) -> Bool {
    let list = ThreadListName.threads.rawValue
    switch self {
    case .title(let title):
      guard let title else { return known.title == nil || editor.remove("title", inEntry: entry, of: list) }
      return editor.set("title", to: quotedYAML(title), inEntry: entry, of: list)
    case .tags(let tags):
      let new = tags.filter { tag in !known.tags.contains { $0.lowercased() == tag.lowercased() } }
      return new.isEmpty
        || editor.append(new.map(quotedYAML), to: "tags", inEntry: entry, of: list, isFlow: true)
    case .hide(let posts):
      return editor.append(posts, to: "hide", inEntry: entry, of: list, isFlow: false)
    case .withoutTags(let tags):
      let listed = editor.tags(ofThread: entry)
      let gone = Self.positions(of: listed) { tag in
        tags.contains { $0.lowercased() == tag.lowercased() }
      }
      return remove(gone, of: listed.count, "tags", &editor, entry) { .tag(thread: entry, $0) }
    case .show(let posts):
      let gone = Self.positions(of: known.hide) { post in posts.contains { $0.identity == post.identity } }
      return remove(gone, of: known.hide.count, "hide", &editor, entry) { .hidden(thread: entry, $0) }
    case .alt(let picture, let text):
      let count = known.alt.count + known.altOfPosts.count
      let isKnown =
        known.alt[picture] != nil || known.altOfPosts.keys.contains { $0.description == picture }
      if text == nil, !isKnown { return true }
      if text == nil, count == 1 { return editor.remove("alt", inEntry: entry, of: list) }
      return editor.set(picture, in: "alt", to: text.map(quotedYAML), inEntry: entry, of: list)
    case .publishAt(let time):
      guard let time else {
        return known.publishAt == nil || editor.remove("publish_at", inEntry: entry, of: list)
      }
      return editor.set("publish_at", to: quotedYAML(time), inEntry: entry, of: list)
    case .draft(let value): return set("draft", value, known.isDraft, &editor, entry)
    case .exclude(let value): return set("exclude", value, known.isExcluded, &editor, entry)
    }
  }

  private static func positions<Element>(of list: [Element], where isMeant: (Element) -> Bool) -> [Int] {
    list.indices.filter { isMeant(list[$0]) }
  }

  /// Removes elements of a list of the entry; a list that would be empty is removed with its key.
  private func remove(
    _ positions: [Int], of count: Int, _ key: String, _ editor: inout YAMLEditor, _ entry: Int,
    _ element: (Int) -> ConfigEntry
  ) -> Bool {
    if positions.isEmpty { return true }
    if positions.count == count, editor.remove(key, inEntry: entry, of: ThreadListName.threads.rawValue) {
      return true
    }
    return editor.remove(Set(positions.map(element)))
  }

  /// Sets a flag. A flag with its default value is removed if possible.
  private func set(_ key: String, _ value: Bool, _ known: Bool, _ editor: inout YAMLEditor, _ entry: Int)
    -> Bool
  {
    let list = ThreadListName.threads.rawValue
    if value == known { return true }
    if !value, editor.remove(key, inEntry: entry, of: list) { return true }
    return editor.set(key, to: "\(value)", inEntry: entry, of: list)
  }

  /// Returns the changed entry; `nil` if a post's URL is invalid.
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
        // An invalid URL hides nothing.
        guard let reference = try? addresses.post(post, besides: entry.url) else { return nil }
        entry.hide.append(reference)
      }
    case .withoutTags(let tags):
      entry.tags.removeAll { tag in tags.contains { $0.lowercased() == tag.lowercased() } }
    case .show(let posts):
      entry.hide.removeAll { hidden in posts.contains { $0.identity == hidden.identity } }
    case .alt(let picture, let text):
      if ThreadEntry.namesFile(picture) {
        entry.alt[picture] = text
      } else {
        // An invalid address describes nothing.
        guard let post = try? addresses.post(picture, besides: entry.url) else { return nil }
        entry.altOfPosts[post] = text
      }
    case .draft(let isDraft): entry.isDraft = isDraft
    // The text was checked before.
    case .publishAt(let time): entry.publishAt = time.flatMap { try? PublicationTime($0) }
    case .exclude(let isExcluded): entry.isExcluded = isExcluded
    }
    return entry
  }
}

/// Returns a text as a YAML value: plain if it is a word without a special meaning in YAML, otherwise in double quotes.
private func quotedYAML(_ text: String) -> String {
  let isWord =
    text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) } == true
    && text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    } && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
  return isWord ? text : SiteConfig.doubleQuoted(text)
}
