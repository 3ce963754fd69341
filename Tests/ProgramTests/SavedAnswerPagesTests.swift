import Basics
import Foundation
import TestSupport
import Testing

/// The program imports saved responses of X's API, and the pages contain every word of their posts.
@Suite struct SavedAnswerPagesTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write("title: Saved\nmedia: none\n", to: "site.yml")
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
      .run(arguments)
  }

  /// Imports responses, one per line, and builds the site.
  ///
  /// - Returns: the page of the thread with this id.
  private func page(of id: String, _ responses: [JSONValue]) throws -> String {
    try site.folder.write(
      responses.map { JSONWriter.text(of: $0).string }.joined(separator: "\n"), to: "saved.jsonl")
    let imported = try run("import", "saved.jsonl")
    #expect(imported.code == 0, "\(imported.errors)")
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    let path = try #require(
      try site.tree().keys.first { $0.hasSuffix("-\(id)/index.html") || $0.hasSuffix("/\(id)/index.html") })
    return try site.page(path)
  }

  private static let users: JSONValue = [
    ["id": "1", "username": "ada", "name": "Ada"], ["id": "2", "username": "bob", "name": "Bob"],
  ]

  /// Ada's first post came only with Bob's repost; her second post was requested.
  @Test(arguments: ["retweeted", "quoted"], [false, true])
  func includedFirstPostIsOnThePage(type: String, isReversed: Bool) throws {
    let first: JSONValue = [
      "id": "10", "author_id": "1", "conversation_id": "10", "text": "The loom counts threads",
    ]
    let responses: [JSONValue] = [
      [
        "data": [
          [
            "id": "20", "author_id": "2", "conversation_id": "20", "text": "RT",
            "referenced_tweets": [["type": .string(type), "id": "10"]],
          ]
        ], "includes": ["tweets": [first], "users": Self.users],
      ],
      [
        "data": [
          [
            "id": "11", "author_id": "1", "conversation_id": "10", "in_reply_to_user_id": "1",
            "text": "and weaves numbers", "referenced_tweets": [["type": "replied_to", "id": "10"]],
          ]
        ], "includes": ["users": Self.users],
      ],
    ]
    let page = try page(of: "10", isReversed ? responses.reversed() : responses)
    #expect(page.contains("The loom counts threads") && page.contains("and weaves numbers"))
    #expect(!page.contains("missing here"))
  }

  /// Texts that a heading could cut in the middle.
  @Test(arguments: [
    "“The engine weaves patterns. It counts, too.”", "The engine weaves (patterns\nand stars) for all",
    "The loom is in my fav.\nlist of engines. And more",
  ])
  func keepsTextWholeBelowItsHeading(text: String) throws {
    let page = try page(
      of: "10",
      [
        [
          "data": [["id": "10", "author_id": "1", "conversation_id": "10", "text": .string(text)]],
          "includes": ["users": Self.users],
        ]
      ])
    let section = try #require(HTMLTokens(page).contents(ofClass: "post-text").first)
    let shown = section.contents { $0.name == "p" }.map { $0.text() }.joined(separator: "\n\n")
    #expect(shown == text)
  }

  @Test func everyLineBreakBelowAHeadingIsShown() throws {
    let page = try page(
      of: "10",
      [
        [
          "data": [
            [
              "id": "10", "author_id": "1", "conversation_id": "10",
              "text": "The engine weaves\n\n\n\nAnd more",
            ]
          ], "includes": ["users": Self.users],
        ]
      ])
    let section = try #require(HTMLTokens(page).contents(ofClass: "post-text").first)
    #expect(section.contents { $0.name == "p" }.map { $0.text() } == ["\n\nAnd more"])
  }
}
