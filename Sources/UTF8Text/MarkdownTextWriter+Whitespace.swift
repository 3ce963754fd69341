extension MarkdownTextWriter {
  /// Takes a newline of the text.
  mutating func newline() {
    if place == .inline {
      flushPending()
      appendNewlineReferences(1)
      return
    }
    if pendingSpaces > 0 { flushSpacesAtLineEnd() }
    pendingNewlines += 1
  }

  /// Writes what is pending before a visible character.
  mutating func flushPending() {
    flushNewlines()
    if pendingSpaces > 0 { flushSpaces(atLineEnd: false) }
    hasWritten = true
  }

  /// Writes pending newlines and spaces, after which the line ends.
  mutating func flushSpacesAtLineEnd() {
    flushNewlines()
    flushSpaces(atLineEnd: true)
  }

  /// One newline is a hard break, two a paragraph's end; the others, and those before all text, are kept as references.
  private mutating func flushNewlines() {
    let count = pendingNewlines
    guard count > 0 else { return }
    guard hasWritten else {
      appendNewlineReferences(count)
      return
    }
    output.append(count == 1 ? "  \n" as StaticString : "\n\n" as StaticString)
    position = .start
    pendingNewlines = 0
    endsWithExclamationMark = false
    if count > 2 { appendNewlineReferences(count - 2) }
  }

  /// Writes the pending spaces, the outermost as a reference where Markdown would strip it.
  private mutating func flushSpaces(atLineEnd: Bool) {
    for index in 0..<pendingSpaces {
      let isOutermost = (index == 0 && position == .start) || (atLineEnd && index == pendingSpaces - 1)
      output.append(isOutermost ? "&#32;" as StaticString : " " as StaticString)
    }
    pendingSpaces = 0
    position = .inside
    hasWritten = true
    endsWithExclamationMark = false
  }

  /// Writes newlines that stay characters of their paragraph.
  mutating func appendNewlineReferences(_ count: Int) {
    guard count > 0 else { return }
    for _ in 0..<count { output.append("&#10;" as StaticString) }
    pendingNewlines = 0
    position = .inside
    hasWritten = true
    endsWithExclamationMark = false
  }
}
