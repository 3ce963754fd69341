import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel
import Wording

struct ThreadTitleTests {
  private func title(_ text: String, entities: [TextEntity] = []) -> String {
    ThreadTitle(of: Invented.thread([Invented.post("10", text, entities: entities)]), in: .english, by: .utc)
      .text
  }

  @Test(arguments: [
    ("On engines. And more.", "On engines. And more"),
    ("The Engine weaves patterns. And more.", "The Engine weaves patterns"),
    ("Does the Engine weave? It does.", "Does the Engine weave?"),
    ("“It weaves patterns!” she said.", "“It weaves patterns!” she said"),
    ("1/ The Engine weaves patterns. And", "The Engine weaves patterns"),
    ("🧵 The Engine weaves (1/12)", "The Engine weaves"),
    ("1/12 🧵👇🏽\n\nThe Engine weaves", "The Engine weaves"),
    ("A thread about engines:\n1. one\n2. two", "A thread about engines"),
    ("Dr. Babbage, e.g. his Engine, weaves. And", "Dr. Babbage, e.g. his Engine, weaves"),
    ("Version 2.0 of the Engine is here. And", "Version 2.0 of the Engine is here"),
    ("解析機関は計算するだけではない。次の文。", "解析機関は計算するだけではない"), ("Wait for it now... Here it is. And", "Wait for it now..."),
    ("So.\nThe Engine weaves", "So. The Engine weaves"), ("  spaced   out\ttext  ", "spaced out text"),
    ("🧵", "Post by @ada, 6 January 2021"), ("1/12", "Post by @ada, 6 January 2021"),
    ("", "Post by @ada, 6 January 2021"), ("1/2 of all engines", "of all engines"),
    ("Turn \u{202E}around\u{0}", "Turn around"), ("a\r\nb", "a b"),
    ("# Heading <b>", "# Heading <b>"),
  ])
  func firstSentence(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  @Test(arguments: [
    // A clause of what is too long, in preference to a comma.
    (
      "I give you: the engine of Mr Babbage, out of brass and steel, built in the evenings, and after it was built "
        + "and oiled and turned for the first time by hand; it weaves",
      "I give you: the engine of Mr Babbage, out of brass and steel, built in the evenings"
    ),
    (
      "The engine of Mr Babbage out of brass and steel turned; it wove patterns on a Sunday, and on the Monday after "
        + "that it counted to a million",
      "The engine of Mr Babbage out of brass and steel turned"
    ),
    // A sentence that is only a little longer stays whole.
    (
      "On the two hundredth evening of the year in which the engine was built it counted all of the stars, and then "
        + "it wanted some more",
      "On the two hundredth evening of the year in which the engine was built it counted all of the stars, and then "
        + "it wanted some more"
    ),
    ("Ich kam über den 2. Bildungsweg. Und dann", "Ich kam über den 2. Bildungsweg"),
    (
      "Wheels for everybody, incl. brass ones (not oiled. Sorry) today. And",
      "Wheels for everybody, incl. brass ones (not oiled. Sorry) today"
    ),
    ("“She wove. It was good.” That is all", "“She wove. It was good.”"),
    ("The engine weaves -\n- at last", "The engine weaves"),
    ("The engine weaves 👉🏽 ", "The engine weaves"),
    ("22/100 Wove a pattern today. And", "22/100 Wove a pattern today"),
    ("334", "334"),
    ("Weaving is http://a.example/what-is-it all about", "Weaving is http://a.example/what-is-it all about"),
    ("A long read about weaving - http://a.example/", "A long read about weaving"),
    ("- Tables for all browsers", "Tables for all browsers"),
  ])
  func anEditorsCut(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  @Test func handlesAndTagsAtTheStart() {
    func entities(_ text: String, _ marked: String...) -> [TextEntity] {
      marked.map { word in
        Invented.entity(
          word, in: text,
          word.hasPrefix("#")
            ? .hashtag(tag: String(word.dropFirst()), url: nil)
            : .mention(handle: String(word.dropFirst()), url: nil))
      }
    }
    let answer = "@ada, does it weave at all?"
    #expect(title(answer, entities: entities(answer, "@ada")) == "does it weave at all?")
    let seen = ".@ada has built an engine"
    #expect(title(seen, entities: entities(seen, "@ada")) == "@ada has built an engine")
    let repeated = "“@ada: It weaves patterns. Yay!”"
    #expect(title(repeated, entities: entities(repeated, "@ada")) == "It weaves patterns")
    let series = "22/100 #100Engines"
    #expect(title(series, entities: entities(series, "#100Engines")) == "22/100 #100Engines")
    let only = "#engines"
    #expect(title(only, entities: entities(only, "#engines")) == "#engines, 6 January 2021")
    let tagged = "Look at that! 🎉 #engines #wheels"
    #expect(title(tagged, entities: entities(tagged, "#engines", "#wheels")) == "Look at that! 🎉")
  }

  @Test func aThreadThatBeginsWithoutWordsIsCalledByWhatFollows() {
    let posts = [Invented.post("10", "🎉"), Invented.post("11", "2/ The engine weaves. And")]
    #expect(ThreadTitle(of: Invented.thread(posts), in: .english, by: .utc).text == "The engine weaves")
    #expect(
      ThreadTitle(of: Invented.thread([posts[0], posts[0]]), in: .english, by: .utc).text
        == "Thread by @ada, 6 January 2021")
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
        == "Post by @ada, 6 January 2021")
  }

  @Test func longOnesAreCutBehindAWord() {
    let title = title("The Analytical Engine " + String(repeating: "wheel ", count: 40))
    #expect(title.count <= 110)
    #expect(title.hasSuffix("wheel…"))
    // These scripts' letters are twice as wide.
    #expect(self.title(String(repeating: "機", count: 300)) == String(repeating: "機", count: 55) + "…")
    #expect(self.title(String(repeating: "e\u{301}", count: 300)).unicodeScalars.count < 130)
  }

  @Test func aHeadlineComesFirst() {
    var post = Invented.post("10", "The text of it.")
    post.title = " On the\nEngine "
    #expect(ThreadTitle(of: Invented.thread([post]), in: .english, by: .utc).text == "On the Engine")
  }

  @Test func someoneWithoutAHandle() {
    let author = Author(id: AuthorID("1", on: .x), name: "Ada")
    #expect(
      ThreadTitle(of: Invented.thread([ThreadItem](), author: author), in: .english, by: .utc).text
        == "Thread by Ada"
    )
    #expect(
      ThreadTitle(
        of: Invented.thread([ThreadItem](), author: Author(id: AuthorID("1", on: .x))), in: .english, by: .utc
      ).text
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
    func rest(_ thread: UnrolledThread) -> String {
      ThreadExcerpt.make(from: thread, after: ThreadTitle(of: thread, in: .english, by: .utc))
    }
    #expect(rest(thread) == "It *does*.")
    #expect(rest(Invented.thread([Invented.post("10", "The Engine weaves patterns.")])) == "")
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
