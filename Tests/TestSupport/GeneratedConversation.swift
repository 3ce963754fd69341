/// A random conversation in which one author writes a thread: with side branches, missing posts, other people's replies, and the author's answers to these.
///
/// It belongs to no network; tests copy it into a network's stub.
package struct GeneratedConversation: Sendable {
  package struct Post: Sendable {
    /// 0 is the author of the thread.
    package var author: Int
    /// The index of the post that it answers; `nil` for the first post.
    package var parent: Int?
    /// The time of writing, in seconds after the first post. It is different for each post, and later than
    /// the answered post's.
    package var second: Int
    /// Whether the network no longer shows the post.
    package var isGone = false
  }

  /// The features that may occur.
  package struct Options: Sendable {
    package var longestThread = 60
    /// Whether the first post of a side branch may be gone.
    package var losesBranches = true

    package init() {}
  }

  /// All posts in the order in which they were written, the first post first.
  package private(set) var posts: [Post] = []

  package init(_ options: Options = Options(), using random: inout some RandomNumberGenerator) {
    posts = [Post(author: 0, second: 0)]
    let main = continueThread(
      from: 0, length: Int.random(in: 2...options.longestThread, using: &random), &random)
    var branches: Set<Int> = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      guard let start = ([0] + main.dropLast()).randomElement(using: &random) else { break }
      let branch = continueThread(from: start, length: Int.random(in: 1...12, using: &random), &random)
      branches.formUnion(branch.prefix(1))
    }
    addReplies(&random)
    let own = posts.indices.filter { posts[$0].author == 0 }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      // A post with an answer by its author, and sometimes also the next one.
      guard
        let first = own.filter({ isContinued($0) && ($0 > 0 || Int.random(in: 0..<8, using: &random) == 0) })
          .randomElement(using: &random)
      else { break }
      for index in [first, Bool.random(using: &random) ? child(of: first) : nil].compactMap(\.self)
      where isContinued(index) && (options.losesBranches || !branches.contains(index)) {
        posts[index].isGone = true
      }
    }
    sort()
  }

  /// The visible posts of the thread: the author's posts whose chain to the first post consists of the author's posts, including missing ones.
  package var thread: [Int] {
    var isThread = Array(repeating: false, count: posts.count)
    for (index, post) in posts.enumerated() {
      isThread[index] = post.author == 0 && (post.parent.map { isThread[$0] } ?? true)
    }
    return posts.indices.filter { isThread[$0] && !posts[$0].isGone }
  }

  private mutating func continueThread(
    from start: Int, length: Int, _ random: inout some RandomNumberGenerator
  ) -> [Int] {
    var added: [Int] = []
    for _ in 0..<length {
      let parent = added.last ?? start
      // Some branches are older than the next post of the main line, some are younger.
      let second = posts[parent].second + Int.random(in: 2...(added.isEmpty ? 900 : 90), using: &random)
      posts.append(Post(author: 0, parent: parent, second: free(second)))
      added.append(posts.count - 1)
    }
    return added
  }

  private mutating func addReplies(_ random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let parent = Int.random(in: 0..<posts.count, using: &random)
      // Other people's posts, and the author's answers to other people.
      let author =
        posts[parent].author == 0
        ? Int.random(in: 1...2, using: &random) : Int.random(in: 0...2, using: &random)
      let second = posts[parent].second + Int.random(in: 1...2000, using: &random)
      posts.append(Post(author: author, parent: parent, second: free(second)))
    }
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    // More replies than a server shows at once.
    let parent = Int.random(in: 0..<posts.count, using: &random)
    for _ in 0..<70 {
      let second = posts[parent].second + Int.random(in: 1...2000, using: &random)
      posts.append(Post(author: Int.random(in: 1...2, using: &random), parent: parent, second: free(second)))
    }
  }

  /// Returns the first second from `second` on at which nothing was written.
  private func free(_ second: Int) -> Int {
    let taken = Set(posts.map(\.second))
    var second = second
    while taken.contains(second) { second += 1 }
    return second
  }

  private func child(of index: Int) -> Int? {
    posts.indices.first { posts[$0].parent == index && posts[$0].author == 0 }
  }
  private func isContinued(_ index: Int) -> Bool { child(of: index) != nil }

  private mutating func sort() {
    let order = posts.indices.sorted { posts[$0].second < posts[$1].second }
    var places: [Int: Int] = [:]
    for (place, index) in order.enumerated() { places[index] = place }
    posts = order.map { index in
      var post = posts[index]
      post.parent = post.parent.flatMap { places[$0] }
      return post
    }
  }
}
