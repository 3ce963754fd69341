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

    private mutating func add(_ post: Post) {
      let text = post.text.text
      if text.utf8.withContiguousStorageIfAvailable({ add($0) }) == nil {
        Array(text.utf8).withUnsafeBufferPointer { add($0) }
      }
    }

    /// Counts by bytes: a word begins after a blank or after a character that is a word by itself.
    private mutating func add(_ utf8: UnsafeBufferPointer<UInt8>) {
      guard let first = utf8.first else { return }
      var starts = first > 0x20 ? 1 : 0
      var greatest = first
      // Nearly all texts contain no ideographs. The compiler vectorises this loop, as it has no branches, and as it counts in a byte, which is enough
      // for a part of 255 bytes.
      for start in stride(from: 1, to: utf8.count, by: 255) {
        var startsOfPart: UInt8 = 0
        for index in start..<min(start + 255, utf8.count) {
          startsOfPart &+= (utf8[index] > 0x20 ? 1 : 0) & (utf8[index - 1] <= 0x20 ? 1 : 0)
          greatest = max(greatest, utf8[index])
        }
        starts += Int(startsOfPart)
      }
      if greatest < Self.firstOfIdeographs { words += starts } else { addWithIdeographs(utf8) }
    }

    private mutating func addWithIdeographs(_ utf8: UnsafeBufferPointer<UInt8>) {
      var isInWord = false
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        if byte <= 0x20 {
          isInWord = false
        } else if Self.opensIdeograph(byte, index + 1 < utf8.count ? utf8[index + 1] : 0) {
          characters += 1
          isInWord = false
          index += byte < 0xF0 ? 2 : 3
        } else if !isInWord, byte & 0xC0 != 0x80 {
          words += 1
          isInWord = true
        }
        index += 1
      }
    }

    /// The smallest byte for which `opensIdeograph` can be true.
    private static var firstOfIdeographs: UInt8 { 0xE3 }

    /// Whether the first two bytes of a UTF-8 sequence begin kana or ideographs, U+3040–U+9FFF and U+20000–U+2FFFF.
    private static func opensIdeograph(_ first: UInt8, _ second: UInt8) -> Bool {
      switch first {
      case 0xE3: second >= 0x81
      case 0xE4...0xE9: true
      case 0xF0: second >= 0xA0 && second <= 0xAF
      default: false
      }
    }
  }
}
