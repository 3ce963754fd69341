import SiteWorkspace

/// The parts of site.yml that match threads of the store, and the mistakes in them.
struct FoundEntries: Sendable {
  /// The indices of entries of site.yml's `threads` that were found in the store.
  private(set) var entries: Set<Int> = []
  /// The indices of entries of site.yml's `sources` that were found in the store.
  private(set) var sources: Set<Int> = []
  /// URLs under `same_as` that were found.
  private(set) var sameThreads: Set<ThreadSelection.SameThread> = []
  /// The places in site.yml of hidden posts that are not in their threads.
  private(set) var unknownHidden: Set<ThreadSelection.HiddenPlace> = []
  /// Notes in site.yml on posts that the page does not show as the author's.
  private(set) var unknownNotes: Set<ThreadSelection.UnknownNote> = []
  /// The positions of the threads with texts under `alt` in site.yml, by the index of the entry.
  private(set) var described: [Int: Int] = [:]

  /// Records which parts of site.yml match a conversation.
  ///
  /// - Parameter position: the position of the thread's file in the store's listing.
  mutating func add(_ answer: ThreadSelection.Answer, at position: Int) {
    entries.formUnion(answer.entries)
    sources.formUnion(answer.sources)
    if let same = answer.sameAs { sameThreads.insert(same) }
    unknownHidden.formUnion(answer.unknownHidden)
    unknownNotes.formUnion(answer.unknownNotes)
    if let settings = answer.settings, let entry = settings.entry,
      !settings.descriptions.isEmpty || !settings.descriptionsOfPosts.isEmpty
    {
      described[entry] = position
    }
  }

  mutating func add(_ other: FoundEntries) {
    entries.formUnion(other.entries)
    sources.formUnion(other.sources)
    sameThreads.formUnion(other.sameThreads)
    unknownHidden.formUnion(other.unknownHidden)
    unknownNotes.formUnion(other.unknownNotes)
    described.merge(other.described) { min($0, $1) }
  }
}
