import ThreadModel
import ThreadStore

extension NetworkFetch {
  /// Joins what the archive brought to the conversation that it belongs to, and keeps the page's address.
  func join(_ known: Conversation, in file: StoredFile, to fetched: [Conversation]) async {
    let posts = Set(known.posts.map(\.id))
    guard
      let home = fetched.first(where: { conversation in
        conversation.authorID == known.authorID && conversation.id != known.id
          && conversation.posts.contains { posts.contains($0.id) }
      })
    else { return }
    do {
      let new = try await keeper.join(file, known, to: home.id)
      guard new != file else { return }
      try site.threadStore.keepAddresses([(file, new)])
      progress(.note("\(file.path) is a part of \(new.path), and was joined to it"))
    } catch {
      tally.fail(error, stops: error.kind == .io)
    }
  }
}
