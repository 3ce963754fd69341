extension DecodedSiteConfig {
  /// The file's text with one more thread at the end of its list; the rest of it stays as the owner wrote it.
  ///
  /// - Parameters:
  ///   - address: the thread's address, as it shall stand in the file.
  ///   - bytes: the file that this was decoded from.
  /// - Returns: `nil` where the list is not written one entry a line, so that only its owner can say where the entry goes.
  package func adding(_ address: String, to bytes: [UInt8]) -> [UInt8]? {
    guard let threads = config.threads, !threads.isEmpty,
      let last = locations["threads[\(threads.count - 1)]"]
    else { return nil }
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
    return isThis(result, withOneMore: address) ? result : nil
  }

  /// Whether the text says what this does, and the new entry, and nothing else: the proof that the edit was the right one.
  private func isThis(_ bytes: [UInt8], withOneMore address: String) -> Bool {
    guard let reference = try? PostReference(address),  // an address that is none makes no entry
      let new = try? SiteConfig.decode(bytes: bytes, file: file)  // nor does a text that is no site.yml
    else { return false }
    var expected = config
    expected.threads?.append(.post(ThreadSource.Post(url: reference)))
    return new.config == expected
  }
}
