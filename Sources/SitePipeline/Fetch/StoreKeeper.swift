import ThreadModel
import ThreadStore

/// Serialises writing to the store during a fetch.
actor StoreKeeper {
  private let store: ThreadStore
  private var index: ThreadStore.Index
  private var renaming: AccountRenaming

  init(_ store: ThreadStore, _ networks: NetworkRegistry) throws(PipelineError) {
    self.store = store
    renaming = AccountRenaming(store, networks)
    do {
      index = try store.index()
    } catch {
      throw PipelineError(error)
    }
  }

  /// Saves a conversation, merged with the stored facts.
  func save(_ conversation: Conversation) throws(PipelineError) -> ThreadStore.Outcome {
    try rename(for: conversation)
    do {
      return try store.save(conversation, index: &index).outcome
    } catch {
      throw PipelineError(error)
    }
  }

  /// Replaces the stored conversation, as facts were removed from it.
  func replace(_ conversation: Conversation) throws(PipelineError) -> ThreadStore.Outcome {
    try rename(for: conversation)
    do {
      return try store.replace(conversation, index: &index).outcome
    } catch {
      throw PipelineError(error)
    }
  }

  private func rename(for conversation: Conversation) throws(PipelineError) {
    if let author = conversation.author { try renaming.rename(for: author, index: &index) }
  }

  /// Joins a conversation to the one to which it turned out to belong, and deletes its file; if that other conversation was removed, the file stays,
  /// as its removal was not requested.
  func join(_ old: StoredFile, _ known: Conversation, to id: PostID) throws(PipelineError) -> StoredFile {
    do {
      let (file, outcome) = try store.save(known.moved(to: id), index: &index)
      guard !outcome.isRefused else { return old }
      try store.remove(old)
      index = try store.index()
      return file
    } catch {
      throw PipelineError(error)
    }
  }

  func save(_ profile: Profile) throws(PipelineError) {
    do {
      try store.save(profile)
    } catch {
      throw PipelineError(error)
    }
  }

  func removeProfile(of author: AuthorID) throws(PipelineError) {
    do {
      try store.removeProfile(of: author)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Returns the thread as the store has it now.
  func conversation(_ id: PostID, by author: AuthorID) throws(PipelineError) -> Conversation? {
    do {
      guard let file = try store.find(id, by: author, in: index) else { return nil }
      return try store.read(file)
    } catch {
      throw PipelineError(error)
    }
  }
}
