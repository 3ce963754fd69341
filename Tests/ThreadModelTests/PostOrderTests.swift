import TestSupport
import Testing
import ThreadModel

@Suite("The order of posts") struct PostOrderTests {
  private func post(
    _ id: String, _ milliseconds: Int64?, on platform: Platform = .x, by authority: String? = nil
  ) -> Post {
    var post = Post(id: PostID(id, by: authority, on: platform), authorID: AuthorID("1", on: platform))
    post.createdAt = milliseconds.map(Timestamp.init(milliseconds:))
    return post
  }

  private func order(_ posts: [Post]) -> [String] {
    let sorted = PostOrder.sorted(posts)
    var random = SeededRandom()
    for _ in 0..<20 { #expect(PostOrder.sorted(posts.shuffled(using: &random)) == sorted) }
    #expect(PostOrder.positions(of: sorted) == nil)
    return sorted.map(\.id.value)
  }

  @Test func timesHavePriorityOverIDs() {
    #expect(order([post("30", 1000), post("20", 2000), post("100", 3000)]) == ["30", "20", "100"])
    #expect(order([post("z", 1000, on: .bluesky), post("a", 2000, on: .bluesky)]) == ["z", "a"])
  }

  /// One source has seconds, another one milliseconds.
  @Test func idsDecideWithinASecond() {
    #expect(order([post("9", 1500), post("10", 1000), post("11", 1999)]) == ["9", "10", "11"])
    let keys = [
      post("9", 1500, on: .bluesky, by: "did:plc:a"), post("10", 1000, on: .bluesky, by: "did:plc:a"),
      post("11", 1999, on: .bluesky, by: "did:plc:a"),
    ]
    #expect(order(keys) == ["10", "9", "11"])
    let copies = [post("9", 1500, on: .mastodon, by: "a"), post("10", 1000, on: .mastodon, by: "b")]
    #expect(order(copies) == ["10", "9"])
  }

  @Test func postWithoutATimeIsPlacedByItsID() {
    #expect(
      order([post("10", 1000), post("15", nil), post("20", 2000), post("5", nil), post("30", nil)])
        == ["5", "10", "15", "20", "30"])
    #expect(order([post("10", nil), post("9", nil), post("100", nil)]) == ["9", "10", "100"])
  }

  @Test func postWithoutATimeIsLastIfIDsHaveNoTime() {
    #expect(
      order([post("a", nil, on: .bluesky), post("c", 2000, on: .bluesky), post("b", 3000, on: .bluesky)])
        == ["c", "b", "a"])
  }

  @Test func orderIsStrictAndTotalForAnyTimesAndIDs() {
    let seed = SeededRandom.seedOfRun
    var generator = SeededRandom(seed: seed)
    for round in 0..<200 {
      var posts: [Post] = []
      for id in 0..<Int.random(in: 0..<12, using: &generator) {
        let platform: Platform = [.x, .x, .bluesky, .mastodon].randomElement(using: &generator) ?? .x
        let time =
          Int.random(in: 0..<3, using: &generator) == 0 ? nil : Int64.random(in: 0..<4000, using: &generator)
        let authority = platform == .x ? nil : Bool.random(using: &generator) ? "a" : "b"
        posts.append(post("\(id)", time, on: platform, by: authority))
      }
      let sorted = PostOrder.sorted(posts)
      #expect(Set(sorted) == Set(posts) && sorted.count == posts.count)
      // A strict total order gives one result for every order of the input.
      for _ in 0..<5 {
        #expect(PostOrder.sorted(posts.shuffled(using: &generator)) == sorted, "seed \(seed), round \(round)")
      }
      // Posts with times are in the order of their seconds.
      let seconds = sorted.compactMap(\.createdAt?.seconds)
      #expect(seconds == seconds.sorted(), "seed \(seed), round \(round)")
    }
  }
}

@Suite("The latest version of an edited post") struct PostVersionsTests {
  private func versions(_ claims: [(later: Int, earlier: [Int])]) -> PostVersions<Int> {
    var versions = PostVersions<Int>(<)
    for claim in claims { versions.add(claim.earlier, replacedBy: claim.later) }
    return versions
  }

  @Test(arguments: [false, true]) func eachVersionLeadsToTheLast(isSettled: Bool) {
    var versions = versions([(3, [1, 2]), (7, [3, 7]), (9, [8])])
    if isSettled { versions.resolve() }
    #expect([1, 2, 3, 7, 8, 9, 10].map(versions.latest) == [7, 7, 7, 7, 9, 9, 10])
    #expect([1, 3, 7, 10].map(versions.isSuperseded) == [true, true, false, false])
    versions.add([7], replacedBy: 12)
    #expect(versions.latest(1) == 12)
    versions.resolve()
    #expect(versions.latest(1) == 12 && versions.latest(7) == 12)
  }

  @Test func ignoresImpossibleClaims() {
    var versions = versions([(3, [4, 3]), (4, [3])])
    #expect(versions.latest(3) == 4 && versions.latest(4) == 4)
    versions.add([1, 2], replacedBy: 5) { $0 != 2 }
    #expect(versions.latest(1) == 5 && versions.latest(2) == 2)
  }

  @Test func laterOfTwoReplacementsWins() {
    for claims in [[(5, [1]), (3, [1])], [(3, [1]), (5, [1])]] {
      #expect(versions(claims.map { (later: $0.0, earlier: $0.1) }).latest(1) == 5)
    }
  }

  /// A quadratic walk over this chain would take hours.
  @Test func longChainTakesLinearTime() {
    var versions = PostVersions<Int>(<)
    for id in 0..<200_000 { versions.add([id], replacedBy: id + 1) }
    versions.resolve()
    #expect((0..<200_000).allSatisfy { versions.latest($0) == 200_000 })
  }
}
