import SiteConfig
import TestSupport
import Testing
import ThreadModel

@Suite struct PostReferenceTests {
  @Test(arguments: [
    "https://x.com/ada/status/123", "http://x.com/ada/status/123", "https://twitter.com/ada/status/123",
    "https://www.twitter.com/ada/status/123/", "https://mobile.twitter.com/ada/status/123?s=20&t=abc",
    "https://mobile.x.com/ada/statuses/123", "https://X.COM/ada/status/123#m",
    "https://x.com/ada/status/123/photo/1",
    "https://x.com/ada/status/123/video/1?x=y",
  ])
  func readsPostsOfX(_ url: String) throws {
    #expect(try AddressBook.networks.post(url) == PostReference(x: "123", by: "ada"))
  }

  @Test(arguments: [
    "https://x.com/i/status/1346889436626259968", "https://x.com/i/web/status/1346889436626259968",
    "https://twitter.com/i/web/status/1346889436626259968?a=b", "1346889436626259968",
  ])
  func readsPostsOfXWithoutHandle(_ url: String) throws {
    #expect(try AddressBook.networks.post(url) == PostReference(x: "1346889436626259968"))
  }

  @Test(arguments: [
    "https://bsky.app/profile/ada.example/post/3k43tv4rft22g",
    "https://bsky.app/profile/ada.example/post/3k43tv4rft22g?ref=a",
    "at://ada.example/app.bsky.feed.post/3k43tv4rft22g",
    "bsky.app/profile/ada.example/post/3k43tv4rft22g/liked-by",
    "https://deer.social/profile/ada.example/post/3k43tv4rft22g",
    "https://some-client.example/profile/ada.example/post/3k43tv4rft22g/quotes",
    "https://pdsls.dev/at://ada.example/app.bsky.feed.post/3k43tv4rft22g",
    "https://atp.tools/at:/ada.example/app.bsky.feed.post/3k43tv4rft22g",
  ])
  func readsPostsOfBluesky(_ url: String) throws {
    #expect(
      try AddressBook.networks.post(url) == PostReference(bluesky: "3k43tv4rft22g", by: "ada.example"))
  }

  @Test func readsPostsOfBlueskyByDID() throws {
    let post = try AddressBook.networks.post(
      "at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3k43tv4rft22g")
    #expect(post.handle == "did:plc:z72i7hdynmk6r22z27h6tvur")
    #expect(post.identity == "bluesky/did:plc:z72i7hdynmk6r22z27h6tvur/3k43tv4rft22g")
  }

  @Test(arguments: [
    "https://Social.example/@ada/109348684215482921",
    "https://social.example/users/ada/statuses/109348684215482921",
    "https://social.example/@ada/109348684215482921/embed?x",
  ])
  func readsPostsOfMastodon(_ url: String) throws {
    let post = try AddressBook.networks.post(url)
    #expect(post.platform == .mastodon && post.handle == "ada" && post.id == "109348684215482921")
    #expect(post.address == "https://social.example/@ada/109348684215482921")
  }

  @Test func readsIDsOfOtherServers() throws {
    let id = "01GX0E4M4Z7W9V3B6K2Q8N5R1T"
    #expect(try AddressBook.networks.post("https://social.example/@ada/statuses/\(id)").id == id)
    #expect(try AddressBook.networks.post("https://social.example/users/ada/statuses/\(id)").id == id)
  }

  @Test(arguments: [
    ("https://social.example/web/@ada/109", "109", "https://social.example/@ada/109"),
    ("https://social.example/deck/@ada@b.example/109", "109", "https://social.example/@ada@b.example/109"),
    ("https://social.example/web/statuses/109", "109", "https://social.example/web/statuses/109"),
    ("https://social.example/ap/users/115/statuses/109", "109", "https://social.example/web/statuses/109"),
    ("https://social.example/users/ada/statuses/109/activity", "109", "https://social.example/@ada/109"),
    (
      "https://a.example/notice/Al30Y6dIQNzsEKhR5s", "Al30Y6dIQNzsEKhR5s",
      "https://a.example/notice/Al30Y6dIQNzsEKhR5s"
    ),
    (
      "https://a.example/@ada/Al30Y6dIQNzsEKhR5s", "Al30Y6dIQNzsEKhR5s",
      "https://a.example/@ada/statuses/Al30Y6dIQNzsEKhR5s"
    ),
    (
      "https://a.example/@ada/posts/Al30Y6dIQNzsEKhR5s", "Al30Y6dIQNzsEKhR5s",
      "https://a.example/@ada/statuses/Al30Y6dIQNzsEKhR5s"
    ),
    ("https://pix.example/p/ada/5551", "5551", "https://pix.example/@ada/5551"),
    ("https://misskey.example/notes/9sxk2v1001", "9sxk2v1001", "https://misskey.example/notes/9sxk2v1001"),
  ])
  func readsURLsOfTheFediverse(_ url: String, _ id: String, _ address: String) throws {
    let post = try AddressBook.networks.post(url)
    #expect(post.platform == .mastodon && post.id == id && post.address == address)
    #expect(try AddressBook.networks.post(address) == post)
  }

  @Test func readsMastodonPostsThroughAnotherInstance() throws {
    #expect(try AddressBook.networks.post("https://a.example/@ada@b.example/1").handle == "ada@b.example")
  }

  @Test(arguments: [
    "", "ada", "0", "0123", "12345678901234567890", "https://", "https:///ada/status/1",
    "javascript:alert(1)",
    "https://x.com", "https://x.com/ada", "https://x.com/ada/status", "https://x.com/ada/status/abc",
    "https://x.com/a-b/status/1", "https://x.com/a/b/status/1", "https://x.com/i/lists/status/1",
    "https://x.com/ada/likes/1", "https://x.com/../status/1", "https://x.com/ada/status/1%2e",
    "https://bsky.app/profile/ada.example", "https://bsky.app/profile/ada/post/3k", "at://ada.example",
    "https://bsky.app/profile/ada.example/post/..", "https://bsky.app/profile/ada.example/feed/3k",
    "https://bsky.app/profile/did:key:abc/post/3k", "https://social.example/ada/1",
    "https://social.example/@/1",
    "https://social.example/@ada/../1", "https://social.example/@ada/likes", "https://social example/@ada/1",
    "https://ada@social.example/@ada/1",
    "https://t.co/abc", "https://x.com/ada/status/1\u{0}", "ftp://x.com/ada/status/1",
    "https://x.com.evil/ada/status/1",
  ])
  func rejectsOtherURLsOfPosts(_ text: String) {
    #expect(throws: InvalidValue.self) { try AddressBook.networks.post(text) }
  }

  @Test func identityIgnoresTheHandleOnX() throws {
    let one = try AddressBook.networks.post("https://x.com/ada/status/1").identity
    #expect(try AddressBook.networks.post("https://x.com/grace/status/1").identity == one)
    #expect(try AddressBook.networks.post("https://x.com/ada/status/2").identity != one)
    #expect(try AddressBook.networks.post("https://social.example/@ada/1").identity != one)
  }
}

@Suite struct AccountReferenceTests {
  @Test(arguments: [
    "https://social.example/@ada", "https://social.example/@ada/with_replies",
    "https://social.example/@ada/media?x",
    "https://social.example/web/@ada", "https://social.example/deck/@ada", "https://social.example/users/ada",
  ])
  func readsAccountsOfTheFediverse(_ url: String) throws {
    let account = AccountReference(platform: .mastodon, handle: "ada", instance: "social.example")
    #expect(try AddressBook.networks.account(url) == account)
    #expect(throws: InvalidValue.self) { try AddressBook.networks.post(url) }
  }

  @Test func readsAccounts() throws {
    #expect(
      try AddressBook.networks.account("https://x.com/ada?lang=en") == .init(platform: .x, handle: "ada"))
    #expect(
      try AddressBook.networks.account("https://bsky.app/profile/ada.example")
        == .init(platform: .bluesky, handle: "ada.example"))
    #expect(
      try AddressBook.networks.account("at://ada.example") == .init(platform: .bluesky, handle: "ada.example")
    )
    #expect(
      try AddressBook.networks.account("https://social.example/@ada")
        == .init(platform: .mastodon, handle: "ada", instance: "social.example"))
  }

  @Test(arguments: [
    "ada", "https://x.com/", "https://x.com/home", "https://x.com/ada/likes", "https://social.example",
  ])
  func rejectsOtherURLsOfAccounts(_ text: String) {
    #expect(throws: InvalidValue.self) { try AddressBook.networks.account(text) }
  }
}

@Suite struct AccountNameTests {
  /// People write names where an account's URL is expected.
  @Test(arguments: [
    ("@ada", "https://x.com/ada"), ("ada.bsky.social", "https://bsky.app/profile/ada.bsky.social"),
    ("@ada.example", "https://bsky.app/profile/ada.example"),
    ("@ada@mastodon.example", "https://mastodon.example/@ada"),
    ("ada@Mastodon.example", "https://mastodon.example/@ada"),
  ])
  func nameOfAnAccountIsAnsweredWithItsURL(name: String, url: String) throws {
    let error = #expect(throws: SiteConfigError.self) {
      try SiteConfig.decode(yaml: "sources:\n  - account: \"\(name)\"\n", file: "site.yml")
    }
    #expect(
      error?.description.contains("\"\(name)\" is a name; write the URL of the account: \(url)") == true)
    let account = try AddressBook.networks.account(url)
    #expect(AddressBook.networks.url(of: account) == url)
    guard name.contains("@") else { return }
    guard case .account(let named) = try AddressBook.networks.target(name) else {
      Issue.record("\(name) is not read as an account")
      return
    }
    #expect(named.isSameName(as: account))
  }

  @Test func targetIsAPostOrAnAccount() throws {
    for text in [
      "https://x.com/ada/status/1", "1", "https://bsky.app/profile/ada.example/post/3k43tv4rft22g",
    ] {
      guard case .post = try AddressBook.networks.target(text) else {
        Issue.record("\(text) is not read as a post")
        continue
      }
    }
    for text in [
      "https://x.com/ada", "https://bsky.app/profile/ada.example", "https://mastodon.example/@ada",
    ] {
      guard case .account = try AddressBook.networks.target(text) else {
        Issue.record("\(text) is not read as an account")
        continue
      }
    }
    for (text, message) in [
      ("ada.bsky.social", "write https://bsky.app/profile/ada.bsky.social"),
      ("https://x.com/home", "is neither the URL of a post"),
      ("nonsense", "is neither a URL nor the id of a post"),
    ] {
      let error = #expect(throws: InvalidValue.self) { try AddressBook.networks.target(text) }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }
}
