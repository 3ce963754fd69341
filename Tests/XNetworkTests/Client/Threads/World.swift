import Basics
import ThreadModel
import XNetwork

/// An invented X with its users and posts. Letters name posts, and the IDs contain times, as X's do.
struct World: Sendable {
  struct User: Sendable {
    var id: String
    var handle: String
    var isProtected = false
    var isSuspended = false
    /// The number in the profile; `nil` for a profile without counts.
    var followers: Int?
  }

  struct Entry: Sendable {
    var id: String
    var author: String
    var conversation: String
    var text: String
    var parent: String?
    var quotes: String?
    var repeats: String?
    var photo: String?
    var poll: String?
    var versions: [String] = []
    var withheldIn: [String] = []
    var likes = 0
    var replies = 0
  }

  static let day: Int64 = 86_400_000
  static let hour: Int64 = 3_600_000
  /// The time of every test: 2024-06-01T12:00:00Z.
  static let now = Timestamp(milliseconds: 1_717_243_200_000)

  var users: [String: User] = [:]
  var posts: [String: Entry] = [:]
  var deleted: Set<String> = []
  /// Posts that X withholds everywhere by order of an authority.
  var withheld: Set<String> = []
  /// Posts that X neither returns nor reports.
  var silent: Set<String> = []
  var openPolls: Set<String> = []
  private var count: UInt64 = 0

  init() {
    for (id, handle) in [("1", "ada"), ("2", "bob"), ("3", "cleo")] {
      users[id] = User(id: id, handle: handle)
    }
  }

  static func ago(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds - milliseconds)
  }

  /// An ID assigned at a time.
  mutating func id(at time: Timestamp) -> String {
    count += 1
    return String(UInt64(time.milliseconds - 1_288_834_974_657) << 22 + count)
  }

  /// Adds a post and returns its ID.
  @discardableResult
  mutating func post(
    by author: String = "1", at time: Timestamp, to parent: String? = nil, quoting quoted: String? = nil,
    photo: Bool = false, poll: Bool = false, _ text: String? = nil
  ) -> String {
    let id = id(at: time)
    var entry = Entry(id: id, author: author, conversation: id, text: text ?? "post \(count)")
    if let parent {
      entry.parent = parent
      posts[parent]?.replies += 1
      entry.conversation = posts[parent]?.conversation ?? parent
    }
    entry.quotes = quoted
    if photo { entry.photo = "3_\(id)" }
    if poll { entry.poll = "8\(id)" }
    posts[id] = entry
    return id
  }

  /// Adds a chain of an author's replies to themselves, one minute apart, and returns all IDs.
  @discardableResult
  mutating func thread(
    by author: String = "1", _ length: Int, from time: Timestamp, to parent: String? = nil
  ) -> [String] {
    var ids: [String] = []
    for index in 0..<length {
      let time = Timestamp(milliseconds: time.milliseconds + Int64(index) * 60_000)
      ids.append(post(by: author, at: time, to: ids.last ?? parent))
    }
    return ids
  }

  /// Replaces a post by an edited version with another ID.
  mutating func edit(_ id: String, after milliseconds: Int64 = 600_000) -> String {
    guard var entry = posts[id], let time = XID.time(id) else { return id }
    let new = self.id(at: Timestamp(milliseconds: time.milliseconds + milliseconds))
    entry.versions = (entry.versions.isEmpty ? [id] : entry.versions) + [new]
    for version in entry.versions { posts[version]?.versions = entry.versions }
    entry.id = new
    entry.text += ", edited"
    posts[new] = entry
    return new
  }

  @discardableResult
  mutating func repost(by author: String, of id: String, at time: Timestamp) -> String {
    let new = post(by: author, at: time)
    posts[new]?.repeats = id
    return new
  }

  // MARK: Responses

  func isShown(_ id: String) -> Bool { missing(id) == nil && posts[id] != nil }

  /// X's error for a post that is not shown; `nil` for a visible post.
  func missing(_ id: String) -> JSONValue? {
    guard let post = posts[id], !deleted.contains(id) else {
      return Self.problem(
        "resource-not-found", "Not Found Error", "Could not find tweet with ids: [\(id)].", id)
    }
    if withheld.contains(id) {
      return Self.problem(
        "resource-unavailable", "Unavailable", "The Tweet with ids: [\(id)] is withheld.", id)
    }
    guard let user = users[post.author] else { return nil }
    if user.isSuspended {
      return Self.problem(
        "resource-not-found", "Forbidden", "User has been suspended: [\(user.handle)].", id)
    }
    if user.isProtected {
      return Self.problem(
        "not-authorized-for-resource", "Authorization Error",
        "Sorry, you are not authorized to see the Tweet with ids: [\(id)].", id)
    }
    return nil
  }

  static func problem(
    _ type: String, _ title: String, _ detail: String, _ id: String, of resource: String = "tweet"
  ) -> JSONValue {
    [
      "type": .string("https://api.twitter.com/2/problems/" + type), "title": .string(title),
      "detail": .string(detail), "resource_type": .string(resource), "resource_id": .string(id),
      "value": .string(id), "parameter": "ids",
    ]
  }
}
