import Basics
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// The step that creates the profiles that authors' pages show.
struct ProfileStep: Sendable {
  let context: BuildContext
  /// The authors and their accounts.
  let directory: AuthorDirectory
  /// The media of the store. A build that keeps going leaves out media that cannot be published.
  let media: PublishedMedia
  /// The theme, which determines whether avatars and pictures of custom emoji are shown.
  let theme: Theme

  private var mediaMode: ThreadMarkdown.MediaMode { context.site.mediaMode }

  /// Creates the profiles of all authors, and records the pictures that their pages show.
  func run(_ written: inout WrittenThreads) throws(PipelineError) {
    for (path, id) in written.authors.sorted(by: { $0.key.text < $1.key.text }) {
      var stored: Profile?
      do {
        stored = try context.site.threadStore.profile(of: id)
      } catch {
        // Without the stored profile, the facts about the author in the threads are still shown.
        guard context.options.keepsGoing else { throw PipelineError(error).ofOneThread }
        written.leftOut.append(PipelineError(error))
      }
      var profile = profile(
        of: directory[id]?.author ?? Author(id: id), stored, at: path, &written)
      if directory[id]?.isHiddenFromSearch == true { profile.author.isHiddenFromSearch = true }
      profile.accounts = (directory[id]?.others ?? []).compactMap { other in
        directory[other].map { AuthorSummary($0.author, path: path) }
      }
      written.mediaHosts.formUnion(profile.mediaHosts)
      written.profiles[path] = profile
    }
  }

  private func profile(
    of known: Author, _ stored: Profile?, at path: SitePath, _ written: inout WrittenThreads
  ) -> AuthorProfile {
    var author = known
    if let stored {
      var other = stored.author
      other.observedAt = other.observedAt ?? stored.observedAt
      // Each field comes from the later of the two. A profile contains more fields than the author of a thread.
      author = known.merged(with: other)
    }
    var profile = AuthorProfile(author: AuthorSummary(author, path: path))
    profile.author.emoji = pictures(of: author, in: author.markedName, &written)
    profile.bioEmoji = pictures(of: author, in: author.bio, &written)
    profile.avatar = picture(of: author, &written)
    profile.bio = author.bio
    profile.location = PlainText.visibleLine(author.location)
    profile.website = author.website
    profile.joined = author.joinedAt
    profile.isVerified = author.isVerified ?? false
    profile.followers = author.followers
    profile.following = author.following
    profile.posts = author.posts
    profile.observed = author.observedAt
    profile.knownFollowers = (stored?.followers ?? []).map { follower in
      let summary = AuthorSummary(follower, path: path)
      var shown = AuthorProfile.Follower(
        name: summary.name, handle: summary.handle, url: summary.url,
        avatar: picture(of: follower, &written))
      shown.emoji = pictures(of: follower, in: follower.markedName, &written)
      return shown
    }
    return profile
  }

  /// Returns the store's copy of an avatar or, if the site links to media on other hosts, the avatar's original URL.
  private func picture(of author: Author, _ written: inout WrittenThreads) -> SummaryImage? {
    guard theme.showsAvatars, mediaMode != .none else { return nil }
    if let file = author.avatarFile, MediaFileName.isPlain(file) {
      return takes(file, &written) ? .stored(ThreadWorker.mediaPath(file)) : nil
    }
    return mediaMode == .link ? author.avatarURL.flatMap(SummaryImage.init(loadedFrom:)) : nil
  }

  /// Returns the pictures of the emoji in an author's name or bio.
  private func pictures(
    of author: Author, in text: InlineText?, _ written: inout WrittenThreads
  ) -> [String: SummaryImage] {
    guard theme.showsEmoji else { return [:] }
    var left: Set<SitePath> = []
    let pictures = author.emojiPictures(mediaMode, in: text) { file in
      if !takes(file, &written) { left.insert(ThreadWorker.mediaPath(file)) }
    }
    return pictures.filter { if case .stored(let path) = $0.value { !left.contains(path) } else { true } }
  }

  /// Records a file of the store as published with the authors' pages, and returns whether it is published. A build that keeps going leaves
  /// out a file that cannot be published.
  private func takes(_ file: String, _ written: inout WrittenThreads) -> Bool {
    if context.options.keepsGoing, let problem = media.problem(with: file) {
      if !written.leftOut.contains(where: { $0.messages == problem.messages }) {
        written.leftOut.append(problem)
      }
      return false
    }
    written.mediaFiles.insert(file)
    return true
  }
}
