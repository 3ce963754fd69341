package import ThreadModel

/// How long a thread takes to read.
package enum ReadingTime {
  /// Words per minute: silent reading of English prose (M. Brysbaert, "How many words do we read per minute?", 2019).
  static let words = 238
  /// Characters per minute in scripts without spaces between words: the usual rule of thumb.
  static let characters = 500

  /// Returns whole minutes, rounded up, at least one, for the author's posts and their quotes, without others' replies.
  package static func minutes(of thread: UnrolledThread) -> Int {
    var count = Count()
    count.add(thread.items)
    for answer in thread.answers { count.add(answer.items) }
    // Calculated with integers, in units that are a common divisor of both rates.
    let parts = count.words * characters + count.characters * words
    return max(1, (parts + words * characters - 1) / (words * characters))
  }

  private struct Count {
    var words = 0
    var characters = 0
    private var longQuotes = LongQuotes()

    mutating func add(_ items: [ThreadItem]) {
      for case .post(let threadPost) in items {
        add(threadPost.post)
        if case .post(let quoted, _, _)? = threadPost.quote, !longQuotes.repeats(quoted) { add(quoted) }
        for branch in threadPost.branches { add(branch.items) }
      }
    }

    /// A word begins after a blank, or after a character that is a word by itself.
    private mutating func add(_ post: Post) {
      let text = post.text.text
      var isInWord = false
      // Nearly all texts contain no ideographs, whose first byte is at least this one.
      guard text.utf8.contains(where: { $0 >= 0xE3 }) else {
        for byte in text.utf8 {
          if byte > 0x20, !isInWord { words += 1 }
          isInWord = byte > 0x20
        }
        return
      }
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case ...0x20: isInWord = false
        // Kana and ideographs.
        case 0x3040...0x9FFF, 0x20000...0x2FFFF:
          characters += 1
          isInWord = false
        default:
          if !isInWord { words += 1 }
          isInWord = true
        }
      }
    }
  }
}
