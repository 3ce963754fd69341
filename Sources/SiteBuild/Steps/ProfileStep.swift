import Basics
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// The profiles that authors' pages show.
struct AuthorProfiles: Sendable {
  /// By the paths of the pages.
  var pages: [SitePath: AuthorProfile] = [:]
  var media = PageMedia()
  /// Errors in profiles and their pictures that a build which keeps going leaves out.
  var leftOut: [PipelineError] = []
}

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

  /// Creates the profiles of all authors.
  ///
  /// - Parameter authors: the authors by their pages.
  func run(_ authors: [SitePath: AuthorID]) throws(PipelineError) -> AuthorProfiles {
    var made = AuthorProfiles()
    for (path, id) in authors.sorted(by: { $0.key.text < $1.key.text }) {
      var stored: Profile?
      do {
        stored = try context.site.threadStore.profile(of: id)
      } catch {
        // Without the stored profile, the facts about the author in the threads are still shown.
        guard context.options.keepsGoing else { throw PipelineError(error).ofOneThread }
        made.leftOut.append(PipelineError(error))
      }
      var profile = profile(
        of: directory[id]?.author ?? Author(id: id), stored, at: path, &made)
      if directory[id]?.isHiddenFromSearch == true { profile.author.isHiddenFromSearch = true }
      profile.accounts = (directory[id]?.others ?? []).compactMap { other in
        directory[other].map { AuthorSummary($0.author, path: path) }
      }
      made.media.hosts.formUnion(profile.mediaHosts)
      made.pages[path] = profile
    }
    return made
  }

  private func profile(
    of known: Author, _ stored: Profile?, at path: SitePath, _ made: inout AuthorProfiles
  ) -> AuthorProfile {
    var author = known
    if let stored {
      var other = stored.author
      other.observedAt = other.observedAt ?? stored.observedAt
      // Each field comes from the later of the two. A profile contains more fields than the author of a thread.
      author = known.merged(with: other)
    }
    var profile = AuthorProfile(author: AuthorSummary(author, path: path))
    profile.author.emoji = pictures(of: author, in: author.markedName, &made)
    profile.bioEmoji = pictures(of: author, in: author.bio, &made)
    profile.avatar = picture(of: author, &made)
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
        avatar: picture(of: follower, &made))
      shown.emoji = pictures(of: follower, in: follower.markedName, &made)
      return shown
    }
    return profile
  }

  /// Returns the store's copy of an avatar or, if the site links to media on other hosts, the avatar's original URL.
  private func picture(of author: Author, _ made: inout AuthorProfiles) -> SummaryImage? {
    guard theme.showsAvatars, mediaMode != .none else { return nil }
    if let file = author.avatarFile, MediaFileName.isPlain(file) {
      return takes(file, &made) ? .stored(ThreadWorker.mediaPath(file)) : nil
    }
    return mediaMode == .link ? author.avatarURL.flatMap(SummaryImage.init(loadedFrom:)) : nil
  }

  /// Returns the pictures of the emoji in an author's name or bio.
  private func pictures(
    of author: Author, in text: InlineText?, _ made: inout AuthorProfiles
  ) -> [String: SummaryImage] {
    guard theme.showsEmoji else { return [:] }
    var left: Set<SitePath> = []
    let pictures = author.emojiPictures(mediaMode, in: text) { file in
      if !takes(file, &made) { left.insert(ThreadWorker.mediaPath(file)) }
    }
    return pictures.filter { if case .stored(let path) = $0.value { !left.contains(path) } else { true } }
  }

  /// Records a file of the store as published with the authors' pages, and returns whether it is published. A build that keeps going leaves
  /// out a file that cannot be published.
  private func takes(_ file: String, _ made: inout AuthorProfiles) -> Bool {
    if context.options.keepsGoing, let problem = media.problem(with: file) {
      if !made.leftOut.contains(where: { $0.messages == problem.messages }) {
        made.leftOut.append(problem)
      }
      return false
    }
    made.media.files.insert(file)
    return true
  }
}
