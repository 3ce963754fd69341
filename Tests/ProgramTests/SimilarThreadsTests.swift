import Foundation
import TestSupport
import Testing
import ThreadModel

/// Links from a thread's page to threads with the same tags and words.
@Suite struct SimilarThreadsTests {
  private static let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
  private static let texts = [
    1: "How clocks are made\nA pendulum swings. The pendulum drives gears.",
    2: "A walk in the hills\nNothing about time.",
    3: "Old church towers\nA tower with a pendulum, and gears below the pendulum. Gears again.",
    4: "Bread needs patience\nFlour and water.",
    5: "Cooking for friends\nSoup and salad.",
    6: "My garden in June\nRoses and weeds.",
  ]

  /// - Parameter day: when the text was observed. The store keeps the latest text.
  private func save(_ number: Int, _ text: String, day: Int64 = 1, in site: TemporarySite) throws {
    var conversation = Conversation(id: PostID("\(number)00", on: .x), authorID: Self.ada.id)
    conversation.authors = [Self.ada]
    var post = Post(id: conversation.id, authorID: Self.ada.id, text: InlineText(text))
    post.conversationID = conversation.id
    post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 86_400)
    post.observedAt = Timestamp(seconds: 1_700_000_000 + day * 86_400)
    conversation.posts = [post]
    try site.save(conversation)
  }

  private func site(_ configuration: String) throws -> TemporarySite {
    let site = try TemporarySite()
    try site.folder.write(configuration, to: "site.yml")
    for (number, text) in Self.texts { try save(number, text, in: site) }
    return site
  }

  /// Returns the numbers of the similar threads by the number of each thread, after a build whose files are the same as those of a build
  /// without cache.
  private func build(_ site: TemporarySite) throws -> [Int: [Int]] {
    try site.build()
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
    var result: [Int: [Int]] = [:]
    for (path, data) in try site.tree() {
      guard let number = path.firstMatch(of: /-([1-6])00\/index\.html$/).flatMap({ Int($0.1) }),
        let section = String(decoding: data, as: UTF8.self)
          .firstMatch(of: /(?s)<section class="similar">.*?<\/section>/)
      else { continue }
      result[number] = section.output.matches(of: /-([1-6])00\/"/).compactMap { Int($0.1) }
    }
    return result
  }

  @Test func repeatedWordsAndTagsConnectThreads() throws {
    let site = try site("title: A\n")
    // The words of threads 1 and 3 are "pendulum" and "gears", but thread 1 repeats only one of them.
    #expect(try build(site) == [:])
    try save(
      1, "How clocks are made\nA pendulum drives gears. The pendulum swings, the gears turn.", day: 2,
      in: site)
    #expect(try build(site) == [1: [3], 3: [1]])
    try site.folder.write(
      """
      title: A
      threads:
        - { url: 'https://x.com/ada/status/200', tags: [home] }
        - { url: 'https://x.com/ada/status/400', tags: [food] }
        - { url: 'https://x.com/ada/status/500', tags: [food] }
        - { url: 'https://x.com/ada/status/600', tags: [Food, home] }

      """, to: "site.yml")
    // The page of thread 5 links to 4 and 6 anyway. The rarer tag of thread 6 comes first.
    #expect(try build(site) == [1: [3], 2: [6], 3: [1], 4: [6], 6: [2, 4]])
    try site.folder.write("title: A\nsimilar_threads: false\n", to: "site.yml")
    #expect(try build(site) == [:])
  }

  @Test func withoutSearchOnlyTagsAreCompared() throws {
    let site = try site("title: A\nsearch: false\n")
    try save(
      1, "How clocks are made #time\nA pendulum drives gears. The pendulum swings, the gears turn.", day: 2,
      in: site)
    #expect(try build(site) == [:])
    try site.folder.write(
      """
      title: A
      search: false
      threads:
        - { url: 'https://x.com/ada/status/400', tags: [food] }
        - { url: 'https://x.com/ada/status/600', tags: [food] }

      """, to: "site.yml")
    #expect(try build(site) == [4: [6], 6: [4]])
  }
}
