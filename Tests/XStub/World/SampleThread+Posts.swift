import Foundation

extension SampleThread {
  /// Adds posts 1–8: photos, links, a video, a quote, a poll.
  mutating func addBeginning() {
    add("The harbour at dusk 🌅 — tides & <small> boats, a thread \(hashtag: "harbour") \(hashtag: "tides")")
    add(
      "One photo to begin with.",
      media: [.photo("pier.jpg", width: 1600, height: 900, alt: "A wooden pier & two gulls <flying> 🕊️")])
    add(
      "Four more, of which one has no description.",
      media: [
        .photo("boat-1.jpg", width: 900, height: 1200, alt: "A red boat"),
        .photo("boat-2.png", width: 640, height: 480, alt: "A blue boat"),
        .photo("boat-3.jpg", width: 1200, height: 1200),
        .photo("boat-4.jpg", width: 2400, height: 600, alt: "A long \"boat\""),
      ])
    add(
      "Thanks to \(mention: "bo_stub") and \(mention: "kenji_stub"), whose notes are at \(link: StubLink("https://notes.example/tides/2024/spring-and-neap?a=1&b=2")) \(cashtag: "TIDE")"
    )
    let guide = StubLink(
      "https://tides.example/guide", title: "A guide to tides & <currents>",
      description: "How the moon moves the sea.", image: "guide-card.jpg")
    add("The guide that I learned from: \(link: guide)")
    card = posts[4]
    add(
      "And it moves.",
      media: [.video("ferry", width: 1280, height: 720, alt: "A ferry leaving the harbour")])
    video = posts[5]
    add("This says it better than I could:", quoting: quoted)
    add(
      "What do you think?",
      poll: StubPoll(
        [.init("Spring tide", votes: 41), .init("Neap tide", votes: 17), .init("Neap tide", votes: 3)],
        minutes: pollMinutes, arrivalOrder: [2, 0, 1]))
    poll = posts[7]
  }

  /// Adds posts 9–16: writing systems, a long post, an edit, a deleted post.
  mutating func addMiddle() {
    add("潮の満ち引きは月のせいです。\(hashtag: "港") を見てください 👇", lang: "ja")
    add("البحر هادئ اليوم، شكرا \(mention: "layla_stub") على الصورة 🌙", lang: "ar")
    add("", note: longText)
    long = posts[10]
    addEdited()
    add("This one was deleted.")
    missing = posts[12]
    world.delete(missing)
    add("A short loop.", media: [.animatedGIF("buoy", alt: "A buoy going up and down")])
    add(
      "👩‍👩‍👧‍👦 Families first: \(link: StubLink("https://a.example/1")) and \(link: StubLink("https://a.example/1")) & \(mention: "BO_stub")"
    )
    add(
      "1/ is no way to number posts &amp; neither is 2/. https://not-a-link is what I wrote, *not* _markup_.")
  }

  /// Adds posts 17–25: files of the wrong type, an article, a quote of a deleted post.
  mutating func addEnd() {
    add(
      "A photo that is gone.",
      media: [.photo(at: StubMediaFiles.missing, width: 800, height: 600, alt: "A lighthouse in fog")])
    add(
      "A photo that is a page.",
      media: [.photo(at: StubMediaFiles.page, width: 800, height: 600, alt: "A chart of the bay")])
    add(
      "A photo that is a drawing.",
      media: [.photo(at: StubMediaFiles.drawing, width: 400, height: 400, alt: "A compass rose")])
    add("I wrote more about it.") {
      $0.article = StubArticle(
        title: "Twelve hours and twenty-five minutes", preview: "Why high water comes later every day.",
        cover: .photo("article-cover.jpg", width: 1200, height: 480))
    }
    add("They deleted what I quote here:", quoting: deletedQuoted)
    add("Sensitive to some.", media: [.photo("knot.png", width: 500, height: 500, alt: "A knot")]) {
      $0.sensitive = true
    }
    add("Lines\n\nand  spaces\nstay.")
    add("zalgo t̷e̷x̷t̷ and é (one) é (two) in \(hashtag: "café")")
    add("That is all. Thank you for reading! \(hashtag: "harbour") 🙏🏽")
  }

  private mutating func addEdited() {
    add("The tide comes twice a dya.")
    let first = posts[11]
    let edited = world.edit(
      first, to: "The tide comes twice a day. \(hashtag: "corrected")", at: time(11).addingTimeInterval(40))
    posts[11] = edited
    versions = [first, edited]
  }

  private var longText: StubText {
    let sentence = "The water comes & goes, and who has sat on a pier for twelve hours knows <how> slowly. "
    let link = StubLink("https://tides.example/twelve-hours", title: "Twelve hours", description: "A film.")
    return
      "Long posts have a text of their own 🐚. \(String(repeating: sentence, count: 5))\(mention: "kenji_stub") filmed it: \(link: link)\n\n\(sentence)\(hashtag: "longread")"
  }
}
