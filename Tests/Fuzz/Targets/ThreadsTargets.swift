import Basics
import NetworkSources
import ThreadModel
import ThreadsNetwork

extension FuzzTarget {
  /// Saved responses of the Threads API. Every imported conversation can be stored, read back and rendered. A second import changes nothing.
  static let threadsAnswer = FuzzTarget(
    "threads-answer",
    dictionary: [
      "\"data\":[", "\"id\":\"", "\"username\":\"ada\"", "\"text\":\"", "\"media_type\":\"TEXT_POST\"",
      "\"media_type\":\"CAROUSEL_ALBUM\"", "\"REPOST_FACADE\"", "\"children\":{\"data\":[",
      "\"media_url\":\"https://",
      "\"root_post\":{\"id\":\"1\"}", "\"replied_to\":{\"id\":\"2\"}", "\"quoted_post\":{\"id\":\"1\",",
      "\"is_reply\":true",
      "\"hide_status\":\"HIDDEN\"", "\"timestamp\":\"2026-04-14T09:11:00+0000\"", "\"permalink\":\"",
      "\"shortcode\":\"C1\"",
      "@ada", "#tag", "http://", "javascript:", "\n{", "😀",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 120
  ) { bytes in
    _ = ThreadsAnswers.recognizes(bytes)
    func conversations(adding times: Int) -> (conversations: [Conversation], error: SourceError?) {
      var answers = ThreadsAnswers()
      var failure: SourceError?
      for _ in 0..<times {
        do { try answers.take(bytes, file: "answer.json") } catch { failure = error }
      }
      let parts = answers.removeParts()
      let groups = answers.grouped(with: []).groups
      return (
        groups.flatMap { group in ThreadsAnswers.resolve(group.members.map { parts[$0] }, as: group.id) },
        failure
      )
    }
    let once = conversations(adding: 1)
    let twice = conversations(adding: 2)
    try require(once.conversations == twice.conversations, "the same answer twice makes another conversation")
    if let error = once.error { try JSONPlace.check(error, in: bytes) }
    for conversation in once.conversations {
      try require(
        !conversation.posts.contains { post in conversation.tombstones.contains { $0.id == post.id } },
        "a hidden reply is shown")
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
  }
}
