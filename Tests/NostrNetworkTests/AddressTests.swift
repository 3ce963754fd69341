import NostrNetwork
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// URIs and URLs of viewers.
@Suite struct AddressTests {
  private let book = AddressBook([NostrAddresses()])
  private static let id = "b9f5441e45ca39179320e0031cfb18e34078673dcc3d3e3a3b3a981760aa5696"
  private static let note = "note1h865g8j9egu30yequqp3e7ccudq8seeaes7nuw3m82vpwc9226tqtudlvp"
  private static let nevent = "nevent1qqstna2yrezu5wghjvswqqculvvwxsrcvu7uc0f78gan4xqhvz49d9s5p05vw"
  private static let npub = "npub1ku46z7pjq4mte766ay7zxgd5mquacp3s7qxzvu57rvunm5dn9v8qpsn77u"

  @Test(arguments: [
    note, nevent, "nostr:\(note)", "NOSTR:\(note.uppercased())", "nostr://\(nevent)",
    "https://njump.me/\(nevent)",
    "https://primal.net/e/\(note)?x=1", "snort.social/e/\(note)", "https://coracle.social/notes/\(nevent)",
    "https://nostrudel.ninja/#/n/\(nevent)", "https://iris.to/\(note)",
    "https://www.yakihonne.com/notes/\(nevent)",
    "https://other.example/thread/\(note)",
  ])
  func readsPosts(text: String) throws {
    let post = try book.post(text)
    #expect(post.platform == .nostr && post.postID == NostrID.post(Self.id))
    #expect(post.address == "https://njump.me/\(Self.nevent)")
    guard case .post(let target) = try book.target(text) else {
      Issue.record("not a post")
      return
    }
    #expect(target == post)
  }

  @Test func keepsTheHintsOfAReference() throws {
    let text =
      "nevent1qqstna2yrezu5wghjvswqqculvvwxsrcvu7uc0f78gan4xqhvz49d9szyzmjhgtcxgzhd08mtt5ncgepknvrnhqxxrcqcfnjncdnj0w3kv4suqcyqqqqqqgpzdmhxue69uhhyetvv9ujuetcv9khqmr9sqnude"
    let post = try book.post("https://njump.me/\(text)")
    #expect(post.handle == Self.npub)
    guard case .event(Self.id, ["wss://relay.example"], _, 1)? = NostrAddresses.reference(to: post) else {
      Issue.record("the hints are lost")
      return
    }
  }

  @Test func readsArticles() throws {
    let text =
      "naddr1qq9k7m3dw35kgetn9lp6jq3qku46z7pjq4mte766ay7zxgd5mquacp3s7qxzvu57rvunm5dn9v8qxpqqqp65wqgnwaehxw309aex2mrp0yhx27rpd4cxcegxam3jf"
    let post = try book.post("https://habla.news/a/\(text)")
    let id = try #require(post.postID)
    #expect(id.authority == "b72ba178320576bcfb5ae93c2321b4d839dc0630f00c26729e1b393dd1b32b0e")
    // The id has no relays.
    #expect(id.value.hasPrefix("naddr1") && id.value != text && id.isWellFormed)
    #expect(NostrLinks().url(of: id, handle: nil) == "https://njump.me/\(id.value)")
  }

  @Test(arguments: [
    npub, "nostr:\(npub)", "https://njump.me/\(npub)", "https://primal.net/p/\(npub)",
    "https://coracle.social/people/nprofile1qqstw2ap0qeq2a4ulddwj0pryx6dswwuqcc0qrpxw20pkwfa6xejkrspzdmhxue69uhhyetvv9ujuetcv9khqmr9qyv8wumn8ghj7mm5dpjhytn90psk6urvv5hhqct5dqsdl909",
  ])
  func readsAccounts(text: String) throws {
    let account = try book.account(text)
    #expect(
      account.handle == Self.npub && account.authorID.map { NostrID.name(ofKey: $0.value) } == Self.npub)
    #expect(try book.account(named: text) == account)
    #expect(book.url(of: account) == "https://njump.me/\(Self.npub)")
    #expect(throws: InvalidValue.self) { try book.post(text) }
  }

  @Test(arguments: ["nostr:ada@Tides.example", "https://njump.me/ada@tides.example"])
  func readsInternetIdentifiers(text: String) throws {
    let account = try book.account(text)
    #expect(account.handle == "ada@tides.example" && account.authorID == nil)
  }

  @Test(arguments: [
    ("nostr:\(note.dropLast())q", "checksum"), ("https://njump.me/\(note.dropLast())q", "checksum"),
    ("nostr:nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "secret key"),
    ("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "secret key"),
    ("nostr:hello", "note1"),
    (npub, "account"),
  ])
  func explainsWrongIDs(text: String, words: String) {
    let error = #expect(throws: InvalidValue.self) { try book.post(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words))
    #expect("\(error.map { "\($0)" } ?? "")".contains("vl029mgpspedva04g9") == false)
  }

  @Test(arguments: [
    "https://other.example/note1", "https://other.example/\(note.dropLast())q", "https://njump.me/",
    "note1.example/x",
    "https://other.example/@ada/1", "ada@tides.example", "hello",
  ])
  func rejectsOtherTexts(text: String) {
    #expect(throws: InvalidValue.self) { try book.post(text) }
  }

  @Test func linksWithoutTheAuthorAlsoWork() {
    #expect(NostrLinks().url(of: NostrID.post(Self.id), handle: nil) == "https://njump.me/\(Self.nevent)")
    #expect(NostrLinks().url(of: NostrID.post("../x"), handle: nil) == nil)
    let url = NostrLinks().url(of: NostrID.post(Self.id), handle: Self.npub)
    #expect(url.flatMap { try? book.post($0) }?.handle == Self.npub)
  }

  @Test func sharedTextsMayContainURIs() throws {
    let post = try SharedText("At 12:30: nostr:\(Self.note). See").post(book)
    #expect(post.postID == NostrID.post(Self.id))
  }

  @Test func idsOfEventsNamePostsOfAThread() throws {
    let thread = try book.post(Self.note)
    #expect(try book.post(Self.id, besides: thread).postID == NostrID.post(Self.id))
  }
}
