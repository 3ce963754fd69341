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
    let count = list == .sources ? config.sources.count : config.threads.count
    guard count > 0, let last = locations["\(list.rawValue)[\(count - 1)]"] else { return nil }
    let (newline, carriageReturn, space) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "))
    // Bytes, because a `Character` takes CR and LF for one.
    var lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
    guard lines.indices.contains(last.line - 1) else { return nil }
    let entry = lines[last.line - 1]
    guard let dash = entry.firstIndex(where: { $0 != space }), entry[dash] == UInt8(ascii: "-") else {
      return nil
    }
    let indent = entry[..<dash]
    var end = last.line
    for index in last.line..<max(last.line, lines.count) {
      let content = lines[index].drop { $0 == space || $0 == carriageReturn }
      guard let first = content.first, first != UInt8(ascii: "#") else { continue }
      guard lines[index].prefix(while: { $0 == space }).count > indent.count else { break }
      end = index + 1
    }
    let added = indent + Array("- \(address)".utf8) + (entry.last == carriageReturn ? [carriageReturn] : [])
    lines.insert(added, at: end)
    let result = Array(lines.joined(separator: [newline]))
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
}
