import Basics

/// The threads of a site that have the most tags and words in common with each thread.
///
/// A rare tag or word has a larger weight than a frequent one. The weight depends on the logarithm of the number of threads, so a new thread
/// seldom changes the order of other threads. The result depends only on the site's threads and is the same on every machine.
struct SimilarThreads {
  /// The maximum number of similar threads of a thread.
  private static let most = 3
  /// A tag or word of more threads is left out, so that the time grows linearly with the number of threads.
  private static let mostThreads = 256
  /// The minimum of `Topic.count` that two threads have in common: two words, or one tag.
  private static let leastInCommon = 2

  /// A tag or word that several threads have.
  private struct Topic {
    /// The threads, as a range of `keys`.
    let threads: Range<Int>
    let weight: Int
    /// 1 for a word, `leastInCommon` for a tag.
    let count: Int
  }

  /// A hash of a tag or word (32 bits), whether it is a tag (1 bit), and the index of a thread (31 bits); sorted, without duplicates.
  private var keys: [UInt64] = []
  private var topics: [Topic] = []
  /// For each thread, its topics.
  private var topicsOfThreads: [[Int32]]

  /// - Parameters:
  ///   - threads: the threads, newest first.
  ///   - topics: hashes of the words by which each thread is compared with others.
  init(_ threads: ThreadSummaries, topics: [SitePath: [UInt32]]) {
    topicsOfThreads = Array(repeating: [], count: threads.count)
    for (position, thread) in threads.enumerated() {
      for word in Set(topics[thread.path] ?? []) { keys.append(Self.key(word, isTag: false, position)) }
      for tag in Set(thread.tags.map(\.path.text)) {
        var digest = ContentDigest()
        digest.add(tag)
        keys.append(Self.key(UInt32(truncatingIfNeeded: digest.value), isTag: true, position))
      }
    }
    keys.sort()
    var start = 0
    while start < keys.count {
      let topic = keys[start] >> 31
      var end = start + 1
      while end < keys.count, keys[end] >> 31 == topic { end += 1 }
      add(start..<end, isTag: topic & 1 == 1, of: threads.count)
      start = end
    }
  }

  private static func key(_ hash: UInt32, isTag: Bool, _ position: Int) -> UInt64 {
    UInt64(hash) << 32 | (isTag ? 1 << 31 : 0) | UInt64(position)
  }

  private func thread(_ key: Int) -> Int { Int(keys[key] & (1 << 31 - 1)) }

  /// Adds a topic if it distinguishes threads: an eighth of the threads may have the same word, and half of them the same tag.
  private mutating func add(_ range: Range<Int>, isTag: Bool, of count: Int) {
    let most = min(Self.mostThreads, max(2, isTag ? count / 2 : count / 8))
    guard (2...most).contains(range.count) else { return }
    let rarity = (count / range.count).bitWidth - 1 - (count / range.count).leadingZeroBitCount
    let number = Int32(topics.count)
    topics.append(
      Topic(
        threads: range, weight: isTag ? 2 * rarity + 1 : rarity + 1, count: isTag ? Self.leastInCommon : 1))
    for key in range { topicsOfThreads[thread(key)].append(number) }
  }

  /// Returns the similar threads of each thread as indices, most similar first, and the newest first among equals. The next newer and the
  /// next older thread are left out.
  ///
  /// - Parameter jobs: the number of system threads.
  func all(jobs: Int) -> [[Int]] {
    let count = topicsOfThreads.count
    let parts = ParallelWork.run(count: count, jobs: jobs, makeState: { Comparison(count: count) }) {
      position, comparison in
      comparison.results.append((position, similar(to: position, &comparison)))
    }
    var all = [[Int]](repeating: [], count: count)
    for (position, best) in parts.lazy.flatMap(\.results) { all[position] = best }
    return all
  }

  /// The state of a worker that compares threads.
  private struct Comparison: Sendable {
    /// For each thread, the sums of `Topic.weight` and of `Topic.count` in common with the compared thread.
    var scores: [Int]
    var common: [Int]
    /// The threads with a score.
    var found: [Int] = []
    /// The similar threads of the compared threads.
    var results: [(position: Int, similar: [Int])] = []

    init(count: Int) {
      scores = Array(repeating: 0, count: count)
      common = scores
    }
  }

  private func similar(to position: Int, _ comparison: inout Comparison) -> [Int] {
    for number in topicsOfThreads[position] {
      let topic = topics[Int(number)]
      for key in topic.threads {
        let other = thread(key)
        if comparison.scores[other] == 0 { comparison.found.append(other) }
        comparison.scores[other] += topic.weight
        comparison.common[other] += topic.count
      }
    }
    var best: [Int] = []
    // The page also links to the newer and the older thread.
    for other in comparison.found
    where abs(other - position) > 1 && comparison.common[other] >= Self.leastInCommon {
      let score = comparison.scores[other]
      let place = best.firstIndex { (score, $0) > (comparison.scores[$0], other) } ?? best.count
      guard place < Self.most else { continue }
      best.insert(other, at: place)
      if best.count > Self.most { best.removeLast() }
    }
    for other in comparison.found { (comparison.scores[other], comparison.common[other]) = (0, 0) }
    comparison.found.removeAll(keepingCapacity: true)
    return best
  }
}
