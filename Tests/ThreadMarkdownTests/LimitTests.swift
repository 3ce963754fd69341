import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Limits on the length of texts from networks: at the limit the text is complete, beyond it ends with "…".
struct LimitTests {
  private func text(of post: Post) throws -> String {
    try Components.tokens(of: Components.render(Invented.thread([post]))).text()
  }

  private func card(title: Int, summary: Int) throws -> String {
    var card = LinkCard(url: "https://a.example/")
    card.title = String(repeating: "t", count: title)
    card.summary = String(repeating: "s", count: summary)
    var post = Invented.post("10", "A card")
    post.card = card
    return try text(of: post)
  }

  @Test func shortensCards() throws {
    let whole = try card(title: 200, summary: 300)
    #expect(
      whole.contains(String(repeating: "t", count: 200)) && whole.contains(String(repeating: "s", count: 300))
    )
    let cut = try card(title: 201, summary: 301)
    #expect(cut.contains("t…") && cut.contains("s…"))
    #expect(
      !cut.contains(String(repeating: "t", count: 200)) && !cut.contains(String(repeating: "s", count: 300)))
  }

  @Test func shortensKindsOfMedia() throws {
    func kind(_ length: Int) throws -> String {
      var medium = Media(id: "1", kind: MediaKind(rawValue: String(repeating: "k", count: length)))
      medium.url = "https://a.example/thing"
      var post = Invented.post("10", "Something")
      post.media = [medium]
      return try text(of: post)
    }
    #expect(try kind(40).contains(String(repeating: "k", count: 40)))
    #expect(try kind(41).contains("k…"))
  }
}
