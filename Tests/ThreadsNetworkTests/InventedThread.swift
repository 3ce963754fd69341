import Basics
import NetworkSources
import Testing
import ThreadModel
import ThreadsNetwork

/// Responses of the Threads API about an invented thread, written from the documentation of the API's fields.
///
/// Ada's thread has twelve posts, 101 to 112. The 5th quotes Bob's post 300, and the 7th is a carousel. Carl answers the 3rd (201), Ada
/// answers him (202), and Dora's reply (203) is hidden.
enum InventedThread {
  static let root = "17900000000000101"

  static func id(_ number: Int) -> String { "17900000000000\(number)" }
  static func reference(_ number: Int) -> JSONValue { ["id": .string(id(number))] }
  static func postID(_ number: Int) -> PostID { ThreadsID.post(id(number)) }

  static func post(
    _ number: Int, by name: String, _ text: String, answers parent: Int? = nil, _ more: JSONObject = [:]
  ) -> JSONValue {
    var members: JSONObject = [
      "id": .string(id(number)), "media_product_type": "THREADS", "media_type": "TEXT_POST",
      "permalink": .string("https://www.threads.com/@\(name)/post/C\(number)"), "username": .string(name),
      "text": .string(text), "shortcode": .string("C\(number)"), "is_quote_post": false,
      "timestamp": .string("2026-04-14T09:\(10 + number % 100 + (number < 200 ? 0 : 30)):00+0000"),
    ]
    if name == "ada" { members["owner"] = ["id": "5550001"] }
    if let parent {
      members["replied_to"] = reference(parent)
      members["root_post"] = reference(101)
      members["is_reply"] = true
      members["hide_status"] = "NOT_HUSHED"
    }
    return .object(members.merging(more) { $1 })
  }

  static let first = post(
    101, by: "ada", "Tides, a thread with @bob_2. #tides https://tides.example/a.", ["has_replies": true])

  static let continuation: [JSONValue] = (102...112).map { number in
    switch number {
    case 105:
      post(
        105, by: "ada", "Bob measured it:", answers: 104,
        [
          "is_quote_post": true,
          "quoted_post": post(300, by: "bob_2", "Four metres."),
        ])
    case 107:
      post(
        107, by: "ada", "Three pictures", answers: 106,
        [
          "media_type": "CAROUSEL_ALBUM", "media_url": "https://cdn.example/1.jpg?e=1",
          "children": [
            "data": [
              [
                "id": "18000000000000001", "media_type": "IMAGE",
                "media_url": "https://cdn.example/1.jpg?e=1",
                "alt_text": "The harbor at low tide",
              ],
              [
                "id": "18000000000000002", "media_type": "VIDEO",
                "media_url": "https://cdn.example/2.mp4?e=1",
                "thumbnail_url": "https://cdn.example/2.jpg",
              ],
              ["id": "18000000000000003"],
            ]
          ],
        ])
    default: post(number, by: "ada", "Post \(number - 100)", answers: number - 1)
    }
  }

  static let others = [
    post(201, by: "Carl", "Why?", answers: 103), post(202, by: "ada", "The moon.", answers: 201),
    post(203, by: "dora", "Rude words", answers: 103, ["hide_status": "HIDDEN"]),
  ]

  static let repost: JSONValue = [
    "id": .string(id(400)), "media_type": "REPOST_FACADE", "username": "ada", "shortcode": "C400",
    "timestamp": "2026-04-15T09:00:00+0000", "permalink": "https://www.threads.com/@ada/post/C400",
  ]

  static func list(_ posts: [JSONValue]) -> JSONValue {
    ["data": .array(posts), "paging": ["cursors": ["before": "QVFI", "after": "QVFJ"]]]
  }

  /// The responses as files: the list of threads, the replies in two pages, the conversation, and one post alone.
  static var files: [[UInt8]] {
    [
      list([first, repost]), list(Array(continuation[..<6])), list(Array(continuation[6...])),
      list(others + [continuation[0]]),
      [
        "status": 200, "url": "https://graph.threads.com/v1.0/17900000000000103",
        "headers": ["Date": "Wed, 15 Apr 2026 08:00:00 GMT"], "body": continuation[1],
      ],
    ].map { JSONWriter.text(of: $0).bytes }
  }
}

/// Reads responses as an import of several files does.
func imported(_ files: [[UInt8]]) throws(SourceError) -> (conversations: [Conversation], report: ImportReport)
{
  var answers = ThreadsAnswers()
  for (number, file) in files.enumerated() {
    var one = ThreadsAnswers()
    try one.take(file, file: "\(number).json")
    answers.add(one)
  }
  let parts = answers.removeParts()
  let (groups, report) = answers.grouped(with: [])
  return (
    groups.flatMap { group in ThreadsAnswers.resolve(group.members.map { parts[$0] }, as: group.id) }, report
  )
}

/// Adds files to a store, as a further import does.
func imported(_ files: [[UInt8]], into stored: [Conversation]) throws(SourceError) -> [Conversation] {
  var answers = ThreadsAnswers()
  for (number, file) in files.enumerated() { try answers.take(file, file: "\(number).json") }
  let parts = answers.removeParts() + stored
  return answers.grouped(with: stored.map(ThreadsAnswers.summary)).groups.flatMap { group in
    ThreadsAnswers.resolve(group.members.map { parts[$0] }, as: group.id)
  }
}

func imported(_ json: String) throws(SourceError) -> (conversations: [Conversation], report: ImportReport) {
  try imported([Array(json.utf8)])
}
