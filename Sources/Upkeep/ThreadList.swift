import Basics
import Foundation
package import SiteConfig
package import SiteWorkspace
import ThreadModel
import ThreadStore

/// Adds threads to the lists of site.yml, for `threadsite add`.
package struct ThreadList: Sendable {
  /// The result of adding a thread.
  package enum Outcome: Sendable, Equatable {
    /// The site already has the thread.
    case hasIt
    /// The lists that have a new entry.
    case added([ThreadListName])
    /// A list has a form that only its owner should edit. Other lists may have a new entry.
    case byHand(ThreadListName, entry: String, added: [ThreadListName] = [])
    /// The store has no thread with this post.
    case isNotStored
    /// An entry excludes the thread from the site.
    case excluded(by: String)
  }

  private let site: SiteFolder
  private let jobs: Int

  package init(_ site: SiteFolder, jobs: Int) {
    self.site = site
    self.jobs = jobs
  }

  /// Adds a stored thread to `sources`, if site.yml has such a list, so that it is kept up to date, and to `threads`, if the site has only
  /// the threads listed there.
  ///
  /// - Parameter onlyIfStored: whether a post that is not in the store is ignored.
  package func add(_ post: PostReference, onlyIfStored: Bool = false) throws(PipelineError) -> Outcome {
    guard let decoded = site.decoded else { return .hasIt }
    guard let answer = try current(post, onlyIfStored: onlyIfStored) else { return .isNotStored }
    // Another thread has the page of a thread that is listed under same_as.
    if answer.sameAs != nil { return .hasIt }
    if answer.settings == nil, !answer.isEmpty, let entry = answer.entries.first {
      return .excluded(by: decoded.problem(at: "threads[\(entry)]", "", severity: .warning).place)
    }
    var added: [ThreadListName] = []
    // The threads of a listed account are already kept up to date.
    if !site.config.sources.isEmpty, answer.sources.isEmpty {
      guard try add(post, to: .sources, of: decoded.file) else {
        return .byHand(.sources, entry: "- \(post)")
      }
      added.append(.sources)
    }
    if answer.settings == nil, !answer.isEmpty {
      guard !site.config.threads.isEmpty, try add(post, to: .threads, of: decoded.file) else {
        return .byHand(.threads, entry: "- \(post)", added: added)
      }
      added.append(.threads)
    }
    return added.isEmpty ? .hasIt : .added(added)
  }

  /// Adds an account that was fetched to `sources`, so that it is kept up to date.
  ///
  /// - Returns: `.isNotStored` if no fetch has found the account, which may be a typing error.
  package func add(_ account: AccountReference) throws(PipelineError) -> Outcome {
    if lists(account) { return .hasIt }
    let key = SourceState.Key(kind: .account, platform: account.platform, name: account.name)
    // An account that no request could reach has an entry without these.
    guard let state = try SourceState.load(store: site.store)[key],
      state.checkedAt != nil || state.progress != nil
    else { return .isNotStored }
    let addresses = site.networks.addresses
    let entry = "sources:\n      - account: \(addresses.url(of: account))"
    guard let file = site.decoded?.file else { return .byHand(.sources, entry: entry) }
    do {
      // The file may have changed since it was read.
      let now = try SiteConfig.decode(bytes: try FileBytes.read(file), file: file, addresses: addresses)
      guard let text = now.adding(account: account, addresses) else {
        return .byHand(.sources, entry: "- account: \(addresses.url(of: account))")
      }
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(text, to: file, keepsMode: true)
      return .added([.sources])
    } catch let error as SiteConfigError {
      throw PipelineError(.configuration, error)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Whether `sources` contains an account.
  package func lists(_ account: AccountReference) -> Bool {
    site.config.sources.contains { source in
      if case .account(let listed) = source { listed.account.isSameName(as: account) } else { false }
    }
  }

  /// Returns the post to which a text leads, such as a text shared from a phone (``SharedText``).
  ///
  /// - Parameters:
  ///   - file: the path of the text; ignored if `input` is given.
  ///   - input: the text, from standard input.
  package static func post(
    inText file: String, input: [UInt8]? = nil
  ) throws(PipelineError) -> PostReference {
    let place = input == nil ? file : "standard input"
    let bytes: [UInt8]
    do throws(FileError) {
      if let input {
        bytes = input
      } else {
        let path = FileSystem.withoutLinks(URL(filePath: file).standardizedFileURL.path)
        bytes = try FileBytes.read(path, atMost: SharedText.maximumBytes)
      }
    } catch {
      throw PipelineError(error, about: .io)
    }
    guard bytes.count <= SharedText.maximumBytes else {
      throw PipelineError(
        .content, ["\(place): error: this text is too long; use only the URL"])
    }
    do {
      return try SharedText(String(decoding: bytes, as: UTF8.self)).post(NetworkRegistry.all.addresses)
    } catch {
      throw PipelineError(.content, ["\(place): error: \(error)"])
    }
  }

  private func add(
    _ post: PostReference, to list: ThreadListName, of file: String
  ) throws(PipelineError) -> Bool {
    do {
      let bytes = try FileBytes.read(file)
      // The file may have changed since it was read, or since the last entry was added.
      let addresses = site.networks.addresses
      let now = try SiteConfig.decode(bytes: bytes, file: file, addresses: addresses)
      guard let text = now.adding(post.description, to: list, in: bytes, addresses) else { return false }
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(text, to: file, keepsMode: true)
      return true
    } catch let error as SiteConfigError {
      throw PipelineError(.configuration, error)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Returns the current result of site.yml for the thread.
  private func current(
    _ post: PostReference, onlyIfStored: Bool
  ) throws(PipelineError) -> ThreadSelection.Answer? {
    let store = site.threadStore
    let listed = try withStore { () throws(ThreadStoreError) in try store.list() }
    let selection = ThreadSelection(
      site.config, sourceState: try SourceState.load(store: site.store),
      authors: AuthorDirectory(ThreadAuthors(of: listed, in: store, jobs: jobs)), calendar: site.calendar)
    let survey = try StoreSurvey.of(
      store, posts: [post], jobs: jobs)
    guard let file = survey.files[post] else {
      if onlyIfStored { return nil }
      // The store has the thread under a different post, such as a later version, so only the URL itself can be compared.
      return selection.settings(for: post)
    }
    return try withStore { () throws(ThreadStoreError) in selection.settings(for: try store.read(file)) }
  }
}
