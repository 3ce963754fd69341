import Basics
import NostrNetwork
import NostrSigner
import TestSupport
import Testing
import ThreadModel

/// Texts of notes as readers see them.
@Suite struct TextTests {
  private let signer = Signer()
  private let note = "nostr:note180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws4c58hj"

  private func post(_ content: String, kind: Int = 1, tags: [[String]] = []) throws -> Post {
    try #require(try Fixture.threads([signer.event(content, kind: kind, tags: tags)]).first?.posts.first)
  }

  @Test(arguments: [
    ("https://m.example/a.jpg", ""), ("Look: https://m.example/a.jpg", "Look:"),
    ("https://m.example/a.jpg look", "look"), ("Look https://m.example/a.jpg here", "Look here"),
    ("(https://m.example/a.jpg)", "()"), ("a\nhttps://m.example/a.jpg\nb", "a\nb"),
    ("a\n\nhttps://m.example/a.jpg\n\nb", "a\n\nb"), ("a https://m.example/a.jpg \nb", "a\nb"),
    ("\n\nhttps://m.example/a.jpg\n\n\na\n", "a"), ("a\r\nhttps://m.example/a.JPG?x=1#y\r\n", "a"),
  ])
  func urlsOfMediaLeaveTheText(content: String, text: String) throws {
    let post = try post(content)
    #expect(post.text.text == text && post.media.count == 1)
  }

  @Test(arguments: [
    "https://m.example/a.jpg.html", "https://m.example/jpg", "https://m.example/?a.jpg",
    "ftp://m.example/a.jpg",
    "http:///a.jpg", "javascript:a.jpg",
  ])
  func otherURLsStay(content: String) throws {
    let post = try post(content)
    #expect(post.text.text == content && post.media == [])
    #expect(
      post.text.entities.allSatisfy {
        if case .link(let url, _) = $0.kind { WebAddress.isSafe(url) } else { false }
      })
  }

  @Test func imetaDescribesFilesWithoutAnEnding() throws {
    let url = "https://m.example/abc"
    let described = try post(
      "See \(url)", tags: [["imeta", "url \(url)", "m image/png", "dim 1x2", "alt A cat"]])
    #expect(described.text.text == "See" && described.media.map(\.altText) == ["A cat"])
    for tag in [
      ["imeta", "m image/png"], ["imeta", "url javascript:x", "m image/png"],
      ["imeta", "url \(url)", "m text/html"],
      ["imeta", "url\(url)", "m image/png"],
    ] {
      #expect(try post("See \(url)", tags: [tag]).media == [])
    }
    for size in ["0x1", "x", "1", "1x", "99999999999999999999x1", "1x-1", "1x2x3", "200000x1"] {
      let odd = try post(url, tags: [["imeta", "url \(url)", "m image/png", "dim \(size)"]])
      #expect(odd.media.count == 1 && odd.media[0].width == nil && odd.media[0].height == nil)
    }
  }

  @Test func referencesAtTheEndOfALineAreQuotes() throws {
    let quoted = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
    for (content, text) in [("So\n\n\(note)", "So"), ("So \(note)\nthere", "So\nthere"), (note, "")] {
      let post = try post(content)
      #expect(post.text.text == text && post.quotes?.value == quoted)
    }
    let inline = try post("As \(note) says")
    #expect(inline.quotes?.value == quoted && inline.text.entities.count == 1)
    #expect(try post("x", tags: [["q", quoted]]).quotes?.value == quoted)
    #expect(try post("x", tags: [["q", "nonsense"], ["e", quoted, "", "mention"]]).quotes == nil)
  }

  @Test(arguments: ["nostr:", "NOSTR:", "@nostr:", "@", ""])
  func mentionsHaveSeveralForms(prefix: String) throws {
    let post = try post("By \(prefix)npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6.")
    #expect(post.text.text == "By @npub180cvv07…h6w6." && post.text.entities.count == 1)
  }

  /// The reference to an article contains the key of its author.
  @Test func referenceToAnArticleMentionsItsAuthor() throws {
    let name = NostrCoordinate(kind: 30_023, author: signer.key, identifier: "x")
    let reference = NostrReference.replaceable(name, relays: ["wss://relay.example"])
    for (content, kind) in [
      ("See nostr:\(reference) there", 1), ("See [this](nostr:\(reference)) there", 30_023),
    ] {
      guard
        case .mention(let handle, let url, let id)? = try post(content, kind: kind).text.entities.first?.kind
      else {
        Issue.record("no mention")
        continue
      }
      #expect(handle == NostrID.name(ofKey: signer.key) && id == signer.key)
      #expect(url == "https://njump.me/\(NostrReference.replaceable(name))")
    }
  }

  /// The form before `nostr:` (NIP-08).
  @Test func numbersOfTagsAreReferences() throws {
    let key = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
    let post = try post("#[0] wrote #[1]", tags: [["p", key], ["e", key]])
    #expect(
      post.text.text == "@npub180cvv07…h6w6 wrote" && post.quotes?.value == key && post.inReplyTo == nil)
    #expect(try self.post("#[2] #[x] #[ #[99999999]").text.text == "#[2] #[x] #[ #[99999999]")
  }

  @Test(arguments: [
    "nostr:npub1xyz", "nostr:", "nostr:nostr:", "npub1", "@npub1",
    "nostr:nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5",
  ])
  func damagedReferencesStay(content: String) throws {
    let post = try post(content)
    #expect(post.text.text == content && post.text.entities == [] && post.quotes == nil)
  }

  /// The time grows with the size of the text, not with its square.
  @Test(arguments: [1, 30_023]) func hugeTextsAreRead(kind: Int) throws {
    let count = TestDepth.cases(fast: 20_000, deep: 60_000)
    for pattern in [
      "[", "](", "[a](", "![", "nostr:", "npub1", "#[0]", "# ", "``", "https://", "*", "_a", "[a](b)", ":a",
      "https://a.b/c.jpg ",
    ] {
      let post = try post(
        String(repeating: pattern, count: count), kind: kind, tags: [["d", "x"], ["p", "x"]])
      #expect(post.text.entities.count <= 5000 && post.media.count <= 100)
    }
  }
}
