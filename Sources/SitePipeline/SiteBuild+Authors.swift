import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore
import UTF8Text

/// An author as one of their conversations, or their profile, has them.
struct KnownAuthor: Sendable {
  let author: Author
  /// The conversation that says so.
  let conversation: PostID

  init(_ author: Author, seenIn conversation: PostID) {
    self.author = author
    self.conversation = conversation
  }

  /// The one that was seen later; where nothing says when, the one of the later conversation, so that the order in which
  /// threads are read does not matter.
  func later(_ other: KnownAuthor) -> KnownAuthor {
    rank < other.rank ? other : self
  }

  private var rank: (Int64, PostID) { (author.observedAt?.milliseconds ?? .min, conversation) }
}

extension SiteBuild {
  /// Makes the profiles of all authors, and notes which pictures their pages show.
  ///
  /// - Parameter withAvatars: whether the theme shows any.
  func addProfiles(
    from store: ThreadStore, withAvatars: Bool, to written: inout WrittenThreads
  ) throws(PipelineError) {
    for (path, known) in written.authors {
      let stored: Profile?
      do {
        stored = try store.profile(of: known.author.id)
      } catch {
        throw PipelineError(error)
      }
      let profile = profile(of: known.author, stored, at: path, withAvatars, &written)
      written.mediaHosts.formUnion(profile.mediaHosts)
      written.profiles[path] = profile
    }
  }

  private func profile(
    of known: Author, _ stored: Profile?, at path: SitePath, _ withAvatars: Bool,
    _ written: inout WrittenThreads
  ) -> AuthorProfile {
    var author = known
    if let stored {
      var other = stored.author
      other.observedAt = other.observedAt ?? stored.observedAt
      // Each field from the later of the two: a profile is asked for more than a thread's author is.
      author = known.merged(with: other)
    }
    var profile = AuthorProfile(author: AuthorSummary(author, path: path))
    profile.avatar = withAvatars ? picture(of: author, &written) : nil
    profile.bio = author.bio
    profile.location = author.location.flatMap { $0.isVisible ? $0 : nil }
    profile.website = author.website
    profile.joined = author.joinedAt
    profile.isVerified = author.isVerified ?? false
    profile.followers = author.followers
    profile.following = author.following
    profile.posts = author.posts
    profile.observed = author.observedAt
    profile.knownFollowers = (stored?.followers ?? []).map { follower in
      let summary = AuthorSummary(follower, path: path)
      return AuthorProfile.Follower(
        name: summary.name, handle: follower.handle, url: summary.url,
        avatar: withAvatars ? picture(of: follower, &written) : nil
      )
    }
    return profile
  }

  /// The store's copy of an avatar or, where the site shows what is elsewhere, its address there.
  private func picture(of author: Author, _ written: inout WrittenThreads) -> SummaryImage? {
    guard mediaMode != .none else { return nil }
    if let file = author.avatarFile, MediaFileName.isPlain(file) {
      written.mediaFiles.insert(file)
      return .stored(ThreadWorker.mediaPath(file))
    }
    return mediaMode == .link ? author.avatarURL.flatMap(SummaryImage.init(loadedFrom:)) : nil
  }
}
