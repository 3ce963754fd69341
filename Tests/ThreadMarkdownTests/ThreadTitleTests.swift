import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel
import Wording

struct ThreadTitleTests {
  private func title(_ text: String, entities: [TextEntity] = []) -> String {
    ThreadTitle.make(from: Invented.thread([Invented.post("10", text, entities: entities)]), in: .english)
  }

  @Test(arguments: [
    ("On engines. And more.", "On engines. And more"),
    ("The Engine weaves patterns. And more.", "The Engine weaves patterns"),
    ("Does the Engine weave? It does.", "Does the Engine weave?"),
    ("“It weaves patterns!” she said.", "“It weaves patterns!”"),
    ("1/ The Engine weaves patterns. And", "The Engine weaves patterns"),
    ("🧵 The Engine weaves (1/12)", "The Engine weaves"),
    ("1/12 🧵👇🏽\n\nThe Engine weaves", "The Engine weaves"),
    ("A thread about engines:\n1. one\n2. two", "A thread about engines"),
    ("Dr. Babbage, e.g. his Engine, weaves. And", "Dr. Babbage, e.g. his Engine, weaves"),
    ("Version 2.0 of the Engine is here. And", "Version 2.0 of the Engine is here"),
    ("解析機関は計算するだけではない。次の文。", "解析機関は計算するだけではない"), ("Wait for it now... Here it is. And", "Wait for it now..."),
    ("So.\nThe Engine weaves", "So. The Engine weaves"), ("  spaced   out\ttext  ", "spaced out text"),
    ("🧵", "Thread by @ada"), ("1/12", "Thread by @ada"),
    ("", "Thread by @ada"), ("1/2 of all engines", "of all engines"),
    ("Turn \u{202E}around\u{0}", "Turn around"), ("a\r\nb", "a b"),
    ("# Heading <b>", "# Heading <b>"),
  ])
  func firstSentence(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  @Test func mentionsAndLinksAroundTheWordsGo() {
    let text = "@c_babbage @ada The Engine weaves https://a.example"
    let entities = [
      Invented.entity("@c_babbage", in: text, .mention(handle: "c_babbage", url: nil)),
      Invented.entity("@ada", in: text, .mention(handle: "ada", url: nil)),
      Invented.entity("https://a.example", in: text, .link(url: "https://a.example", short: nil)),
    ]
    #expect(title(text, entities: entities) == "The Engine weaves")
    let only = "https://a.example"
    #expect(
      title(only, entities: [Invented.entity(only, in: only, .link(url: only, short: nil))])
        == "Thread by @ada")
  }

  @Test func longOnesAreCutBehindAWord() {
    let title = title("The Analytical Engine, " + String(repeating: "wheel ", count: 40))
    #expect(title.count <= 80)
    #expect(title.hasSuffix("wheel…"))
    #expect(self.title(String(repeating: "機", count: 300)) == String(repeating: "機", count: 79) + "…")
    #expect(self.title(String(repeating: "👩‍👩‍👧", count: 90)).count == 80)
  }

  @Test func aHeadlineComesFirst() {
    var post = Invented.post("10", "The text of it.")
    post.title = " On the\nEngine "
    #expect(ThreadTitle.make(from: Invented.thread([post]), in: .english) == "On the Engine")
  }

  @Test func someoneWithoutAHandle() {
    let author = Author(id: AuthorID("1", on: .x), name: "Ada")
    #expect(
      ThreadTitle.make(from: Invented.thread([ThreadItem](), author: author), in: .english) == "Thread by Ada"
    )
    #expect(
      ThreadTitle.make(
        from: Invented.thread([ThreadItem](), author: Author(id: AuthorID("1", on: .x))), in: .english)
        == "Thread")
  }

  @Test func excerptRunsOnFromPostToPost() {
    let posts = [
      Invented.post("10", "1/3 The Engine\nweaves."), Invented.post("11", ""),
      Invented.post("12", "3/3 It *does*."),
    ]
    #expect(ThreadExcerpt.make(from: Invented.thread(posts)) == "The Engine weaves. It *does*.")
    let long = Invented.post("10", String(repeating: "wheel ", count: 400))
    let excerpt = ThreadExcerpt.make(from: Invented.thread([long]))
    #expect(excerpt.count <= 200 && excerpt.hasSuffix("wheel…"))
    #expect(ThreadExcerpt.make(from: Invented.thread([ThreadItem]())) == "")
    let thread = Invented.thread(posts)
    #expect(ThreadExcerpt.make(from: thread, after: "The Engine weaves") == "It *does*.")
    #expect(ThreadExcerpt.make(from: thread, after: "The Eng") == "The Engine weaves. It *does*.")
    #expect(ThreadExcerpt.make(from: thread, after: "Another title") == "The Engine weaves. It *does*.")
    #expect(
      ThreadExcerpt.make(from: thread, after: "The Engine weaves. It *does*")
        == "The Engine weaves. It *does*.")
    let tagged = [Invented.post("10", "We are #1 #engines #wheels"), Invented.post("11", "#only")]
    #expect(ThreadExcerpt.make(from: Invented.thread(tagged)) == "We are #1 #only")
    var warned = Invented.post("10", "Something")
    warned.contentWarning = "Wheels"
    #expect(ThreadExcerpt.make(from: Invented.thread([warned])) == "Wheels")
    // People put the warning on every post of a thread.
    #expect(ThreadExcerpt.make(from: Invented.thread([warned, warned])) == "Wheels")
    #expect(ThreadExcerpt.make(from: "Read\nthese.\n") == "Read these.")
  }

  @Test func tagsOfAllPostsOnceInOrder() {
    func tagged(_ id: String, _ tags: [String]) -> Post {
      let text = tags.map { "#" + $0 }.joined(separator: " ")
      return Invented.post(
        id, text, entities: tags.map { Invented.entity("#" + $0, in: text, .hashtag(tag: $0, url: nil)) })
    }
    let branch = SideBranch(label: "1", items: [.post(ThreadPost(tagged("12", ["Brass", "engines"])))])
    var thread = Invented.thread([
      .post(ThreadPost(tagged("10", ["Engines", "wheels"]), branches: [branch])),
      .post(ThreadPost(tagged("11", ["ENGINES", "Éclair", "éclair"]))),
    ])
    thread.answers = [
      Answer(
        inReplyTo: .post(tagged("13", ["theirs"]), author: nil, quote: nil),
        items: [.post(ThreadPost(tagged("14", ["last"])))])
    ]
    #expect(ThreadTags.make(from: thread) == ["Engines", "wheels", "Brass", "Éclair", "last"])
  }
}
