package import Foundation

/// A world with one thread of 25 posts, which contains everything that a page can show.
package struct SampleThread: Sendable {
  package var world = StubWorld()
  package var author: StubUser
  package var start: Date
  var pollMinutes = 1440

  /// All 25 posts of the thread in their last versions, including the missing post.
  package var posts: [StubID] = []
  /// The deleted post in the middle.
  package var missing: StubID = 0
  /// The versions of the edited post, the older first; the newer is one of `posts`.
  package var versions: [StubID] = []
  /// A post with a photo by a different author, which the thread quotes.
  package var quoted: StubID = 0
  /// A deleted post that the thread quotes.
  package var deletedQuoted: StubID = 0
  /// The posts with a poll, a video, a link card and a long text.
  package var poll: StubID = 0
  package var video: StubID = 0
  package var card: StubID = 0
  package var long: StubID = 0
  /// The author's two posts that branch off from the main line.
  package var branch: [StubID] = []
  /// Replies by others, and the author's answer to one of them.
  package var replies: [StubID] = []
  package var answer: StubID = 0

  package var root: StubID { posts.first ?? 0 }
  package var last: StubID { posts.last ?? 0 }
  /// The posts of the main line that can be read.
  package var visible: [StubID] { posts.filter { $0 != missing } }

  /// Returns the time of the post with an index; the thread has a post every 90 seconds.
  func time(_ index: Double) -> Date { start.addingTimeInterval(index * 90) }

  mutating func add(
    _ text: StubText, media: [StubMedia] = [], quoting: StubID? = nil, poll: StubPoll? = nil,
    note: StubText? = nil, lang: String = "en", change: (inout StubPost) -> Void = { _ in }
  ) {
    posts.append(
      world.post(
        by: author, text, at: time(Double(posts.count)), replyingTo: posts.last, quoting: quoting,
        media: media, poll: poll, note: note, lang: lang, change: change))
  }
}

extension StubWorld {
  /// Returns the sample thread with its world.
  ///
  /// - Parameters:
  ///   - start: The time of the first post, such as two days or two years ago.
  ///   - pollMinutes: The duration of the poll in minutes: 1440 for a day, at most 10080.
  ///   - otherPosts: The number of posts of the author outside the thread.
  package static func sampleThread(
    startingAt start: Date, pollMinutes: Int = 1440, otherPosts: Int = 20
  ) -> SampleThread {
    var world = StubWorld()
    let author = world.user(
      "mira_stub", name: "Mira Halvorsen 🌊",
      bio:
        "Harbour pilot & writer of tide tables <3. With \(mention: "bo_stub"). \(link: StubLink("https://tides.example/mira")) \(hashtag: "harbour")",
      createdAt: start.addingTimeInterval(-400 * 86_400)
    ) {
      $0.location = "Bergen"
      $0.website = StubLink("https://mira.example/")
      $0.verified = true
      $0.verifiedType = "blue"
      $0.banner = "/media/banners/\($0.id)/1500x500.jpg"
    }
    var sample = SampleThread(author: author, start: start)
    sample.world = world
    sample.pollMinutes = pollMinutes
    sample.addOthers()
    sample.addBeginning()
    sample.addMiddle()
    sample.addEnd()
    sample.addReplies()
    sample.addNoise(otherPosts)
    return sample
  }
}
