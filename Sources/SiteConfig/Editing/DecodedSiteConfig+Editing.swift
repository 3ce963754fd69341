/// The lists of a site.yml that threads are added to by the program.
package enum ThreadListName: String, Sendable {
  /// Where threads come from.
  case sources
  /// What the site has, where `include` is `listed`.
  case threads
}

extension DecodedSiteConfig {
  /// The file's text with one more post at the end of one of its lists; the rest of it stays as the owner wrote it.
  ///
  /// - Parameters:
  ///   - address: the post's address, as it shall stand in the file.
  ///   - list: the list that it is added to.
  ///   - bytes: the file that this was decoded from.
  ///   - addresses: how the addresses in it are understood.
  /// - Returns: `nil` where the list is not written one entry a line, so that only its owner can say where the entry goes.
  package func adding(
    _ address: String, to list: ThreadListName, in bytes: [UInt8], _ addresses: AddressBook
  ) -> [UInt8]? {
    guard !(list == .sources ? config.sources.isEmpty : config.threads.isEmpty),
      var editor = YAMLEditor(bytes), editor.append([address], to: list.rawValue)
    else { return nil }
    let result = editor.bytes
    return isThis(result, withOneMore: address, in: list, addresses) ? result : nil
  }

  /// Whether the text says what this does, and the new entry, and nothing else: the proof that the edit was the right one.
  private func isThis(
    _ bytes: [UInt8], withOneMore address: String, in list: ThreadListName, _ addresses: AddressBook
  ) -> Bool {
    // An address that is none makes no entry, nor does a text that is no site.yml.
    guard let reference = try? addresses.post(address),
      let new = try? SiteConfig.decode(bytes: bytes, file: file, addresses: addresses)
    else { return false }
    var expected = config
    switch list {
    case .sources: expected.sources.append(.post(ThreadSource.Post(reference)))
    case .threads: expected.threads.append(ThreadEntry(url: reference))
    }
    return new.config == expected
  }

  /// The file's text with a change to what it says of one thread; the rest of it stays as the owner wrote it.
  ///
  /// - Parameters:
  ///   - entry: the thread's entry in `threads`; `nil` where it has none, and gets one.
  ///   - address: the thread's address for a new entry.
  /// - Returns: `nil` where the file is written in a way that only its owner should touch.
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
      // An address that is none makes no entry.
      guard let reference = try? addresses.post(address),
        let new = change.applied(to: ThreadEntry(url: reference), addresses),
        editor.append(["url: \(address)"] + change.lines, to: ThreadListName.threads.rawValue)
      else { return nil }
      expected.threads.append(new)
    }
    let result = editor.bytes
    guard let new = try? SiteConfig.decode(bytes: result, file: file, addresses: addresses),
      new.config == expected
    else { return nil }
    return result
  }

  /// What to write by hand where the file cannot be edited: lines for the thread's entry, or a whole entry.
  package func linesByHand(entry: Int?, address: String, _ change: ThreadChange) -> String {
    let lines = entry == nil ? ["threads:", "  - url: \(address)"] : []
    return (lines + change.lines.map { "    " + $0 }).joined(separator: "\n")
  }
}
