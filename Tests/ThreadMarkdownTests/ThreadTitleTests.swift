import InterfaceText
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

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
    ("1/n The Engine weaves", "The Engine weaves"), ("1/N The Engine weaves", "The Engine weaves"),
    ("1/x The Engine weaves", "The Engine weaves"), ("(1/?) The Engine weaves", "The Engine weaves"),
    ("1/∞ The Engine weaves", "The Engine weaves"), ("[1/🧵] The Engine weaves", "The Engine weaves"),
    // Words of two letters end sentences; initials, abbreviations and numbers do not.
    ("The Engine can do it. And more.", "The Engine can do it"),
    ("It weaves what you let me. Or us", "It weaves what you let me"),
    ("It was built in the US. And", "It was built in the US"),
    ("The answer of it is no. And", "The answer of it is no"),
    ("It read the card No. 5 today. And", "It read the card No. 5 today"),
    ("Brass vs. Steel was settled. And", "Brass vs. Steel was settled"),
    ("A card by A. A. Lovelace. And", "A card by A. A. Lovelace"),
    ("解析機関は計算するだけではない。次の文。", "解析機関は計算するだけではない"), ("Wait for it now... Here it is. And", "Wait for it now..."),
    ("So.\nThe Engine weaves", "So. The Engine weaves"), ("  spaced   out\ttext  ", "spaced out text"),
    ("🧵", "Post by @ada, 6 January 2021"), ("1/12", "Post by @ada, 6 January 2021"),
    ("", "Post by @ada, 6 January 2021"), ("1/2 of all engines", "of all engines"),
    ("Turn \u{202E}around\u{0}", "Turn around"), ("a\r\nb", "a b"),
    ("# Heading <b>", "# Heading <b>"),
  ])
  func usesTheFirstSentence(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  @Test(arguments: [
    // A text that is too long is cut after a clause rather than a comma.
    (
      "I give you: the engine of Mr Babbage, out of brass and steel, built in the evenings, and after it was built "
        + "and oiled and turned for the first time by hand; it weaves",
      "I give you: the engine of Mr Babbage, out of brass and steel, built in the evenings…"
    ),
    (
      "The engine of Mr Babbage out of brass and steel turned; it wove patterns on a Sunday, and on the Monday after "
        + "that it counted to a million",
      "The engine of Mr Babbage out of brass and steel turned"
    ),
    // A slightly longer sentence stays whole.
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
    ("Weaving is http://a.example/what-is-it all about", "Weaving is a.example/what-is-it all about"),
    ("Weaving is http://a.example/what-is-it all about", "Weaving is a.example/what-is-it all about"),
    ("A long read about weaving - http://a.example/", "A long read about weaving"),
    ("- Tables for all browsers", "Tables for all browsers"),
  ])
  func cutsAtClauses(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  /// Faults of titles in real archives.
  private static let read: [(String, String)] = [
    // Smileys and emoji that belong to the sentence.
    ("Does the engine weave? :) It does", "Does the engine weave? :)"),
    ("The engine weaves patterns. 🎉✌🏽 It does", "The engine weaves patterns. 🎉✌🏽"),
    ("The engine has woven ✌🏽", "The engine has woven ✌🏽"),
    // Brackets and quotations stay whole, whatever follows or precedes them.
    ("while (true) {\n  weave(\"cards!\");\n}\nruns", "while (true) { weave(\"cards!\"); }"),
    ("Take Mr Babbage (https://babbage.example) :)", "Take Mr Babbage (babbage.example) :)"),
    ("alias weave='cards https://a.example/run' is nice", "alias weave='cards a.example/run' is nice"),
    ("”What engines say“ https://a.example", "”What engines say“"),
    ("“Whoever weaves patterns needs cards. Somebody punches them.”", "Whoever weaves patterns needs cards"),
    // A wrapped line.
    ("Weaving patterns\nand counting stars by engine", "Weaving patterns and counting stars by engine"),
    ("What we wove this year\ncc: @looms", "What we wove this year"),
    // A link after a dash is not a word of the sentence; a link before a dash is.
    ("All about Babbage.com - https://a.example/babbage", "All about Babbage.com"),
    ("Patterns of all sorts - bit.ly/1a2B3c", "Patterns of all sorts"),
    ("> However, the engine weaves. And", "However, the engine weaves"),
    // A dash does not continue a sentence.
    ("It weaves patterns! - The engine of Mr Babbage", "It weaves patterns!"),
    ("The loom is &#8230;", "The loom is &#8230;"),
  ]

  @Test(arguments: read)
  func avoidsFaultsOfRealTitles(text: String, expected: String) {
    #expect(title(text) == expected)
  }

  @Test func marksACutWithinASentence() {
    let list: String =
      "For the engine we want brass from the north, oil out of the south, cards of the best paper"
    #expect(title(list + ", patience and quite a lot of money that nobody has") == list + "…")
    let narrow: String = list.replacing(", ", with: ",")
    #expect(title(narrow + ",patience and quite a lot of money that nobody has") == narrow + "…")
    let said: String = "ADA SAYS:\"THE ENGINE OF MR BABBAGE WEAVES PATTERNS JUST AS THE LOOM DOES"
    #expect(
      title(said + ". EVERYBODY WHO HAS SEEN IT WANTED ONE FOR THEMSELVES AT ONCE\". (HEARD)") == said + "…\""
    )
    let link: String = "https://a.example/" + String(repeating: "a", count: 60)
    #expect(title("Patterns of all sorts \(link) And more") == "Patterns of all sorts")
    #expect(title("Patterns of all sorts \(link) and more") == "Patterns of all sorts")
  }

  @Test func removesHandlesAndTagsAtTheStart() {
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
    let pile = "We count on it for ever #engines #wheels #cards"
    #expect(
      title(pile, entities: entities(pile, "#engines", "#wheels", "#cards")) == "We count on it for ever")
    let part = "We count on these #engines"
    #expect(title(part, entities: entities(part, "#engines")) == part)
    let many = (1...12).map { "#engine\($0)x" }
    let long = title(
      many.joined(separator: " "),
      entities: many.map { Invented.entity($0, in: many.joined(separator: " "), .hashtag(tag: $0, url: nil)) }
    )
    #expect(long == "#engine1x #engine2x #engine3x #engine4x #engine5x #engine6x…, 6 January 2021")
    for told in ["cc @ada", "Cc @ada", "CC @ada", "cC: @ada"] {
      #expect(title(told, entities: entities(told, "@ada")) == "Post by @ada, 6 January 2021")
    }
    for other in ["ca @ada", "ac @ada", "ccc @ada", "c @ada", "cc: looms @ada"] {
      #expect(title(other, entities: entities(other, "@ada")) != "Post by @ada, 6 January 2021")
    }
    let subject = "@ada explains how it weaves"
    #expect(title(subject, entities: entities(subject, "@ada")) == subject)
    let asked = "@ada tell me how it weaves"
    #expect(title(asked, entities: entities(asked, "@ada")) == "tell me how it weaves")
    let tagged = "Look at that! 🎉 #engines #wheels"
    #expect(title(tagged, entities: entities(tagged, "#engines", "#wheels")) == "Look at that! 🎉")
  }

  @Test func usesALaterPostIfTheFirstHasNoWords() {
    let posts = [Invented.post("10", "🎉"), Invented.post("11", "2/ The engine weaves. And")]
    #expect(ThreadTitle(of: Invented.thread(posts), in: .english, by: .utc).text == "The engine weaves")
    #expect(
      ThreadTitle(of: Invented.thread([posts[0], posts[0]]), in: .english, by: .utc).text
        == "Thread by @ada, 6 January 2021")
  }

  @Test func removesMentionsAndLinksAroundTheWords() {
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

  @Test func keepsALinkThatIsTheSubject() {
    let text = "a.example is a list of engines"
    let link = TextEntity.Kind.link(url: "https://a.example", short: nil)
    #expect(title(text, entities: [Invented.entity("a.example", in: text, link)]) == text)
    let apart = "a.example - a list of engines"
    #expect(title(apart, entities: [Invented.entity("a.example", in: apart, link)]) == "a list of engines")
    // The text of a link may be words.
    let words = "here is a list of engines"
    #expect(title(words, entities: [Invented.entity("here", in: words, link)]) == words)
  }

  /// A mention of a deleted account has no entity but is still a name.
  @Test func removesNamesOfAReplyWithoutEntities() {
    var post = Invented.post("10", "@gone does it weave?")
    func title() -> String { ThreadTitle(of: Invented.thread([post]), in: .english, by: .utc).text }
    #expect(title() == "@gone does it weave?")
    post.inReplyTo = PostID("9", on: .x)
    #expect(title() == "does it weave?")
    post.text = InlineText("@gone")
    #expect(title() == "Post by @ada, 6 January 2021")
  }

  /// A URL that is the subject of a sentence stays at its beginning.
  @Test(arguments: [
    "example.org's engines weave", "example.org’s engines weave", "example.org: engines",
    "example.org? Engines",
    "example.org weaves",
  ])
  func keepsAURLThatIsTheSubject(text: String) {
    let link = Invented.entity(
      "example.org", in: text, .link(url: "https://example.org/", short: nil))
    #expect(title(text, entities: [link]) == text)
  }

  /// Text behind a warning is not shown until the reader opens it.
  @Test func usesTheWarningAsTitleOfHiddenText() {
    var warned = Invented.post("10", "The engine explodes. All of it.")
    warned.contentWarning = "Engines"
    let thread = Invented.thread([warned, Invented.post("11", "It does not.")])
    let title = ThreadTitle(of: thread, in: .english, by: .utc)
    #expect(title.text == "Engines, 6 January 2021")
    #expect(title.source == nil)
    #expect(ThreadExcerpt.make(from: thread, after: title) == "It does not.")
    warned.contentWarning = "How the engine of Mr Babbage explodes at last"
    #expect(
      ThreadTitle(of: Invented.thread([warned]), in: .english, by: .utc).text
        == "How the engine of Mr Babbage explodes at last")
  }

  @Test func cutsLongTitlesAfterAWord() {
    let title = title("The Analytical Engine " + String(repeating: "wheel ", count: 40))
    #expect(title.count <= 110)
    #expect(title.hasSuffix("wheel…"))
    // The letters of these scripts are twice as wide.
    #expect(self.title(String(repeating: "機", count: 300)) == String(repeating: "機", count: 55) + "…")
    #expect(self.title(String(repeating: "e\u{301}", count: 300)).unicodeScalars.count < 130)
  }

  @Test func prefersAHeadline() {
    var post = Invented.post("10", "The text of it.")
    post.title = " On the\nEngine "
    #expect(ThreadTitle(of: Invented.thread([post]), in: .english, by: .utc).text == "On the Engine")
  }

  @Test func namesAuthorsWithoutAHandle() {
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

  /// A shortened text does not end with the mark of a list.
  @Test(arguments: [
    ("one two three: a) four", "one two three…"), ("one two three (2) four five", "one two three…"),
    ("one two three • four five", "one two three…"), ("one two (three) four five", "one two (three)…"),
    ("one two three 12) four five", "one two three…"), ("one two, 1) 2) four five", "one two…"),
    ("one two f(x) four five six", "one two f(x)…"),
  ])
  func shortenedListDoesNotEndWithItsMark(text: String, shortened: String) {
    #expect(PlainText.shortened(text, to: shortened.hasSuffix("three…") ? 19 : 17) == shortened)
  }

  @Test func excerptContinuesInTheNextPost() {
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
    // Links and marks directly after the title are removed, others stay.
    let text = "The Engine weaves.\nhttps://a.example/ — https://b.example/ It does. https://c.example/ So"
    let links = ["a", "b", "c"].map {
      let url = "https://\($0).example/"
      return Invented.entity(url, in: text, .link(url: url, short: nil))
    }
    let linked = Invented.thread([Invented.post("10", text, entities: links), Invented.post("11", "More")])
    #expect(rest(linked) == "It does. https://c.example/ So More")
    let tagged = [Invented.post("10", "We are #1 #engines #wheels"), Invented.post("11", "#only")]
    #expect(ThreadExcerpt.make(from: Invented.thread(tagged)) == "We are #1 #only")
    var warned = Invented.post("10", "Something")
    warned.contentWarning = "Wheels"
    #expect(ThreadExcerpt.make(from: Invented.thread([warned])) == "Wheels")
    // Authors repeat the warning on every post of a thread.
    #expect(ThreadExcerpt.make(from: Invented.thread([warned, warned])) == "Wheels")
    #expect(ThreadExcerpt.make(from: "Read\nthese.\n") == "Read these.")
    // A closing quotation mark without its opening one is removed, and complete quotations stay.
    #expect(
      ThreadExcerpt.make(from: Invented.thread([Invented.post("10", "They weave patterns”")]))
        == "They weave patterns")
    #expect(
      ThreadExcerpt.make(from: Invented.thread([Invented.post("10", "They “weave patterns”")]))
        == "They “weave patterns”")
    #expect(
      ThreadExcerpt.make(from: Invented.thread([Invented.post("10", "”They” weave patterns")]))
        == "”They” weave patterns")
  }

  @Test(arguments: [
    // Without the text that ended the title or directly followed it.
    ("Does the engine weave? :)", ""), ("“@ada: The engine weaves. Yay!”", "Yay!"),
    ("The engine weaves patterns - https://a.example/b via @ada", ""),
    ("The engine weaves patterns.\nbit.ly/1a2B3c", ""),
    ("The engine weaves patterns.\nSee it here 👉🏽 https://a.example/b", "See it here"),
    ("The engine weaves patterns.\nWhat patterns -", "What patterns"),
    // A tag that is a word of the sentence stays.
    ("The engine weaves patterns. Thanks for a lovely #engineday", "Thanks for a lovely #engineday"),
    ("The engine weaves patterns. It does! #engineday", "It does!"),
    ("The engine weaves patterns. It does\n#engineday", "It does"),
    // The author's own ellipsis is not a cut.
    ("The engine weaves patterns… All day", "All day"),
    ("The engine weaves patterns. Oh 🙌🏽", "Oh 🙌🏽"),
    // If the title has no text for the link, the link is kept.
    ("https://a.example/b", "a.example/b"),
  ])
  func excerptFollowsTheTitle(text: String, expected: String) {
    let links = ["https://a.example/b"].filter(text.contains).map {
      Invented.entity($0, in: text, .link(url: $0, short: nil))
    }
    let names = ["@ada"].filter(text.contains).map {
      Invented.entity($0, in: text, .mention(handle: "ada", url: nil))
    }
    let thread = Invented.thread([Invented.post("10", text, entities: links + names)])
    let title = ThreadTitle(of: thread, in: .english, by: .utc)
    #expect(ThreadExcerpt.make(from: thread, after: title) == expected)
  }

  /// Tags, links, names and emoji of a post that is longer than the part that titles and excerpts read.
  @Test(arguments: [1_990, 1_999, 2_000, 2_001, 2_500])
  func entitiesAfterALongTextAreIgnored(length: Int) {
    let words = String(String(repeating: "word ", count: length / 5 + 1).prefix(length - 1)) + " "
    let marked = ["#tag", "https://a.example/b", "@bo", "#last"]
    let text = words + marked.joined(separator: " ")
    let kinds: [TextEntity.Kind] = [
      .hashtag(tag: "tag", url: nil), .link(url: "https://a.example/b", short: nil),
      .mention(handle: "bo", url: nil),
      .hashtag(tag: "last", url: nil),
    ]
    let entities = zip(marked, kinds).map { Invented.entity($0, in: text, $1) }
    let thread = Invented.thread([Invented.post("10", text, entities: entities)])
    #expect(ThreadExcerpt.make(from: thread).hasPrefix("word word"))
    #expect(ThreadTitle(of: thread, in: .english, by: .utc).text.hasPrefix("word word"))
  }

  @Test func listsTagsOfAllPostsOnceInOrder() {
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
