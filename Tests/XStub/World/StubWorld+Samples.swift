package import Foundation

extension StubWorld {
  /// Returns a thread of plain posts, for tests of paging: a search returns at most 100 posts on a page.
  package static func plainThread(
    of count: Int, startingAt start: Date, every seconds: Double = 60
  ) -> (world: StubWorld, author: StubUser, posts: [StubID]) {
    var world = StubWorld()
    let author = world.user("long_stub", name: "Long Threads")
    let texts = (1...max(count, 1)).map { StubText("Post number \($0) of \(count).") }
    let posts = world.thread(by: author, posts: texts, startingAt: start, every: seconds)
    return (world, author, posts)
  }

  /// Returns an author's chain of posts in the conversation of a different user, whose two posts come first.
  package static func chainInConversation(
    of count: Int, startingAt start: Date
  ) -> (world: StubWorld, host: StubUser, author: StubUser, hostPosts: [StubID], chain: [StubID]) {
    var world = StubWorld()
    let host = world.user("host_stub", name: "Host")
    let author = world.user("guest_stub", name: "Guest")
    let hostPosts = world.thread(by: host, posts: ["What is a tide?", "Anyone?"], startingAt: start)
    let texts = (1...max(count, 1)).map { StubText("Answer, part \($0).") }
    let chain = world.thread(
      by: author, posts: texts, startingAt: start.addingTimeInterval(600), replyingTo: hostPosts.last)
    return (world, host, author, hostPosts, chain)
  }
}
