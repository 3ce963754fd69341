import Basics
import Foundation

/// The world of most tests: three people, and a thread of 40 posts.
extension BlueskyWorld {
  package static let ada = "did:plc:adaadaadaadaadaadaadaada"
  package static let bob = "did:plc:bobbobbobbobbobbobbobbob"
  /// An account that only signed-in users may see.
  package static let shy = "did:plc:shyshyshyshyshyshyshyshy"

  package static var people: BlueskyWorld {
    var world = BlueskyWorld()
    world.accounts = [
      Account(ada, "ada.example.com", "Ada ⛵"), Account(bob, "bob.example.com", "Bob"),
      Account(shy, "shy.example.com", "Shy"),
    ]
    world.accounts[2].labels = ["!no-unauthenticated"]
    return world
  }

  private static func blob(_ name: String, _ type: String = "image/jpeg") -> JSONValue {
    ["$type": "blob", "ref": ["$link": .string("bafkrei" + name)], "mimeType": .string(type), "size": 1000]
  }

  private static func image(_ name: String, _ alt: String) -> JSONValue {
    ["image": blob(name), "alt": .string(alt), "aspectRatio": ["width": 1200, "height": 800]]
  }

  /// A facet of a part of a text, in UTF-8 bytes.
  private static func facet(_ part: String, in text: String, _ kind: String, _ name: String, _ value: String)
    -> JSONValue
  {
    let range = text.range(of: part) ?? text.startIndex..<text.endIndex
    let start = text[..<range.lowerBound].utf8.count
    return [
      "index": ["byteStart": .integer(Int64(start)), "byteEnd": .integer(Int64(start + part.utf8.count))],
      "features": .array([
        .object(["$type": .string("app.bsky.richtext.facet#" + kind), name: .string(value)])
      ]),
    ]
  }

  /// A thread of 40 posts with every embed, replies by others, and what they quote.
  package static var boats: BlueskyWorld {
    var world = people
    let quoted = world.add("A boat is a hole in the water.", by: bob, at: 10)
    let nested = world.add(
      "As Bob says", by: bob, at: 20,
      ["embed": ["$type": "app.bsky.embed.record", "record": reference(quoted)]])
    let secret = world.add("Not for strangers", by: shy, at: 30)
    let blocked = world.add("Blocked words", by: bob, at: 40)
    world.posts[world.posts.count - 1].labels = ["test-blocked"]
    let detached = world.add("Detached words", by: bob, at: 50)
    world.posts[world.posts.count - 1].labels = ["test-detached"]
    let gone = world.add("Gone words", by: bob, at: 60)
    world.posts[world.posts.count - 1].isDeleted = true
    func quote(_ uri: String) -> [String: JSONValue] {
      ["embed": ["$type": "app.bsky.embed.record", "record": reference(uri)]]
    }
    let text = "⛵ Ahoy @bob.example.com 🏴‍☠️ https://boats.example/lo… #sägen"
    var more: [Int: [String: JSONValue]] = [:]
    more[2] = ["text": .string(text)]
    more[2]?["facets"] = .array([
      facet("@bob.example.com", in: text, "mention", "did", bob),
      facet("https://boats.example/lo…", in: text, "link", "uri", "https://boats.example/long"),
      facet("#sägen", in: text, "tag", "tag", "sägen"),
    ])
    func images(_ kind: String, _ name: String, _ images: [JSONValue]) -> JSONValue {
      .object(["$type": .string("app.bsky.embed." + kind), name: .array(images)])
    }
    more[3] = ["embed": images("images", "images", [image("hull", "The hull"), image("mast", "")])]
    more[4] = ["embed": images("gallery", "items", (1...7).map { image("gallery\($0)", "Plank \($0)") })]
    let captions: JSONValue = ["lang": "en", "file": blob("captions", "text/vtt")]
    more[5] = [
      "embed": [
        "$type": "app.bsky.embed.video", "video": blob("launch", "video/mp4"), "alt": "The launch",
        "aspectRatio": ["width": 16, "height": 9], "captions": .array([captions]),
      ]
    ]
    let external: JSONValue = [
      "uri": "https://boats.example/plans", "title": "Plans of boats", "description": "Drawn to scale",
      "thumb": blob("card"),
    ]
    more[6] = ["embed": ["$type": "app.bsky.embed.external", "external": external]]
    for (number, uri) in [7: nested, 8: secret, 9: blocked, 10: detached, 11: gone] {
      more[number] = quote(uri)
    }
    more[12] = [
      "embed": [
        "$type": "app.bsky.embed.recordWithMedia",
        "record": ["$type": "app.bsky.embed.record", "record": reference(quoted)],
        "media": images("images", "images", [image("both", "Both")]),
      ]
    ]
    more[13] = quote("at://\(bob)/app.bsky.feed.generator/boats")
    more[14] = quote("at://\(bob)/app.bsky.graph.list/people")
    more[15] = quote("at://\(bob)/app.bsky.graph.starterpack/begin")
    more[16] = ["embed": ["$type": "example.boats.hologram", "url": "https://boats.example/"]]
    more[17] = ["embed": images("images", "images", [image("rough", "Rough")])]
    more[17]?["labels"] = [
      "$type": "com.atproto.label.defs#selfLabels", "values": .array([["val": "graphic-media"]]),
    ]
    more[18] = ["text": ""]
    var last: String?
    for number in 1...40 {
      last = world.add(
        "Plank \(number) <b>&amp; nail</b> 🪵", by: ada, at: 1000 + number * 60, answering: last,
        more[number] ?? [:])
      if number % 5 == 0, let last {
        world.add("Well done \(number)", by: bob, at: 1000 + number * 60 + 10, answering: last)
        world.add("I cannot be shown", by: shy, at: 1000 + number * 60 + 20, answering: last)
      }
    }
    return world
  }

  /// Ada's posts of the thread, in their order.
  package var thread: [Post] { posts.filter { $0.did == Self.ada } }
}
