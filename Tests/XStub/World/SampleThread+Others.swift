import Foundation

extension SampleThread {
  /// Adds the other users, the author's followers, and the posts that the thread quotes.
  mutating func addOthers() {
    let earlier = start.addingTimeInterval(-5 * 86_400)
    let bo = world.user("bo_stub", name: "Bo & Sons <boats>", bio: "We mend boats.")
    world.user("kenji_stub", name: "健二 🎣", bio: "海が好き")
    world.user("layla_stub", name: "ليلى")
    let gone = world.user("gone_stub", name: "Gone")
    quoted = world.post(
      by: bo, "A boat is a hole in the water & you know the rest. \(hashtag: "boats")", at: earlier,
      media: [.photo("workshop.jpg", width: 1024, height: 768, alt: "Our workshop")])
    deletedQuoted = world.post(by: gone, "Soon deleted.", at: earlier)
    world.delete(deletedQuoted)
    for index in 1...30 {
      let follower = world.user("follower_\(index)", name: "Follower \(index)")
      world.follow(author, by: follower)
    }
  }

  /// Adds replies by other users, the author's answer to one of them, and the author's side branch.
  mutating func addReplies() {
    guard let bo = world.user(named: "bo_stub"), let kenji = world.user(named: "kenji_stub") else { return }
    let late = time(30)
    replies.append(world.post(by: bo, "Lovely! 😍", at: late, replyingTo: root))
    let question = world.post(
      by: kenji, "Which ferry is that?", at: late.addingTimeInterval(60), replyingTo: video)
    replies.append(question)
    answer = world.post(
      by: author, "The one at nine & the one at noon.", at: late.addingTimeInterval(120),
      replyingTo: question)
    replies.append(
      world.post(by: kenji, "ありがとう", at: late.addingTimeInterval(180), replyingTo: answer, lang: "ja"))
    let branchStart = world.post(
      by: author, "A side note on notes.", at: late.addingTimeInterval(240), replyingTo: posts[3])
    let branchEnd = world.post(
      by: author, "And it ends here.", at: late.addingTimeInterval(300), replyingTo: branchStart)
    branch = [branchStart, branchEnd]
  }

  /// Adds other posts, reposts and replies of the author, from before the thread to after it.
  mutating func addNoise(_ count: Int) {
    guard let bo = world.user(named: "bo_stub") else { return }
    for index in 0..<count {
      let date = time(Double(index) * 4 - 20).addingTimeInterval(17)
      switch index % 4 {
      case 0: world.repost(of: quoted, by: author, at: date)
      case 1:
        let other = world.post(by: bo, "Open today, number \(index).", at: date.addingTimeInterval(-5))
        world.post(by: author, "On my way.", at: date, replyingTo: other)
      default: world.post(by: author, "Number \(index): nothing to do with the thread.", at: date)
      }
    }
  }
}
