import TestSupport
import Testing
import ThreadModel
import Unroll

/// Properties of every thread, tested on random conversations. A failure names the seed that repeats it.
@Suite("Properties of every thread")
struct PropertyTests {
  /// A few cases with many seeds each: one case per seed takes the test library longer than the test.
  static let seeds = stride(from: 0, to: UInt64(300), by: 50).map { $0..<$0 + 50 }

  @Test(arguments: seeds)
  func orderAndRepetitionOfFactsDoNotMatter(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.random(using: &generator)
      let thread = UnrolledThread(unrolling: conversation)
      for _ in 0..<3 {
        let shuffled = UnrolledThread(unrolling: conversation.shuffled(using: &generator))
        #expect(shuffled == thread, "\(shuffled.sketch)\n\(thread.sketch), seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds)
  func idsWithoutTimesGiveTheSameThread(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.randomOnX(isWhole: true, using: &generator)
      let renaming = Renaming(using: &generator)
      let renamed = renaming.apply(to: conversation)
      for withReplies in [false, true] {
        let thread = UnrolledThread(unrolling: conversation, withReplies: withReplies)
        let other = UnrolledThread(unrolling: renamed, withReplies: withReplies)
        #expect(renaming.undone(in: other.sketch) == thread.sketch, "seed \(seed)")
        #expect(other.completeness == thread.completeness, "seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds)
  func eachPostOfTheAuthorIsShownOnce(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.random(using: &generator)
      let thread = UnrolledThread(unrolling: conversation)
      let shown = thread.allPosts.map(\.id.value)
      #expect(shown.count == Set(shown).count, "a post is shown twice: \(thread.sketch), seed \(seed)")
      #expect(thread.allPosts.allSatisfy { $0.authorID == conversation.authorID }, "seed \(seed)")
      let lost = conversation.authorsPosts.subtracting(thread.allPosts.map(\.id))
      #expect(lost.isEmpty, "lost \(lost.map(\.value)): \(thread.sketch), seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func withRepliesEachPostIsShownOnceAndNoneOfTheAuthorIsLost(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.random(using: &generator)
      let thread = UnrolledThread(unrolling: conversation, withReplies: true)
      var shown: [PostID] = []
      thread.forEachShownPost { shown.append($0.id) }
      #expect(shown.count == Set(shown).count, "a post is shown twice: \(thread.sketch), seed \(seed)")
      let lost = conversation.authorsPosts.subtracting(shown)
      #expect(lost.isEmpty, "lost \(lost.map(\.value)): \(thread.sketch), seed \(seed)")
      let shuffled = UnrolledThread(
        unrolling: conversation.shuffled(using: &generator), withReplies: true)
      #expect(shuffled == thread, "\(shuffled.sketch)\n\(thread.sketch), seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func postsAreBelowTheirParents(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.random(using: &generator)
      let thread = UnrolledThread(unrolling: conversation)
      let reading = thread.predecessors
      for post in thread.allPosts where post.id != conversation.id {
        guard let parent = post.inReplyTo, let before = reading[post.id], before != parent else { continue }
        // A known parent directly precedes its reply, unless the parent is not shown, was replaced by an
        // edit, or is in a circle.
        let isShown = reading.keys.contains(parent)
        #expect(
          !isShown || conversation.isInCircle(post.id), "\(post.id.value): \(thread.sketch), seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds)
  func branchesAreNotLongerThanTheirLine(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let thread = UnrolledThread(unrolling: .random(using: &generator))
      for line in thread.lines {
        for (place, post) in line.posts.enumerated() {
          for branch in post.branches {
            let rest = line.posts.count - place - (place == 0 && line.isStart ? 0 : 1)
            #expect(branch.items.posts.count <= rest, "\(branch.label): \(thread.sketch), seed \(seed)")
          }
        }
      }
    }
  }

  @Test(arguments: seeds)
  func labelsAreUniqueAndCompletenessAddsUp(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let thread = UnrolledThread(unrolling: .random(using: &generator))
      let labels = thread.lines.flatMap { $0.posts.flatMap { $0.branches.map(\.label) } }
      #expect(labels.count == Set(labels).count, "seed \(seed)")
      let answers = thread.answers.flatMap { $0.items.allPosts }.count
      #expect(thread.completeness.known == thread.allPosts.count - answers, "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func hiddenPostsAreNowhere(seeds: Range<UInt64>) {
    for seed in seeds {
      var generator = SeededRandom(seed: seed)
      let conversation = Conversation.random(using: &generator)
      let hidden = Set(conversation.posts.map(\.id).filter { _ in generator.chance(25) })
      let thread = UnrolledThread(unrolling: conversation, hidden: hidden)
      #expect(thread.allPosts.allSatisfy { !hidden.contains($0.id) }, "seed \(seed)")
      // Hiding one version of a post hides the latest one.
      var asked = hidden
      while let next = (conversation.posts + conversation.related).first(where: {
        !asked.contains($0.id) && !asked.isDisjoint(with: $0.earlierVersions)
      }) {
        asked.insert(next.id)
      }
      let lost = conversation.authorsPosts.subtracting(asked).subtracting(thread.allPosts.map(\.id))
      #expect(lost.isEmpty, "lost \(lost.map(\.value)): \(thread.sketch), seed \(seed)")
    }
  }
}

// MARK: Inspecting threads

extension [ThreadItem] {
  var posts: [ThreadPost] { compactMap { if case .post(let post) = $0 { post } else { nil } } }
  var allPosts: [Post] { posts.flatMap { [$0.post] + $0.branches.flatMap(\.items.allPosts) } }
}

extension UnrolledThread {
  var allPosts: [Post] { items.allPosts + answers.flatMap(\.items.allPosts) }

  /// All lines: the main line, the branches at every depth, and those of the replies.
  var lines: [(posts: [ThreadPost], isStart: Bool)] {
    func lines(_ items: [ThreadItem], isStart: Bool) -> [(posts: [ThreadPost], isStart: Bool)] {
      [(items.posts, isStart)]
        + items.posts.flatMap { $0.branches.flatMap { lines($0.items, isStart: false) } }
    }
    return lines(items, isStart: true) + answers.flatMap { lines($0.items, isStart: false) }
  }

  /// For every post the previous one in its line, or the post where its branch begins; the first posts have
  /// none.
  var predecessors: [PostID: PostID?] {
    var result: [PostID: PostID?] = [:]
    func walk(_ items: [ThreadItem], after first: PostID?) {
      var before = first
      for post in items.posts {
        result.updateValue(before, forKey: post.post.id)
        for branch in post.branches { walk(branch.items, after: post.post.id) }
        before = post.post.id
      }
    }
    walk(items, after: nil)
    for answer in answers { walk(answer.items, after: nil) }
    return result
  }
}

extension Conversation {
  /// The author's posts that a thread must show: listed ones, in their latest known version.
  var authorsPosts: Set<PostID> {
    Set(posts.filter { $0.authorID == authorID }.map(\.id)).subtracting(replacedVersions)
  }

  var replacedVersions: Set<PostID> {
    let all = posts + related
    let times = Dictionary(all.map { ($0.id, $0.createdAt) }, uniquingKeysWith: { first, _ in first })
    func isEarlier(_ earlier: PostID, _ later: Post) -> Bool {
      guard id.platform != .x else { return earlier < later.id }
      guard let time = times[earlier] ?? nil, let other = later.createdAt else { return true }
      return time < other
    }
    return Set(
      all.flatMap { later in
        later.earlierVersions.filter { earlier in
          isEarlier(earlier, later) && all.allSatisfy { $0.id != earlier || $0.authorID == later.authorID }
        }
      })
  }

  /// Whether the chain of parents of a post leads back to it.
  func isInCircle(_ id: PostID) -> Bool {
    var open = Set((posts + related).filter { $0.id == id }.compactMap(\.inReplyTo))
    var seen: Set<PostID> = []
    while let next = open.popFirst() {
      if next == id { return true }
      if seen.insert(next).inserted {
        open.formUnion((posts + related).filter { $0.id == next }.compactMap(\.inReplyTo))
        open.formUnion((posts + related).filter { $0.earlierVersions.contains(next) }.map(\.id))
      }
    }
    return false
  }
}
