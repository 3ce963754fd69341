import Basics
import MediaMirror
import SiteBuild
import SiteConfig
package import SiteWorkspace
import ThreadModel
import ThreadStore
import Unroll

/// `threadsite review`: reports, thread by thread, which information on the site its owner may not have intended for strangers, and how to
/// hide it.
package struct SiteReview: Sendable {
  /// Something for the owner to check.
  package struct Finding: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
      case email, phone
      /// An international bank account number.
      case account
      case card, coordinates
      /// A key of an online service.
      case token
      /// A picture or a video contains metadata about where or by whom it was made.
      case metadata
      /// The author's profile states a location.
      case location
      /// A text of an author whose posts are for approved followers only.
      case protected
      /// Other people's posts that the page shows.
      case others
      /// A post that is no longer on its network but still shown here.
      case gone
    }

    package let kind: Kind
    /// The path of the thread's file in the store.
    package let thread: String
    /// The post's URL or id; the file name for media; empty if the finding concerns the whole thread.
    package let subject: String
    package let message: String
    /// The command or the lines of site.yml that remove it from the site.
    package let remedy: String
  }

  private let site: SiteFolder
  private let installation: Installation?
  private let jobs: Int
  private let progress: ProgressHandler

  package init(
    _ site: SiteFolder, installation: Installation?, jobs: Int, progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.jobs = jobs
    self.progress = progress
  }

  /// The findings that a review reports.
  package struct Choice: Sendable {
    /// The wanted kinds; all kinds if it is empty.
    package var kinds: Set<Finding.Kind> = []
    /// Whether findings that were accepted earlier are also reported.
    package var includesAccepted = false

    package init() {}
  }

  /// The owner's decision about the reported findings.
  package enum Decision: Sendable {
    case report
    /// Later reviews do not report them.
    case accept
    /// Later reviews report them again.
    case undo
  }

  /// The result of a review.
  package struct Report: Sendable {
    /// By thread.
    package let findings: [Finding]
    /// The number of reviewed threads.
    package let threads: Int
    /// Errors of files that could not be read.
    package let problems: [String]
    /// The number of findings that are not reported because they were accepted earlier.
    package var reviewed = 0
    /// The number of findings that were added to the record of accepted findings, or removed from it.
    package var accepted = 0
  }

  /// Reviews threads like `findings(in:)`, and records what the owner decides about the findings.
  package func run(
    _ names: [String], _ choice: Choice, _ decision: Decision = .report
  ) throws(PipelineError) -> Report {
    var record = try ReviewedFindings(store: site.store)
    let all = try findings(in: names)
    let chosen = all.findings.filter { choice.kinds.isEmpty || choice.kinds.contains($0.kind) }
    let old = chosen.filter { record.contains($0) }
    var report = Report(
      findings: choice.includesAccepted || decision == .undo
        ? chosen : chosen.filter { !record.contains($0) },
      threads: all.threads, problems: all.problems)
    report.reviewed = choice.includesAccepted || decision == .undo ? 0 : old.count
    switch decision {
    case .report: return report
    case .accept: report.accepted = report.findings.count { record.accept($0) }
    case .undo: report.accepted = report.findings.count { record.forget($0) }
    }
    if report.accepted > 0 { try record.save(store: site.store) }
    return report
  }

  /// Reviews all threads of the site, including drafts, or the named ones.
  ///
  /// - Returns: the findings, by thread, and the number of reviewed threads.
  private func findings(in names: [String]) throws(PipelineError) -> (
    findings: [Finding], threads: Int, problems: [String]
  ) {
    let loader = SiteLoader(
      site, installation: installation, options: SiteBuild.Options(jobs: jobs), progress: progress)
    let store = site.threadStore
    let stored = try loader.listStore()
    let selection = try loader.threadSelection(loader.authorDirectory(loader.threadAuthors(stored)))
    let files =
      names.isEmpty ? stored : try ThreadFinder(site, in: store, jobs: jobs).findAll(names).map(\.file)
    struct Part: Sendable {
      var findings: [Finding] = []
      var threads = 0
      var problems: [String] = []
    }
    let counter = ProgressCounter("Reading threads", total: files.count, progress)
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: Part.init) { index, part in
      defer { counter.advance() }
      do throws(ThreadStoreError) {
        let conversation = try store.read(files[index])
        let answer = selection.settings(for: conversation)
        guard answer.sameAs == nil, let settings = answer.settings else { return }
        part.threads += 1
        part.findings += look(at: conversation, files[index], settings, store)
      } catch {
        part.problems.append(error.description)
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: Finding.Kind.allCases.enumerated().map { ($1, $0) })
    let all = parts.flatMap(\.findings).sorted { one, other in
      (one.thread, order[one.kind] ?? 0, one.subject, one.message)
        < (other.thread, order[other.kind] ?? 0, other.subject, other.message)
    }
    // An author's location is reported for their first thread only.
    var said: Set<String> = []
    let findings = all.filter { $0.kind != .location || said.insert($0.message).inserted }
    return (findings, parts.reduce(0) { $0 + $1.threads }, parts.flatMap(\.problems).sorted())
  }

  private func look(
    at conversation: Conversation, _ file: StoredFile, _ settings: ThreadSelection.Settings,
    _ store: ThreadStore
  ) -> [Finding] {
    let thread = UnrolledThread(
      unrolling: conversation, hidden: settings.hidden, withReplies: settings.showsReplies)
    var findings: [Finding] = []
    func add(_ kind: Finding.Kind, _ subject: String, _ message: String, _ remedy: String) {
      findings.append(
        Finding(kind: kind, thread: file.path, subject: subject, message: message, remedy: remedy))
    }
    let authors = Dictionary(
      conversation.authors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var shown: [Post] = []
    thread.forEachShownPost { shown.append($0) }
    let ids = Set(shown.map(\.id))
    let quoted = Set(shown.compactMap(\.quotes))
    shown += conversation.related.filter {
      quoted.contains($0.id) && !ids.contains($0.id) && !settings.hidden.contains($0.id)
    }
    var others = 0
    for post in shown {
      let handle = authors[post.authorID]?.handle
      let address = site.networks.url(of: post.id, handle: handle) ?? post.url ?? post.id.description
      let hide = "threadsite hide \(address) --in \(file.path)"
      if post.authorID != conversation.authorID { others += 1 }
      // Links, mentions and tags have the networks' forms.
      let words = post.text.segments.filter { $0.entity == nil }.map { String($0.text) }
      for text in post.texts(words) + [post.card?.title, post.card?.summary].compactMap(\.self) {
        for match in PersonalData.matches(in: text) {
          add(match.kind, address, "\(match.kind.words): \(match.masked)", hide)
        }
      }
      if authors[post.authorID]?.isProtected == true {
        add(
          .protected, address, "@\(handle ?? post.authorID.value) shows posts to approved followers only",
          hide)
      }
      if let removal = post.removal {
        add(
          .gone, address, "no longer on its network (\(removal.reason.rawValue)) but still on the site", hide)
      }
      for name in post.media.flatMap({ [$0.file, $0.posterFile].compactMap(\.self) + $0.sizes.map(\.file) })
      where StoredMedia.hasMetadata(name, in: store) {
        add(
          .metadata, name,
          "contains metadata about its place, author or camera, because it was imported before threadsite removed such data",
          "delete \(ThreadStore.mediaFolderName)/\(name) in the store and fetch or import the thread again, or: \(hide)"
        )
      }
    }
    if others > 0 {
      add(
        .others, "", "\(others) \(others == 1 ? "post" : "posts") by other people",
        "set replies: false in the thread's entry, or hide single posts with `threadsite hide`")
    }
    if let place = thread.author.location, !place.allSatisfy(\.isWhitespace) {
      add(
        .location, "",
        "@\(thread.author.handle ?? thread.author.id.value) has a location in the profile: \(place)",
        "the author's page shows it; change it on the network and fetch again")
    }
    return Set(findings).sorted { ($0.subject, $0.message) < ($1.subject, $1.message) }
  }
}

extension SiteReview.Finding.Kind {
  /// A phrase for data in a text; empty for other kinds.
  fileprivate var words: String {
    switch self {
    case .email: "an email address"
    case .phone: "a phone number"
    case .account: "a bank account number"
    case .card: "a possible card number"
    case .coordinates: "coordinates of a place"
    case .token: "a possible key or token"
    case .metadata, .location, .protected, .others, .gone: ""
    }
  }
}
