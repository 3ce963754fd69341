import NostrNetwork
import NostrSigner
import ThreadModel

/// Events of three accounts: a thread of sixty posts by Ada, who answers a question of Bo in the middle and quotes another post of Bo, and a
/// reply of Eve. Ada deleted one post.
struct NostrWorld {
  static let ada = Signer(1)
  static let bo = Signer(2)
  static let eve = Signer(3)
  /// The time of the first post, as seconds since 1970.
  static let start: Int64 = 1_700_000_000

  /// Ada's sixty posts.
  let thread: [SignedEvent]
  let question: SignedEvent
  let quoted: SignedEvent
  let reply: SignedEvent
  /// A post below the last one that Ada deleted, and its deletion.
  let deleted: SignedEvent
  let deletion: SignedEvent
  let profiles: [SignedEvent]

  /// - Parameters:
  ///   - hint: the URL of a relay that the quote names.
  ///   - name: the name at a domain that Ada's profile states.
  init(hint: String = "", name: String = "ada@tides.example") {
    let (ada, bo, eve) = (Self.ada, Self.bo, Self.eve)
    func answer(_ parent: SignedEvent, in root: SignedEvent) -> [[String]] {
      var tags = [["e", root.id, "", "root", root.author]]
      if parent.id != root.id { tags.append(["e", parent.id, "", "reply", parent.author]) }
      return tags + [["p", parent.author]]
    }
    quoted = bo.signed("The moon pulls the sea.", at: Self.start - 1000)
    let root = ada.signed("1/60 Of tides", at: Self.start)
    var thread = [root]
    var question = root
    for number in 2...60 {
      var parent = thread[number - 2]
      if number == 31 {
        question = bo.signed(
          "And in a lake?", tags: answer(parent, in: root), at: Self.start + Int64(number) * 60 - 30)
        parent = question
      }
      var tags = answer(parent, in: root)
      var text = "\(number)/60"
      if number == 5 { tags.append(["q", quoted.id, hint, bo.key]) }
      if number == 7 {
        text += " https://tides.example/7.jpg"
        tags.append([
          "imeta", "url https://tides.example/7.jpg", "m image/jpeg", "dim 800x600", "alt The harbor",
        ])
      }
      thread.append(ada.signed(text, tags: tags, at: Self.start + Int64(number) * 60))
    }
    self.thread = thread
    self.question = question
    reply = eve.signed("How deep?", tags: answer(thread[9], in: root), at: Self.start + 9000)
    deleted = ada.signed("A wrong number", tags: answer(thread[59], in: root), at: Self.start + 9100)
    deletion = ada.signed("", kind: 5, tags: [["e", deleted.id], ["k", "1"]], at: Self.start + 9200)
    profiles = [
      ada.signed("{\"name\":\"Ada\",\"nip05\":\"\(name)\"}", kind: 0, at: Self.start - 5000),
      bo.signed("{\"name\":\"Bo\"}", kind: 0, at: Self.start - 5000),
    ]
  }

  /// Everything except the quoted post.
  var withoutQuoted: [SignedEvent] { thread + profiles + [question, reply, deleted, deletion] }

  /// All events. The deleted post is still on the relay.
  var all: [SignedEvent] { withoutQuoted + [quoted] }
}

extension SignedEvent {
  var post: PostID { NostrID.post(id) }

  /// The address with which people share the event.
  ///
  /// - Parameter relays: the URLs of relays that the address names.
  func address(relays: [String] = []) -> String {
    "nostr:" + NostrReference.event(id: id, relays: relays, author: author).description
  }
}
