/// Which conversation each post is in.
///
/// Version 2 says it of every post that is asked for its `conversation_id`. Version 1.1 says only what a post answers, so that there a conversation
/// is what hangs together by answers: its id is the one that any of these posts says, or that of the post at the top, where that answers
/// nothing. Where the top was not fetched, the id of the first post known to be missing stands for the conversation's, as it does for archives; its
/// posts then name no conversation, and a later answer that knows better can tell.
struct XConversationIDs {
  /// What posts say of themselves, by the id of the post.
  var said: [String: String] = [:]
  /// What the posts below the topmost ancestor of a post say; where these disagree, the first id.
  private var saidBelow: [String: String] = [:]
  /// For each post that answers another, its topmost ancestor: known, or the first that is missing.
  private var tops: [String: String] = [:]

  /// The conversation of a post; `nil` where nothing says it.
  func known(_ id: String) -> String? { said[id] ?? saidBelow[top(id)] }

  /// The conversation of a post, or what stands for it.
  func conversation(_ id: String) -> String { known(id) ?? top(id) }

  private func top(_ id: String) -> String { tops[id] ?? id }

  /// Joins the posts by their answers.
  ///
  /// - Parameter parents: the id of what each post answers, known or missing.
  mutating func settle(_ parents: [String: String]) {
    for id in parents.keys where tops[id] == nil { findTop(of: id, parents) }
    for (id, conversation) in said {
      saidBelow[top(id)] = Self.earlier(saidBelow[top(id)], conversation)
    }
    // The first post of a conversation has the conversation's id, fetched or not.
    for conversation in Set(said.values) where said[conversation] == nil {
      let top = top(conversation)
      saidBelow[top] = Self.earlier(saidBelow[top], conversation)
    }
  }

  /// Every post on the way gets its top at once, so that all of them together take linear time.
  private mutating func findTop(of id: String, _ parents: [String: String]) {
    var path: [String] = []
    var visited: Set<String> = []
    var current = id
    while tops[current] == nil, let parent = parents[current], visited.insert(current).inserted {
      path.append(current)
      current = parent
    }
    var top = tops[current] ?? current
    // Posts that answer each other in a circle have no first one, but for their ids.
    if visited.contains(current), let start = path.firstIndex(of: current) {
      top = path[start...].min(by: XID.precedes) ?? current
    }
    for step in path { tops[step] = top }
  }

  private static func earlier(_ known: String?, _ other: String) -> String {
    guard let known, !XID.precedes(other, known) else { return other }
    return known
  }
}
