import Foundation
import TestSupport
import ThreadModel

/// The input of a site, which the edits change.
struct EditedContents {
  struct Thread {
    var author: Int
    var text: String
    var quotes: Int?
    /// The number of the thread that its third post links to. The link's handle may be wrong.
    var links: Int?
    var mentions = "i"
    var exists = true
    /// The settings in its entry of site.yml.
    var settings: [String: String] = [:]
    var hasPicture = false
    /// Text at the end of its third post.
    var extra = ""
    var posts = 3
    /// The number of the page of another site that its second post links to.
    var page: Int?
    /// The index of the other thread's post that `links` leads to, from 0.
    var linkedPost = 2
  }

  var threads: [Thread] = []
  var handles = ["ada", "bo", "cy"]
  var names = ["Ada", "Bo", "Cy"]
  /// The number of renames so far: the latest name counts.
  var day = 0
  var configuration: [String: String] = ["base_url": "https://ada.example/", "title": "Threads"]
  var files: [String: String] = [:]
  /// The content of files in the store's media folder.
  var picture: UInt8 = 9

  func id(_ thread: Int) -> String { "\((thread + 1) * 100)" }

  func conversation(_ number: Int) -> Conversation {
    let thread = threads[number]
    let ids = handles.indices.map { AuthorID("\(11 + $0)", on: .x) }
    var conversation = Conversation(id: PostID(id(number), on: .x), authorID: ids[thread.author])
    conversation.authors = handles.indices.map { author in
      var person = Author(id: ids[author], handle: handles[author], name: names[author])
      person.observedAt = Timestamp(seconds: 1_700_000_000 + Int64(day) * 86_400)
      return person
    }
    for place in 0..<thread.posts {
      var post = Post(
        id: PostID("\((number + 1) * 100 + place)", on: .x), authorID: ids[thread.author],
        text: InlineText(
          place == 0
            ? thread.text
            : "\(thread.text), part \(place) #tag\(number % 3)\(place == 2 ? thread.extra : "")"))
      post.conversationID = conversation.id
      post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 864_000 + Int64(place))
      post.metrics.likes = thread.text.utf8.count * 10 + number
      if place > 0 { post.inReplyTo = PostID("\((number + 1) * 100 + place - 1)", on: .x) }
      if place == 1, let quotes = thread.quotes {
        // Some quoted posts do not state their conversation.
        let isFirst = quotes.isMultiple(of: 2)
        post.quotes = PostID("\((quotes + 1) * 100 + (isFirst ? 0 : 1))", on: .x)
        var quoted = Post(
          id: PostID("\((quotes + 1) * 100 + (isFirst ? 0 : 1))", on: .x),
          authorID: ids[threads[quotes].author],
          text: InlineText("as it was quoted"))
        quoted.conversationID = isFirst ? quoted.id : nil
        conversation.related = [quoted]
      }
      if place == 1, let page = thread.page {
        let text = post.text.text + " "
        let address = "https://pages.example/\(page)"
        let start = text.unicodeScalars.count
        post.text = InlineText(
          text + address,
          entities: [TextEntity(start..<start + address.utf8.count, .link(url: address, short: nil))])
      }
      if place == 2, let links = thread.links, threads.indices.contains(links) {
        let address = "https://x.com/\(thread.mentions)/status/\((links + 1) * 100 + thread.linkedPost)"
        let text = "@\(thread.mentions) \(address)"
        let name = thread.mentions.utf8.count + 1
        post.text = InlineText(
          text,
          entities: [
            TextEntity(
              0..<name, .mention(handle: thread.mentions, url: "https://x.com/\(thread.mentions)")),
            TextEntity(name + 1..<text.utf8.count, .link(url: address, short: nil)),
          ])
      }
      if place == 2, thread.hasPicture {
        var media = Media(id: "1", kind: .photo, url: "https://pbs.twimg.com/media/a.png")
        media.file = "picture.png"
        post.media = [media]
      }
      conversation.posts.append(post)
    }
    return conversation
  }

  /// Writes all of it and deletes the files that no longer belong to it.
  func write(to site: TemporarySite, after old: EditedContents?) throws {
    var yaml = configuration.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
    let entries = threads.indices.filter { threads[$0].exists && !threads[$0].settings.isEmpty }
    if !entries.isEmpty { yaml += "threads:\n" }
    for number in entries {
      yaml += "  - url: https://x.com/\(handles[threads[number].author])/status/\(id(number))\n"
      for (key, value) in threads[number].settings.sorted(by: { $0.key < $1.key }) {
        yaml += "    \(key): \(value)\n"
      }
    }
    if try !site.folder.exists("site.yml") || site.folder.text("site.yml") != yaml {
      try site.folder.write(yaml, to: "site.yml")
    }
    for (number, thread) in threads.enumerated() {
      if let old, old.threads.indices.contains(number), old.threads[number].exists {
        guard
          !thread.exists || old.conversation(number) != conversation(number)
        else { continue }
        let folder = "threads/x"
        for handle in try FileManager.default.contentsOfDirectory(atPath: site.path + "/" + folder)
        where site.folder.exists("\(folder)/\(handle)/\(id(number)).json") {
          try site.folder.remove("\(folder)/\(handle)/\(id(number)).json")
        }
      }
      if thread.exists { try site.save(conversation(number)) }
    }
    if threads.contains(where: \.hasPicture),
      old?.picture != picture || !site.folder.exists("threads/media/picture.png")
    {
      try site.folder.write(SampleMedia.png(width: picture, height: 9), to: "threads/media/picture.png")
    }
    for (path, text) in files where old?.files[path] != text { try site.folder.write(text, to: path) }
    for path in old?.files.keys ?? [:].keys where files[path] == nil { try site.folder.remove(path) }
  }

  /// The store's record of the dead links to pages of another site.
  static func record(ofDeadPages pages: [Int]) -> String {
    let links = pages.map { "\"https://pages.example/\($0)\"" }.joined(separator: ", ")
    return "{\"format\": 1, \"links\": [\(links)]}\n"
  }
}
