import ThreadModel

extension UnrolledThread {
  /// What most posts of the main line are written in; the first of those that are equal; `nil` where no post says.
  var language: String? {
    var counts: [String: Int] = [:]
    var order: [String] = []
    for case .post(let threadPost) in items {
      guard let tag = LanguageTag.valid(threadPost.post.language) else { continue }
      if counts[tag] == nil { order.append(tag) }
      counts[tag, default: 0] += 1
    }
    let most = counts.values.max()
    return order.first { counts[$0] == most }
  }
}
