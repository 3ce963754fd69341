import Basics
import Testing
import ThreadModel
import XNetwork

/// Posts whose text X withholds.
@Suite struct XWithheldTests {
  static let notices = [
    "@ada's account has been withheld in Germany, France in response to a legal demand. Learn more.",
    "@ada's account has been withheld in: Turkey",
    "@ada’s Post has been withheld based on local law(s). Learn more.",
    "This Tweet from @ada has been withheld in response to a report from the copyright holder. Learn more.",
    "This Post from @ada has been withheld in India in response to a legal demand. Learn more.",
    "@ada's account is temporarily unavailable because it violates the Twitter Media Policy. Learn more.",
  ]

  /// Words after the notice, as X links them: the entity covers words instead of a URL.
  private static func help(_ notice: String) -> JSONObject {
    let end = Int64(notice.unicodeScalars.count)
    return [
      "urls": [
        [
          "start": .integer(end - 11), "end": .integer(end), "url": "https://t.co/help",
          "expanded_url": "https://help.twitter.com/rules-and-policies/tweet-withheld-by-country",
        ]
      ]
    ]
  }

  @Test(arguments: notices) func noticeIsNotTheAuthorsText(_ notice: String) throws {
    let withheld: JSONObject = ["country_codes": ["DE", "FR", "DE"], "copyright": false, "scope": "user"]
    for more: JSONObject in [["withheld": .object(withheld)], ["entities": .object(Self.help(notice))], [:]] {
      let post = try Answers.post(["text": .string(notice), "lang": "en"].merging(more) { $1 })
      #expect(post?.text == InlineText("") && post?.language == nil && post?.card == nil)
      #expect(post?.withheld?.notice == notice)
      #expect(post?.withheld?.countries == (more["withheld"] == nil ? [] : ["DE", "FR"]))
      #expect(post?.extra == [:])
    }
  }

  @Test func keepsTheAuthorsText() throws {
    let mention: JSONObject = ["mentions": [["start": 0, "end": 4, "username": "ada"]]]
    for (text, entities) in [
      ("@ada's account has been withheld in Germany. Really?", mention),
      ("@ada's account is back", [:]), ("This Tweet from @ada has been seen by all", [:]),
      ("I read: @ada's account has been withheld in Germany.", [:]),
      ("@ada's account has been withheld in Germany.\nThat is what they say", [:]),
    ] as [(String, JSONObject)] {
      let post = try Answers.post(["text": .string(text), "entities": .object(entities)])
      #expect(post?.text.text == text && post?.withheld == nil)
    }
    let real = try Answers.post(["text": "words", "withheld": ["country_codes": ["TR"], "copyright": false]])
    #expect(real?.text.text == "words" && real?.withheld == Withholding(countries: ["TR"]))
  }

  @Test func ignoresTwoCodesThatAreNotCountries() throws {
    func withheld(_ codes: JSONValue, copyright: Bool = false) throws -> Withholding? {
      try Answers.post(["text": "a", "withheld": ["country_codes": codes, "copyright": .bool(copyright)]])?
        .withheld
    }
    #expect(try withheld(["XX"]) == Withholding(isWorldwide: true))
    #expect(try withheld(["XY", "de"]) == Withholding(countries: ["DE"], isForCopyright: true))
    #expect(try withheld([], copyright: true) == Withholding(isForCopyright: true))
    #expect(try withheld([]) == nil)
  }

  @Test func version1GivesTheSame() throws {
    let conversations = try Answers.conversations(
      #"""
      {"id_str":"9","user":{"id_str":"7","screen_name":"ada"},"withheld_in_countries":["XY"],"withheld_copyright":true,
      "full_text":"This Tweet from @ada has been withheld in response to a report from the copyright holder. Learn more."}
      """#)
    let post = try #require(conversations.first?.posts.first)
    #expect(post.text.isEmpty && post.withheld?.isForCopyright == true && post.withheld?.countries == [])
  }

  /// The real text and the notice, in one import or two, in either order and with either as the newer one.
  @Test func keepsTheAuthorsTextWhateverComesLater() throws {
    func answer(_ text: String, _ more: String, at time: String) -> String {
      #"{"data":{"id":"100","author_id":"1","conversation_id":"100","text":"\#(text)"\#(more)},"__twarc":{"retrieved_at":"\#(time)"}}"#
    }
    let times = ["2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]
    for time in [times, times.reversed(), [times[0], times[0]]] {
      let real = answer(
        "What I said #once", #","lang":"fr","entities":{"hashtags":[{"start":12,"end":17,"tag":"once"}]}"#,
        at: time[0])
      let notice = answer(
        Self.notices[0], #","lang":"en","withheld":{"country_codes":["DE"],"copyright":false}"#, at: time[1])
      for files in [[real, notice], [notice, real]] {
        let together = try #require(try Answers.conversations(files[0], files[1]).first)
        let first = try #require(try Answers.conversations(files[0]).first)
        let second = try #require(try Answers.conversations(files[1]).first)
        for conversation in [together, first.merged(with: second)] {
          let post = try #require(conversation.posts.first)
          #expect(
            post.text.text == "What I said #once" && post.text.entities.count == 1 && post.language == "fr")
          #expect(post.withheld?.countries == ["DE"])
        }
      }
    }
  }
}
