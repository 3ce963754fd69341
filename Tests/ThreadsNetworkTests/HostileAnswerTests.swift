import Basics
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import ThreadsNetwork
import Unroll

/// Files that are damaged, of another kind, or written by an attacker.
@Suite struct HostileAnswerTests {
  @Test(arguments: [
    #"{"data":[{"id":"1","media_type":"TEXT_POST"}]}"#, #"{"id":"1","is_quote_post":false}"#,
    #"[{"id":"1","media_product_type":"THREADS"}]"#, #"{"data":[],"error":{"message":"m","fbtrace_id":"A"}}"#,
    #"{"url":"u","status":200,"body":"{\"data\":[{\"id\":\"1\",\"media_type\":\"TEXT_POST\"}]}"}"#,
    "{\"id\":\"1\",\"media_type\":\"TEXT_POST\"}\n{\"id\":",
    #"{"data":[{"id":"1","permalink":"https://www.threads.net/@a/post/C1"}]}"#,
  ])
  func recognizesItsOwnResponses(file: String) {
    #expect(ThreadsAnswers.recognizes(Array(file.utf8)))
  }

  @Test(arguments: [
    "", "nonsense", "3", "{}", #"{"data":[]}"#, #"{"data":[{"id":"1","text":"media_type"}]}"#,
    #"{"data":[{"id":"1","text":"permalink","author_id":"2","conversation_id":"1"}]}"#,
    #"{"data":[{"id":"1","media_type":"IMAGE","media_product_type":"FEED","permalink":"https://www.instagram.com/p/C1"}]}"#,
    #"{"data":[{"id":"1","media_type":"IMAGE","permalink":"https://threads.com.evil.example/@a/post/C1"}]}"#,
  ])
  func leavesOtherFilesToOtherNetworks(file: String) {
    #expect(!ThreadsAnswers.recognizes(Array(file.utf8)))
  }

  @Test(arguments: [
    (
      #"{"error":{"message":"Error validating access token","type":"OAuthException","code":190,"fbtrace_id":"A"}}"#,
      "0.json: error: Threads returned an error and no posts: Error validating access token"
    ),
    (#"{"data":[{"is_reply":true}]}"#, "0.json: error: contains no posts"),
    (
      #"{"id":"1","media_type":"#,
      "0.json:1:24: error: expected a value, but found the end of the input; the file is incomplete: save the response again"
    ),
  ])
  func reportsFilesWithoutPosts(file: String, message: String) {
    let error = #expect(throws: SourceError.self) { try imported(file) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (
      #"{"data":[{"id":"1","text":"a","is_reply":false}]}"#,
      "1 post (1) without username: save the response again with fields=username"
    ),
    (
      #"{"data":[{"id":"../1","username":"ada","text":"a"}]}"#,
      "1 id (\"../1\") that are not strings of digits, as ids of Threads are"
    ),
    (
      #"{"data":[{"id":17,"username":"ada","text":"a"}]}"#,
      "1 id (17, a number) that are not strings of digits, as ids of Threads are"
    ),
    (
      #"{"data":[{"id":"1","username":"../ada","text":"a"}]}"#,
      "1 post (1) without username: save the response again with fields=username"
    ),
    (
      #"{"data":[{"id":"1","media_type":"REPOST_FACADE"}]}"#,
      "contains only reposts of others' posts (1), which are not threads"
    ),
    (
      #"{"data":[{"id":"1","username":"ada","text":"a","hide_status":"BLOCKED"}]}"#,
      "contains only hidden replies (1), which are not imported"
    ),
    (
      #"{"data":[{"id":"1","username":"ada","text":"a","hide_status":5}]}"#,
      "contains only hidden replies (1), which are not imported"
    ),
    (
      #"{"data":[{"id":"1","username":"ada","text":"a","hide_status":["NOT_HUSHED"]}]}"#,
      "contains only hidden replies (1), which are not imported"
    ),
  ])
  func namesThePostsThatAreLeftOut(file: String, reason: String) throws {
    let report = try imported(file).report
    #expect(report.files.map(\.refusals) == [[reason]])
  }

  @Test func completeLinesOfATruncatedFileAreImported() throws {
    let line = JSONWriter.text(of: InventedThread.first, .compact).string
    let (conversations, report) = try imported(line + "\n" + line.prefix(40))
    #expect(conversations.map(\.posts.count) == [1])
    #expect(report.files.map(\.unread.count) == [1] && report.files[0].posts == 1)
  }

  @Test func onlyWebURLsAreKept() throws {
    let hostile: JSONValue = "javascript:alert(1)"
    let one = InventedThread.post(
      101, by: "ada", "javascript:alert(1) https:// http://a\u{0}b mailto:a@b.example",
      [
        "permalink": hostile, "shortcode": "../../x", "media_type": "VIDEO", "media_url": hostile,
        "thumbnail_url": "data:text/html,x",
      ])
    let post = try #require(try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first)
    #expect(post.url == nil && post.extra["shortcode"] == nil)
    #expect(post.media.count == 1 && post.media[0].url == nil && post.media[0].posterURL == nil)
    #expect(post.media[0].variants == [])
    #expect(
      post.text.entities.allSatisfy {
        if case .link(let url, _) = $0.kind { WebAddress.isSafe(url) } else { false }
      })
  }

  /// A permalink on another host is not the URL of the post.
  @Test func permalinksAreOnThreads() throws {
    let one = InventedThread.post(101, by: "ada", "x", ["permalink": "https://evil.example/@ada/post/C101"])
    let post = try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first
    #expect(post?.url == "https://www.threads.com/@ada/post/C101")
  }

  @Test func membersOfWrongTypesAreIgnored() throws {
    let wrong: [JSONValue] = [
      nil, true, 7, "text", [], ["a", 1], [:], ["data": 3], ["data": [1, [:]]], ["id": 5],
    ]
    let members = [
      "media_type", "media_url", "permalink", "owner", "text", "timestamp", "shortcode", "thumbnail_url",
      "children",
      "is_quote_post", "quoted_post", "has_replies", "root_post", "replied_to", "is_reply", "hide_status",
      "alt_text",
    ]
    for member in members {
      for value in wrong {
        let one = InventedThread.post(101, by: "ada", "x", [member: value])
        // Texts other than NOT_HUSHED hide a reply, and an unknown type of post is a post.
        let (conversations, _) = try imported([JSONWriter.text(of: one).bytes])
        #expect(conversations.count == 1, "\(member): \(value)")
      }
    }
  }

  @Test func postsThatAnswerEachOtherInACircleAreOneConversation() throws {
    func post(_ number: Int, _ parent: Int) -> JSONValue {
      InventedThread.post(number, by: "ada", "x", answers: parent, ["root_post": nil])
    }
    let circle = [post(101, 103), post(102, 101), post(103, 102), post(104, 104)]
    let (conversations, _) = try imported([JSONWriter.text(of: InventedThread.list(circle)).bytes])
    #expect(conversations.map(\.posts.count).sorted() == [1, 3])
    for conversation in conversations { _ = UnrolledThread(unrolling: conversation) }
  }

  @Test func quotesInACircleEnd() throws {
    let circle = [
      InventedThread.post(101, by: "ada", "x", ["quoted_post": InventedThread.reference(102)]),
      InventedThread.post(102, by: "ada", "y", ["quoted_post": InventedThread.reference(101)]),
      InventedThread.post(103, by: "ada", "z", ["quoted_post": InventedThread.reference(103)]),
    ]
    let (conversations, _) = try imported([JSONWriter.text(of: InventedThread.list(circle)).bytes])
    #expect(conversations.count == 3 && conversations[2].posts[0].quotes == nil)
    #expect(conversations[0].related.map(\.id) == [InventedThread.postID(102)])
  }

  /// The time grows with the size of the text, not with its square.
  @Test func hugeTextsAreRead() throws {
    let count = TestDepth.cases(fast: 20_000, deep: 1_000_000)
    for pattern in ["@a.", "#", "http://a.example/)", "https://", "(", "@", "ü"] {
      let one = InventedThread.post(101, by: "ada", String(repeating: pattern, count: count))
      let post = try imported([JSONWriter.text(of: one).bytes]).conversations.first?.posts.first
      #expect(post?.text.text.unicodeScalars.count == pattern.unicodeScalars.count * count)
      #expect((post?.text.entities.count ?? .max) <= 3000)
    }
  }

  @Test func longChainIsOneThread() throws {
    let count = TestDepth.cases(fast: 2_000, deep: 50_000)
    let posts: [JSONValue] = (0..<count).map { number in
      var post: JSONObject = [
        "id": .string("\(1_000_000 + number)"), "username": "ada", "text": "x", "media_type": "TEXT_POST",
      ]
      if number > 0 { post["replied_to"] = ["id": .string("\(999_999 + number)")] }
      return .object(post)
    }
    let (conversations, _) = try imported([JSONWriter.text(of: InventedThread.list(posts)).bytes])
    #expect(conversations.map(\.posts.count) == [count])
  }
}
