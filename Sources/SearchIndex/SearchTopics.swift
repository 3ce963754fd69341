extension SearchTerms {
  /// The maximum number of topics of a document.
  private static let mostTopics = 24
  /// In bytes of UTF-8. Shorter words say little about a text.
  private static let shortestTopic = 3
  /// In halves, like the weights of terms: the word occurs twice in the author's own text.
  private static let leastWeight = 4

  /// The topics of the document, as hashes of words: the words of its title, and those that its text repeats, most frequent first. Two words
  /// may have the same hash.
  ///
  /// A change of words that occur once leaves them unchanged.
  package var topics: [UInt32] {
    struct Word {
      var bytes: ArraySlice<UInt8>
      var isTitled: Bool
      var weight: Int
    }
    var words: [Word] = []
    log.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      while reader.offset < bytes.count {
        let count = min(reader.next(), bytes.count - reader.offset)
        let term = log[reader.offset..<reader.offset + count]
        reader.offset += count
        let use = TermUse(flags: reader.next(), weight: reader.next())
        reader.skip(reader.next())
        guard count >= Self.shortestTopic, use.isTitled || use.weight >= Self.leastWeight else { continue }
        words.append(Word(bytes: term, isTitled: use.isTitled, weight: use.weight))
      }
    }
    words.sort { one, other in
      if one.isTitled != other.isTitled { return one.isTitled }
      if one.weight != other.weight { return one.weight > other.weight }
      return one.bytes.lexicographicallyPrecedes(other.bytes)
    }
    return words.prefix(Self.mostTopics).map { word in
      word.bytes.withUnsafeBufferPointer { TermTable.hash($0) }
    }
  }
}
