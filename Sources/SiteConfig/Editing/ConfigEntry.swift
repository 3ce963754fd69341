/// An entry of one of site.yml's lists that names a thread or an account, by its position.
package enum ConfigEntry: Hashable, Sendable {
  case source(Int)
  case thread(Int)
  case sameAs(thread: Int, Int)
  case collected(collection: Int, Int)
}

extension DecodedSiteConfig {
  /// The file's text without entries of its lists; the rest of it stays as the owner wrote it.
  ///
  /// - Returns: the text, and the entries that it is without: those that are written in a way which only their owner should touch stay, as do
  ///   those without which the file would be none, such as the last thread of a collection.
  package func removing(
    _ entries: Set<ConfigEntry>, _ addresses: AddressBook
  ) -> (bytes: [UInt8], removed: Set<ConfigEntry>) {
    if let result = without(entries, addresses) { return (result, entries) }
    // Each try reads the whole file.
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
    let result = editor.bytes
    // The proof that the edit was the right one.
    guard let new = try? SiteConfig.decode(bytes: result, file: file, addresses: addresses),
      new.config == expected
    else { return nil }
    return result
  }

  /// The lines of an entry of `sources` or `threads`, without the blanks before its dash; `nil` for other entries, and for what is written in another
  /// way.
  package func lines(of entry: ConfigEntry) -> [String]? { YAMLEditor(bytes)?.lines(of: entry) }

  /// The file's text with entries again that were taken out of one of its lists, at the end of it.
  ///
  /// - Parameter entries: each as `lines(of:)` gave it.
  /// - Returns: `nil` where the list is written in a way that only its owner should touch.
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
      // Its places are those of the text that it was made from.
      guard let next = YAMLEditor(editor.bytes) else { return nil }
      editor = next
    }
    let result = editor.bytes
    guard let new = try? SiteConfig.decode(bytes: result, file: file, addresses: addresses),
      new.config == expected
    else { return nil }
    return result
  }
}
