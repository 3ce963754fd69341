import SiteConfig
import TestSupport
import Testing
import ThreadModel
import ThreadsNetwork

/// URLs of accounts and posts.
@Suite struct AddressTests {
  private let book = AddressBook([ThreadsAddresses()])

  @Test(arguments: [
    "https://www.threads.com/@ada.l/post/DDx2mJ0-_bC", "https://threads.net/@ada.l/post/DDx2mJ0-_bC?xmt=AQ#x",
    "http://www.threads.net/@ada.l/post/DDx2mJ0-_bC/", "threads.com/@ada.l/post/DDx2mJ0-_bC/media",
  ])
  func readsURLsOfPosts(url: String) throws {
    let post = try book.post(url)
    #expect(post.platform == .threads && post.id == "DDx2mJ0-_bC" && post.handle == "ada.l")
    // A shortcode is not the API's id.
    #expect(post.postID == nil)
    #expect(post.address == "https://www.threads.com/@ada.l/post/DDx2mJ0-_bC")
  }

  @Test(arguments: [
    "https://www.threads.com/@ada_1", "threads.net/@ada_1/", "https://threads.com/@ada_1?hl=en",
  ])
  func readsURLsOfAccounts(url: String) throws {
    let account = try book.account(url)
    #expect(account.platform == .threads && account.handle == "ada_1")
    #expect(book.url(of: account) == "https://www.threads.com/@ada_1")
  }

  @Test(arguments: [
    "https://www.threads.com/@ada/post/a%2Fb", "https://www.threads.com/@../post/C1",
    "https://www.threads.com/ada/post/C1",
    "https://www.threads.com/@ada/post/", "https://www.threads.com/search?q=tides",
    "https://www.threads.com/t/C1",
    "https://threads.com.evil.example/@ada/post/C1", "https://evil.example/threads.com/@ada/post/C1",
  ])
  func rejectsOtherURLs(url: String) {
    #expect(throws: InvalidValue.self) { try book.post(url) }
  }

  @Test func idsOfTheAPINamePostsOfAThread() throws {
    let thread = try book.post("https://www.threads.com/@ada/post/C1")
    #expect(try book.post("17900000000000105", besides: thread).postID == InventedThread.postID(105))
    #expect(throws: InvalidValue.self) { try book.post("0x1", besides: thread) }
  }

  @Test func namesAloneBelongToOtherNetworks() {
    #expect(ThreadsAddresses().account(named: "@ada") == nil)
  }
}
