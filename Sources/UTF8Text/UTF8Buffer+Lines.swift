extension UTF8Buffer {
  /// The text with `prefix` before every line: `"> "` makes a Markdown block quote of it.
  ///
  /// A line with nothing on it gets the prefix without its trailing spaces. A newline at the end ends the last line, it
  /// does not begin another.
  package func prefixingLines(with prefix: String) -> UTF8Buffer {
    let whole = Array(prefix.utf8)
    let bare = whole[..<((whole.lastIndex { $0 != Byte.space } ?? -1) + 1)]
    var output = UTF8Buffer(capacity: count + count / 16 + whole.count * 4)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: Byte.newline).map { $0 + 1 } ?? bytes.count
      output.append(bytes[start] == Byte.newline ? bare : whole[...])
      output.append(bytes[start..<end])
      start = end
    }
    return output
  }
}
