package import ThreadModel

/// The reading time of a thread.
package enum ReadingTime {
  /// Words per minute: silent reading of English prose (M. Brysbaert, "How many words do we read per minute?", 2019).
  static let words = 238
  /// Characters per minute in scripts without spaces between words: the usual rule of thumb.
  static let characters = 500

  /// Returns whole minutes, rounded up, at least one, for the author's posts and their quotes, without replies by others.
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

    /// A word begins after a blank, or after a character that is itself a word.
    private mutating func add(_ post: Post) {
      var text = post.text.text
      // Nearly all texts contain no ideographs, whose first byte is at least 0xE3.
      let words = text.withUTF8 { bytes -> Int? in
        var (found, isInWord) = (0, false)
        for byte in bytes {
          if byte >= 0xE3 { return nil }
          if byte > 0x20, !isInWord { found += 1 }
          isInWord = byte > 0x20
        }
        return found
      }
      if let words { return self.words += words }
      var isInWord = false
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case ...0x20: isInWord = false
        // Kana and ideographs.
        case 0x3040...0x9FFF, 0x20000...0x2FFFF:
          characters += 1
          isInWord = false
        default:
          if !isInWord { self.words += 1 }
          isInWord = true
        }
      }
    }
  }
}
