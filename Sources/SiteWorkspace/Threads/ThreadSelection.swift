import Basics
package import InterfaceText
package import SiteConfig
package import ThreadMarkdown
package import ThreadModel
package import ThreadStore

/// Decides which conversations of the store are on the site, with the settings of site.yml for each.
package struct ThreadSelection: Sendable {
  /// The settings of one thread of the site.
  package struct Settings: Sendable, Hashable {
    /// The index in site.yml's `threads`; `nil` for a thread without an entry.
    package var entry: Int?
    package var title: String?
    package var tags: [String] = []
    package var slug: String?
    package var hidden: Set<PostID> = []
    package var isDraft = false
    /// Whether search engines are asked not to list its page.
    package var isHiddenFromSearch = false
    /// Whether replies by others are shown after the thread.
    package var showsReplies = false
    /// Descriptions of pictures by the names of their files.
    package var descriptions: [String: String] = [:]
    /// Descriptions of pictures by the posts that show them.
    package var descriptionsOfPosts: [PostReference: String] = [:]

    /// The owner's texts about the thread.
    package var words = OwnerTexts()

    package init(
      entry: Int? = nil, title: String? = nil, tags: [String] = [], slug: String? = nil,
      hidden: Set<PostID> = [], isDraft: Bool = false, isHiddenFromSearch: Bool = false,
      showsReplies: Bool = false, descriptions: [String: String] = [:],
      descriptionsOfPosts: [PostReference: String] = [:], words: OwnerTexts = OwnerTexts()
    ) {
      self.entry = entry
      self.title = title
      self.tags = tags
      self.slug = slug
      self.hidden = hidden
      self.isDraft = isDraft
      self.isHiddenFromSearch = isHiddenFromSearch
      self.showsReplies = showsReplies
      self.descriptions = descriptions
      self.descriptionsOfPosts = descriptionsOfPosts
      self.words = words
    }

    /// Returns the conversation with the owner's descriptions added to pictures without one.
    package func describing(_ conversation: Conversation) -> Conversation {
      guard !descriptions.isEmpty || !descriptionsOfPosts.isEmpty else { return conversation }
      let posts = descriptionsOfPosts.sorted { $0.key.identity < $1.key.identity }
      let references = PostReferences(posts.map(\.key))
      func described(_ post: Post) -> Post {
        guard !post.media.isEmpty else { return post }
        let author = conversation.authors.first { $0.id == post.authorID }
        let position = references.position(of: post.id, called: post.urlID, by: author)
        return describing(post, as: position.map { posts[$0].value })
      }
      var result = conversation
      for index in result.posts.indices { result.posts[index] = described(result.posts[index]) }
      for index in result.related.indices { result.related[index] = described(result.related[index]) }
      return result
    }

    private func describing(_ post: Post, as description: String?) -> Post {
      var post = post
      var rest = description
      for index in post.media.indices where (post.media[index].altText ?? "").allSatisfy(\.isWhitespace) {
        if let text = post.media[index].file.flatMap({ descriptions[$0] }) {
          post.media[index].altText = text
        } else if let text = rest {
          // A post's description applies to its first picture without one.
          post.media[index].altText = text
          rest = nil
        }
      }
      return post
    }

    /// Returns a digest of all settings that change the thread's page. The position of the entry in site.yml is not part of it.
    ///
    /// - Parameter copies: the same thread on other networks.
    package func digest(copies: [PostReference]) -> UInt64 {
      var settings = self
      settings.entry = nil
      var digest = ContentDigest()
      digest.add(settings)
      digest.add(copies)
      return digest.value
    }
  }

  /// The result of site.yml for one conversation.
  package struct Answer: Sendable {
    /// `nil` if the thread is not part of the site.
    package var settings: Settings?
    /// Whether the thread would be part of the site if it had any post of its author to show.
    package var isEmpty = false
    /// Set if an entry of `threads` declares this thread to be the same as another one. The other thread has the page, and this one
    /// redirects to it.
    package var sameAs: SameThread?
    /// The indices in `threads` of all entries that name the thread, ascending. More than one is a mistake.
    package var entries: [Int] = []
    /// The indices in `sources` of the single posts and accounts to which the thread belongs.
    package var sources: Set<Int> = []
    /// The places of hidden posts that do not belong to the conversation.
    package var unknownHidden: [HiddenPlace] = []
    /// Notes on posts that the page does not show as the author's.
    package var unknownNotes: [UnknownNote] = []
  }

  /// A note on a post that is not shown.
  package struct UnknownNote: Hashable, Sendable {
    /// The index of the entry with the note.
    package var entry: Int
    /// The entry's name for the post.
    package var name: String
    /// A phrase, or empty.
    package var suggestion: String
  }

  /// A URL under `same_as`.
  package struct SameThread: Hashable, Sendable {
    /// The index of the entry whose thread has the page.
    package var entry: Int
    /// The index among the entry's URLs.
    package var position: Int
  }

  /// The place of a hidden post: the index of the entry, and the index in the entry's list.
  package struct HiddenPlace: Hashable, Sendable, Comparable {
    package var entry: Int
    package var position: Int

    package static func < (lhs: HiddenPlace, rhs: HiddenPlace) -> Bool {
      (lhs.entry, lhs.position) < (rhs.entry, rhs.position)
    }
  }

  private let entries: [ThreadEntry]
  private let entryByPost: PostReferences
  private let sameThreads: [SameThread]
  private let sameThreadByPost: PostReferences
  private let takesAll: Bool
  private let sources: [Source]
  private let sourceByPost: PostReferences

  /// - Parameters:
  ///   - ledger: the results of the sources.
  ///   - authors: the accounts of the store.
  ///   - calendar: the site's calendar.
  package init(
    _ config: SiteConfig, sourceState: SourceState, authors: AuthorDirectory, calendar: SiteCalendar
  ) {
    entries = config.threads
    entryByPost = PostReferences(entries.map(\.url))
    var same: [(place: SameThread, post: PostReference)] = []
    for (entry, thread) in config.threads.enumerated() {
      for (position, post) in thread.sameAs.enumerated() {
        same.append((SameThread(entry: entry, position: position), post))
      }
    }
    sameThreads = same.map(\.place)
    sameThreadByPost = PostReferences(same.map(\.post))
    takesAll = config.include == .all
    sources = config.sources.map {
      Source($0, sourceState: sourceState, authors: authors, calendar: calendar)
    }
    sourceByPost = PostReferences(
      config.sources.enumerated().compactMap { position, source in
        if case .post(let post) = source { (reference: post.post, position: position) } else { nil }
      })
  }

  /// Returns the settings of site.yml for a conversation, found by any of its author's posts.
  package func settings(for conversation: Conversation) -> Answer {
    settings(for: ConversationKeys(conversation))
  }

  /// Returns the settings for a post whose conversation is unknown, so that only the URL itself can be compared.
  package func settings(for post: PostReference) -> Answer {
    let named = entries.indices.filter { entries[$0].url.identity == post.identity }
    let isShown = named.isEmpty ? takesAll : named.contains { !entries[$0].isExcluded }
    return Answer(
      settings: isShown ? Settings() : nil, entries: named,
      sources: Set(sources.indices.filter { sources[$0].identity == post.identity }))
  }

  /// Returns the settings for a conversation's keys.
  package func settings(for conversation: ConversationKeys) -> Answer {
    var answer = Answer()
    answer.entries = entryByPost.positions(of: conversation)
    answer.sources = Set(sourceByPost.positions(of: conversation))
    for position in sources.indices where sources[position].isAccount(of: conversation) {
      answer.sources.insert(position)
    }
    if let position = sameThreadByPost.positions(of: conversation).first {
      answer.sameAs = sameThreads[position]
      return answer
    }
    guard let first = answer.entries.first else {
      guard takesAll else { return answer }
      answer.isEmpty = conversation.isEmpty(but: [])
      if answer.isEmpty { return answer }
      var settings = Settings()
      settings.showsReplies = showsReplies(conversation, answer.sources)
      answer.settings = settings
      return answer
    }
    let entry = entries[first]
    let hidden = hidden(in: conversation, by: first)
    answer.unknownHidden = hidden.unknown
    guard !entry.isExcluded else { return answer }
    answer.isEmpty = conversation.isEmpty(but: hidden.posts)
    if answer.isEmpty { return answer }
    var settings = Settings(entry: first)
    settings.title = entry.title
    settings.tags = entry.tags
    settings.slug = entry.slug
    settings.hidden = hidden.posts
    settings.descriptions = entry.alt
    settings.descriptionsOfPosts = entry.altOfPosts
    let notes = notes(on: conversation, but: hidden.posts, by: first)
    settings.words = OwnerTexts(
      introduction: entry.intro, afterword: entry.afterword, notes: notes.texts)
    answer.unknownNotes = notes.unknown
    settings.isDraft = entry.isHeldBack
    settings.isHiddenFromSearch = entry.noindex
    settings.showsReplies = entry.replies ?? showsReplies(conversation, answer.sources)
    answer.settings = settings
    return answer
  }

  /// Whether a source of the thread fetches replies by others for it.
  private func showsReplies(_ conversation: ConversationKeys, _ positions: Set<Int>) -> Bool {
    positions.contains { sources[$0].showsReplies && sources[$0].takes(conversation) }
  }

  /// Returns an entry's notes on the author's posts in a conversation, and its notes on other posts.
  private func notes(
    on conversation: ConversationKeys, but hidden: Set<PostID>, by entry: Int
  ) -> (texts: [PostID: String], unknown: [UnknownNote]) {
    let notes = entries[entry].notes
    guard !notes.isEmpty else { return ([:], []) }
    let references = PostReferences(notes.map(\.post))
    var texts: [PostID: String] = [:]
    var found: Set<Int> = []
    for id in conversation.ownPosts where !hidden.contains(id) {
      let urlID = conversation.urlIDs[id]
      guard let position = references.position(of: id, called: urlID, by: conversation.author) else {
        continue
      }
      texts[id] = notes[position].text
      found.insert(position)
    }
    let unknown = notes.indices.filter { !found.contains($0) }
    let ofHidden = Set(
      hidden.compactMap { id in
        references.position(of: id, called: conversation.urlIDs[id], by: conversation.author)
      })
    let ids = unknown.isEmpty ? [] : conversation.ownPosts.map(\.value)
    return (
      texts,
      unknown.map {
        UnknownNote(
          entry: entry, name: notes[$0].name,
          suggestion: ofHidden.contains($0)
            ? "; the post is listed under hide" : Suggestion.phrase(for: notes[$0].name, among: ids))
      }
    )
  }

  /// Returns the posts of the conversation that an entry hides, and the places of hidden posts that do not belong to it. The latter must be
  /// reported, because ignoring them would publish posts that were meant to be hidden.
  private func hidden(
    in conversation: ConversationKeys, by entry: Int
  ) -> (posts: Set<PostID>, unknown: [HiddenPlace]) {
    let hide = entries[entry].hide
    guard !hide.isEmpty else { return ([], []) }
    let references = PostReferences(hide)
    var posts: Set<PostID> = []
    var found: Set<Int> = []
    let author = conversation.author
    for id in conversation.ownPosts + conversation.otherPosts {
      let urlID = conversation.urlIDs[id]
      guard let position = references.position(of: id, called: urlID, by: author) else { continue }
      posts.insert(id)
      found.insert(position)
    }
    // Two URLs may lead to the same post.
    var known = Set(found.map { hide[$0].identity })
    // A post that is listed many times is reported once.
    let unknown = hide.indices.filter { known.insert(hide[$0].identity).inserted }
    return (posts, unknown.map { HiddenPlace(entry: entry, position: $0) })
  }

  /// Returns the indices of entries that may name a thread of these unreadable files, by the names of the files.
  package func entriesNaming(_ files: StoreListing) -> [Int] {
    entryByPost.positions(namingAnyOf: files).map(\.position)
  }

  /// Returns the indices of single-post sources that may name a thread of these unreadable files.
  package func sourcesNaming(_ files: StoreListing) -> [Int] {
    sourceByPost.positions(namingAnyOf: files).map(\.position)
  }

  package func hidesPosts(_ entry: Int) -> Bool { !entries[entry].hide.isEmpty }

  /// Whether the thread of an entry has a page, if it is in the store.
  package func hasPage(_ entry: Int, withDrafts: Bool) -> Bool {
    !entries[entry].isExcluded && (withDrafts || !entries[entry].isHeldBack)
  }

  /// Returns the URLs of the same thread on other networks, from an entry.
  package func copies(of entry: Int) -> [PostReference] { entries[entry].sameAs }

  /// Whether other URLs redirect to the page of an entry.
  package func isLedTo(_ entry: Int) -> Bool {
    !entries[entry].sameAs.isEmpty || !entries[entry].aliases.isEmpty
  }

  /// Returns the URLs of the same thread on other networks, from a thread's settings.
  package func copies(_ settings: Settings) -> [PostReference] { settings.entry.map(copies) ?? [] }

  /// Returns the URLs under `same_as` that are not among the found ones.
  package func missingSameThreads(found: Set<SameThread>) -> [SameThread] {
    sameThreads.filter { !found.contains($0) && !entries[$0.entry].isExcluded }
  }

  /// Returns the indices in `threads` that are not among the found ones.
  package func missingEntries(found: Set<Int>) -> [Int] { entries.indices.filter { !found.contains($0) } }

  /// Returns the indices in `sources` of posts and accounts without a conversation in the store, and of searches that were never run.
  package func missingSources(found: Set<Int>) -> [Int] {
    sources.indices.filter { sources[$0].isMissing(unlessIn: found, at: $0) }
  }
}

extension ThreadSelection {
  /// An entry of `sources`, with the data that determine which stored threads belong to it.
  private struct Source: Sendable {
    private enum Kind: Sendable {
      /// The post's identity.
      case post(String)
      /// The accounts of the store to which the URL may refer.
      case account(Set<AuthorID>)
      case search(isRecorded: Bool)
      case archive
    }

    let showsReplies: Bool
    private let kind: Kind
    private let limits: ThreadSource.Limits
    private let calendar: SiteCalendar

    init(_ source: ThreadSource, sourceState: SourceState, authors: AuthorDirectory, calendar: SiteCalendar) {
      self.calendar = calendar
      switch source {
      case .post(let post):
        (kind, limits, showsReplies) = (.post(post.post.identity), ThreadSource.Limits(), post.replies)
      case .account(let account):
        kind = .account(authors.accounts(of: account.account))
        (limits, showsReplies) = (account.limits, account.replies)
      case .search(let search):
        let isRecorded =
          sourceState[SourceState.Key(kind: .search, platform: search.platform, name: search.query)] != nil
        (kind, limits, showsReplies) = (.search(isRecorded: isRecorded), ThreadSource.Limits(), false)
      case .archive(let archive):
        (kind, limits, showsReplies) = (.archive, archive.limits, false)
      }
    }

    /// Whether a conversation is a thread of this source's account.
    func isAccount(of conversation: ConversationKeys) -> Bool {
      guard case .account(let ids) = kind else { return false }
      return ids.contains(conversation.authorID)
    }

    /// The identity of a single post; `nil` for other sources.
    var identity: String? { if case .post(let identity) = kind { identity } else { nil } }

    func isMissing(unlessIn found: Set<Int>, at position: Int) -> Bool {
      switch kind {
      case .post, .account: !found.contains(position)
      case .search(let isRecorded): !isRecorded
      // Errors of archives are reported when the archives are read.
      case .archive: false
      }
    }

    /// Whether a conversation is within the limits.
    func takes(_ conversation: ConversationKeys) -> Bool {
      guard limits != ThreadSource.Limits() else { return true }
      guard conversation.ownPosts.count >= limits.minPosts ?? 2 else { return false }
      guard limits.since != nil || limits.until != nil else { return true }
      guard let first = conversation.firstWritten else { return false }
      return calendar.isDay(of: first, since: limits.since, until: limits.until)
    }
  }
}

extension ThreadSelection.Settings: Record {
  static let fields = RecordFields(
    Self.init, \.entry, \.title, \.tags, \.slug, \.hidden, \.isDraft, \.isHiddenFromSearch, \.showsReplies,
    \.descriptions,
    \.descriptionsOfPosts, \.words)
}
