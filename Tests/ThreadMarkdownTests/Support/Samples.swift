import TestSupport
import ThreadMarkdown
import ThreadModel

/// One thread per component and one with everything, for the golden files.
enum Samples {
  struct Sample: Sendable, CustomStringConvertible {
    var name: String
    var thread: UnrolledThread
    var media = MediaMode.link
    var stripsCounters = false
    var archived: ArchivedLinks?
    var description: String { name }
  }

  static let all: [Sample] = [
    Sample(name: "text", thread: Invented.thread(texts)),
    Sample(name: "counters", thread: Invented.thread(counted), stripsCounters: true),
    Sample(name: "images", thread: Invented.thread([pictures])),
    Sample(name: "video", thread: Invented.thread([films])),
    Sample(name: "audio", thread: Invented.thread([sounds])),
    Sample(name: "audio-mirror", thread: Invented.thread([sounds]), media: .mirror),
    Sample(name: "media-none", thread: Invented.thread([pictures, films, custom]), media: .none),
    Sample(name: "poll", thread: Invented.thread(polls)),
    Sample(name: "card", thread: Invented.thread(cards)),
    Sample(name: "embed", thread: Invented.thread(quotes)),
    Sample(name: "gap", thread: Invented.thread(gaps)),
    Sample(name: "note", thread: noted),
    Sample(
      name: "mirror", thread: Invented.thread([mirrored, films, custom] + cards, author: pictured),
      media: .mirror),
    Sample(name: "emoji", thread: emoji), Sample(name: "emoji-mirror", thread: emoji, media: .mirror),
    Sample(name: "gone", thread: Invented.thread(gone)),
    Sample(name: "archived", thread: Invented.thread(unfetched), archived: ArchivedLinks()),
    Sample(
      name: "dead-links", thread: Invented.thread(deadLinks),
      archived: ArchivedLinks(dead: ["https://old.example/%C3%A4_page", "https://bare.example/"])),
    Sample(name: "replies", thread: replied),
    Sample(name: "whole", thread: whole), Sample(name: "warning", thread: warned),
  ]

  // MARK: - Text

  static let custom: Post = {
    let text = "A :blob_cat: of our own"
    return Invented.post(
      "14", text,
      entities: [
        Invented.entity(
          ":blob_cat:", in: text, .emoji(shortcode: "blob_cat", url: "https://files.example.com/cat.png"))
      ])
  }()

  /// Names, warnings, options and texts with custom emoji of a server. The store has a copy of one of them.
  static let emoji: UnrolledThread = {
    let cat = CustomEmoji(shortcode: "blob_cat", url: "https://files.example.com/cat.png", file: "0c.png")
    let far = CustomEmoji(shortcode: "far", url: "https://files.example.com/far.png")
    let known = [cat, far, CustomEmoji(shortcode: "bad", url: "javascript:alert(1)")]
    func marked(_ text: String) -> InlineText { InlineText(text, marking: known) }
    var author = Invented.ada
    author.name = ":blob_cat: Ada :far: *L*"
    author.emoji = known
    var first = Invented.post("10", "")
    first.text = marked(":blob_cat::far:\n:blob_cat:: a *cat*, :bad: and :none:")
    first.contentWarning = "A :blob_cat:"
    first.emoji = known
    first.poll = Poll(
      options: [PollOption("Yes :blob_cat:", votes: 2), PollOption(":far:", votes: 1)], status: .closed)
    var second = Invented.post("11", "")
    // An image replaces no words other than its own code.
    second.text = InlineText(
      "Not a cat", entities: [TextEntity(0..<9, .emoji(shortcode: "blob_cat", url: cat.url))])
    second.emoji = known
    var quoted = Invented.post("20", "Quoted", author: author)
    quoted.emoji = known
    return Invented.thread(
      [
        .post(ThreadPost(first, quote: .post(quoted, author: author, quote: nil))),
        .post(ThreadPost(second)),
      ], author: author)
  }()

  static let texts: [Post] = {
    let linked =
      "Thanks @c_babbage! See https://a.example/b_c_d?x=(1)&y=2 #engines $ENG, and not javascript:alert(1)"
    var first = Invented.post(
      "10", linked,
      entities: [
        Invented.entity(
          "@c_babbage", in: linked, .mention(handle: "c_babbage", url: "https://x.com/c_babbage")),
        Invented.entity(
          "https://a.example/b_c_d?x=(1)&y=2", in: linked,
          .link(url: "https://a.example/b_c_d?x=(1)&y=2", short: "https://t.co/abc")),
        Invented.entity(
          "#engines", in: linked, .hashtag(tag: "engines", url: "https://x.com/hashtag/engines")),
        Invented.entity("$ENG", in: linked, .cashtag(symbol: "ENG", url: nil)),
        Invented.entity("javascript:alert(1)", in: linked, .link(url: "javascript:alert(1)", short: nil)),
      ])
    first.editedAt = Invented.time(60 * 24)
    let list = Invented.post("11", "Reasons:\n1. It *is* fast\n2. It is\n\n- _really_\n\n\n# fast <b>")
    let japanese = Invented.post("12", "解析機関は、ただ計算するだけではない。\n次の行", language: "ja")
    let arabic = Invented.post("13", "المحرك التحليلي 1843!", language: "ar")
    var bare = Invented.post("15", "No date, no address, \u{5D0}\u{5D1} and no language", language: "und")
    bare.createdAt = nil
    bare.url = nil
    return [first, list, japanese, arabic, custom, bare]
  }()

  static let counted = [
    Invented.post("10", "🧵 1/3 On engines."), Invented.post("11", "Half is 1/2, but this is (2/3)"),
    Invented.post("12", "3/3\nThe end."),
  ]

  // MARK: - Media

  static let pictures: Post = {
    var post = Invented.post("10", "Pictures of engines")
    post.media = [
      Invented.photo("one", alt: "A drawing [of] *wheels*\nand \"cards\""), Invented.photo("two", alt: nil),
      Invented.photo("three", alt: " "),
    ]
    post.media[1].file = "5f1d9a.jpg"
    var unsafe = Invented.photo("four", alt: "An address that is none")
    unsafe.url = "javascript:alert(1)"
    var audio = Media(id: "five", kind: "audio", url: "https://files.example.com/a.mp3")
    audio.altText = "The sound of it"
    var plain = Invented.photo("six", alt: "Not over https")
    plain.url = "http://pbs.example.com/six.jpg"
    post.media += [unsafe, audio, plain, Invented.photo("seven", alt: "After the rest")]
    return post
  }()

  static let sounds: Post = {
    var post = Invented.post("10", "Listen")
    func sound(_ name: String, _ alt: String?, _ milliseconds: Int?) -> Media {
      var media = Media(id: name, kind: .audio, url: "https://files.example.com/\(name)")
      media.altText = alt
      media.durationMilliseconds = milliseconds
      return media
    }
    var covered = sound("cover.mp3", "A hum of *bees*\n\n[x](y) <b>", 42_400)
    covered.posterURL = "https://files.example.com/cover.jpg"
    (covered.width, covered.height) = (400, 300)
    var kept = sound("kept.opus?a=1", nil, 3_725_600)
    kept.file = "5a.ogg"
    kept.posterFile = "5b.png"
    var unsafe = sound("x", "No address", 0)
    unsafe.url = "javascript:alert(1)"
    post.media = [
      covered, kept, sound("unknown", " ", nil), unsafe, Invented.photo("after", alt: "A picture"),
    ]
    return post
  }()

  static let films: Post = {
    var post = Invented.post("11", "")
    var noPoster = Invented.video("noposter", alt: "It turns")
    noPoster.posterURL = nil
    var onlyPoster = Invented.video("lost", alt: nil)
    onlyPoster.variants = []
    var stored = Invented.video("stored", alt: "Kept here")
    stored.file = "aa.mp4"
    stored.posterFile = "aa.jpg"
    stored.captions = [
      MediaCaptions(language: "de", url: "https://a.example/de", file: "ab.vtt"),
      MediaCaptions(language: "pt-BR", url: "https://a.example/pt", file: "ac.vtt"),
      MediaCaptions(language: "tlh", url: "https://a.example/tlh", file: "ad.vtt"),
      MediaCaptions(language: "und", url: "https://a.example/und", file: "ae.vtt"),
      MediaCaptions(language: "en", url: "https://a.example/en"),
      MediaCaptions(language: "fr", url: "https://a.example/fr", file: "../af.vtt"),
    ]
    var escaping = stored
    escaping.file = "../../secret.mp4"
    escaping.posterFile = ".hidden"
    post.media = [
      Invented.video("film", alt: "A film"), Invented.video("loop", kind: .gif, alt: nil), noPoster,
      onlyPoster,
      stored, escaping,
    ]
    return post
  }()

  // MARK: - Polls and cards

  static let polls: [Post] = {
    func poll(_ votes: [Int?], _ status: PollStatus, labels: [String] = ["Cards", "Wheels", "Cards"]) -> Poll
    {
      Poll(
        options: zip(labels, votes).map { PollOption($0, votes: $1) }, status: status,
        endsAt: Invented.time(24 * 60))
    }
    var tenths = poll([455, 549, 0], .closed)
    tenths.options[0].label = "1. *Cards* <b>"
    var multiple = poll([60, 60, 12], .closed)
    multiple.allowsMultiple = true
    multiple.voters = 80
    var undated = poll([3, 1, 0], .unknown)
    undated.endsAt = nil
    let polls = [
      tenths, multiple, poll([1, 0, 0], .open), poll([nil, nil, nil], .open), poll([0, 0, 0], .closed),
      undated,
      poll([1_204_567, 9, 1_204_566], .open, labels: ["", "  ", "-"]),
    ]
    return polls.enumerated().map { index, poll in
      var post = Invented.post("\(10 + index)", "Which \(index)?")
      post.poll = poll
      post.observedAt = index == 6 ? Invented.time(24 * 60 * 30) : Invented.time(60)
      return post
    }
  }()

  static let cards: [Post] = {
    var full = LinkCard(
      url: "https://www.engines.example/notes?a=b_c", title: "Notes *on* the [Engine]",
      summary: "By the translator.\nWith <b>notes</b>", imageURL: "https://pbs.example.com/card/1.jpg")
    full.imageWidth = 800
    full.imageHeight = 419
    let unsafe = LinkCard(
      url: "javascript:alert(1)", title: "A card", imageURL: "https://pbs.example.com/card/2.jpg")
    let bare = LinkCard(url: "https://bare.example/")
    return [full, unsafe, bare].enumerated().map { index, card in
      var post = Invented.post("\(10 + index)", "Read this")
      post.card = card
      return post
    } + [
      linked("Read this: ", "engines.example/notes_…", "", full),
      linked("Read ", "this", ", all of it", full),
    ]
  }()

  /// A post with text before and after a link to the page of its card.
  private static func linked(_ head: String, _ link: String, _ tail: String, _ card: LinkCard) -> Post {
    var post = Invented.post(tail.isEmpty ? "13" : "14", head + link + tail)
    let start = head.unicodeScalars.count
    post.text = InlineText(
      head + link + tail,
      entities: [
        TextEntity(
          start..<start + link.unicodeScalars.count,
          .link(url: "http://engines.example/notes?a=b_c", short: nil))
      ])
    post.card = card
    return post
  }

  /// All posts of the main line have the same warning.
  static let warned: UnrolledThread = {
    let posts = (10...12).map { number in
      var post = Invented.post("\(number)", "Spider \(number)")
      post.contentWarning = "Spiders :blob_cat:"
      post.isSensitive = true
      post.media = [Invented.photo("\(number)", alt: "A spider")]
      return post
    }
    return Invented.thread(posts)
  }()

  // MARK: - Quotes and gaps

  static let quotes: [ThreadItem] = {
    func quoted(_ id: String, _ text: String, _ inner: Quote?) -> Quote {
      .post(Invented.post(id, text, author: Invented.babbage), author: Invented.babbage, quote: inner)
    }
    var pictured = Invented.post("20", "1. Mine\n\n> yours <!-- /embed -->", author: Invented.babbage)
    pictured.media = [Invented.photo("quoted", alt: "Brass")]
    pictured.poll = polls[0].poll
    pictured.card = cards[0].card
    let deep = quoted("21", "Second", quoted("22", "Third", nil))
    var deleted = Tombstone(id: PostID("30", on: .x), reason: .deleted)
    deleted.handle = "gone_"
    var worded = Tombstone(id: PostID("31", on: .x), reason: "geo", detail: "Not in your *country*.")
    worded.authorID = Invented.babbage.id
    return [
      .post(
        ThreadPost(
          Invented.post("10", "Look"), quote: .post(pictured, author: Invented.babbage, quote: deep))),
      .post(ThreadPost(Invented.post("11", "Gone"), quote: .tombstone(deleted, author: nil))),
      .post(ThreadPost(Invented.post("12", "Hidden"), quote: .tombstone(worded, author: Invented.babbage))),
      .post(
        ThreadPost(
          Invented.post("13", "Nobody"), quote: .post(Invented.post("23", ""), author: nil, quote: nil))),
    ]
  }()

  static let gaps: [ThreadItem] = {
    let reasons: [TombstoneReason] = [
      .deleted, .protected, .suspended, .withheld, .blocked, .notFound, .notInArchive, .unknown, "new_reason",
    ]
    return reasons.enumerated().flatMap { index, reason in
      [
        ThreadItem.post(ThreadPost(Invented.post("\(10 + index * 2)", "Before \(reason)"))),
        .gap(Gap(Tombstone(id: PostID("\(11 + index * 2)", on: .x), reason: reason))),
      ]
    }
  }()

  static let noted: UnrolledThread = {
    var post = Invented.post("10", "A long story")
    post.contentWarning = "Wheels & *cards*"
    post.isSensitive = true
    post.withheld = Withholding(countries: ["DE", "FR", "QQ"], isForCopyright: true)
    post.title = "On the Engine"
    post.media = [Invented.photo("one", alt: "A wheel")]
    var second = Invented.post("11", "More")
    second.title = "A second part"
    var thread = Invented.thread([post, second])
    thread.completeness = Completeness(
      known: 2, expected: 1_500,
      reasons: [.limit(CoverageLimit(.recentSearch)), .limit(CoverageLimit("one post was deleted"))])
    return thread
  }()

  /// Photos with and without copies, for a site that shows only copies.
  static let mirrored: Post = {
    var post = pictures
    post.media[0].file = "one.jpg"
    post.media[0].sizes = [
      MediaSize(file: "one-400.jpg", width: 400, height: 267),
      MediaSize(file: "../one-800.jpg", width: 800, height: 533),
      MediaSize(file: "one-9000.jpg", width: 9000, height: 6000),
    ]
    // The video has a poster in the store and no copy.
    var film = Invented.video("poster-only", alt: "A film of an engine")
    film.posterFile = "film.jpg"
    var loop = film
    loop.kind = .gif
    loop.altText = nil
    post.media += [film, loop]
    return post
  }()

  static let pictured: Author = {
    var author = Invented.ada
    author.avatarURL = "https://pbs.example.com/ada.jpg"
    author.avatarFile = "ada.jpg"
    return author
  }()

  /// Posts that were found deleted: removed, kept, or never in an archive.
  static let gone: [ThreadItem] = {
    let reasons: [TombstoneReason] = [.deleted, .notFound, .protected, .suspended, .unknown]
    let removed = reasons.enumerated().map { index, reason in
      var tombstone = Tombstone(id: PostID("\(20 + index)", on: .x), reason: reason)
      tombstone.removedAt = Invented.time(24 * 60)
      return ThreadItem.gap(Gap(tombstone))
    }
    let kept = (reasons + [.withheld, .blocked]).enumerated().map { index, reason in
      var post = Invented.post("\(30 + index)", "Still here")
      post.removal = Removal(reason: reason, observedAt: index == 4 ? nil : Invented.time(24 * 60))
      return ThreadItem.post(ThreadPost(post))
    }
    let archived = Tombstone(id: PostID("40", on: .x), reason: .notInArchive)
    return removed + kept
      + [
        .gap(Gap(archived)),
        .post(ThreadPost(Invented.post("41", "Quoting"), quote: .tombstone(archived, author: nil))),
      ]
  }()

  /// Posts that are missing because they were not requested, or because an archive contains only its owner's posts.
  static let unfetched: [ThreadItem] = {
    var quoted = Tombstone(id: PostID("20", on: .x), reason: .notInArchive)
    quoted.handle = "c_babbage"
    return [
      .post(ThreadPost(Invented.post("10", "Before a gap"))),
      .gap(Gap(Tombstone(id: PostID("11", on: .x), reason: .unknown))),
      .post(ThreadPost(Invented.post("12", "Quoting"), quote: .tombstone(quoted, author: nil))),
    ]
  }()

  /// Links to a dead page and to a page that exists, and the card of a dead page.
  static let deadLinks: [Post] = {
    let text = "See old.example/ä_page! And fine.example"
    var card = Invented.post("12", "Read this")
    card.card = LinkCard(url: "https://bare.example/")
    return [
      Invented.post("10", "Two pages"),
      Invented.post(
        "11", text,
        entities: [
          Invented.entity(
            "old.example/ä_page", in: text, .link(url: "https://old.example/ä_page#part", short: nil)),
          Invented.entity("fine.example", in: text, .link(url: "https://fine.example/", short: nil)),
        ]),
      card,
    ]
  }()

  static let replied: UnrolledThread = {
    var answer = Reply(Invented.post("22", "It does, @c_babbage."), author: Invented.ada, isByAuthor: true)
    var pictured = Invented.post("23", "A picture of it", author: Invented.babbage)
    pictured.media = [Invented.photo("reply", alt: "Brass wheels")]
    answer.replies = [
      Reply(
        pictured, author: Invented.babbage,
        quote: .post(Invented.post("9", "Quoted"), author: Invented.ada, quote: nil), addressee: Invented.ada)
    ]
    var question = Invented.post("21", "Does it *weave*?\n<!-- /reply -->", author: Invented.babbage)
    question.language = "ar"
    var bare = Invented.post("24", "No date")
    bare.createdAt = nil
    bare.url = nil
    var thread = Invented.thread([Invented.post("10", "On engines")])
    thread.replies = [
      Reply(bare, author: nil), Reply(question, author: Invented.babbage, replies: [answer]),
    ]
    thread.checkedAt = Invented.time(60 * 24)
    return thread
  }()

  // MARK: - All of it

  static let whole: UnrolledThread = {
    func posts(_ ids: [String], _ word: String) -> [ThreadItem] {
      ids.map { .post(ThreadPost(Invented.post($0, "\(word) \($0)"))) }
    }
    let inner = SideBranch(label: "1.1", items: posts(["41"], "A branch of a branch"))
    let outer = SideBranch(
      label: "1",
      items: [.post(ThreadPost(Invented.post("40", "A branch"), branches: [inner]))] + posts(["42"], "And on")
    )
    let second = SideBranch(label: "2", items: posts(["43"], "Another"))
    let line = quotes.prefix(2) + gaps.prefix(2) + [pictures, films, polls[0]].map { .post(ThreadPost($0)) }
    let main = line.enumerated().map { index, item in
      guard case .post(var threadPost) = item else { return item }
      threadPost.post.id = PostID("\(index + 60)", on: .x)
      return .post(threadPost)
    }
    var thread = Invented.thread([.post(ThreadPost(texts[0], branches: [outer, second]))] + main)
    thread.context = .post(
      Invented.post("5", "What is it for?", author: Invented.babbage), author: Invented.babbage, quote: nil)
    thread.answers = [
      Answer(
        inReplyTo: .post(
          Invented.post("50", "Does it weave?", author: Invented.babbage), author: Invented.babbage,
          quote: nil),
        items: posts(["51", "52"], "It does")),
      Answer(
        inReplyTo: .tombstone(Tombstone(id: PostID("53", on: .x), reason: .protected), author: nil),
        items: posts(["54"], "Yes")),
    ]
    thread.completeness = Completeness(
      known: 13, reasons: [.limit(CoverageLimit("some answers were not fetched"))])
    return thread
  }()
}
