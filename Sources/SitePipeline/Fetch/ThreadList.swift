import Basics
import Foundation
package import SiteConfig
import ThreadModel
import ThreadStore

/// The lists of site.yml that `threadsite add` adds to.
package struct ThreadList: Sendable {
  /// What became of the list.
  package enum Outcome: Sendable, Equatable {
    /// The site has the thread without a change.
    case hasIt
    /// Lists that have a new entry.
    case added([ThreadListName])
    /// A list is written in a way that only its owner should touch.
    case byHand(ThreadListName, entry: String)
    /// The store has no thread with this post.
    case isNotStored
    /// An entry leaves the thread out of the site.
    case excluded(by: String)
  }

  private let site: SiteFolder
  private let jobs: Int

  package init(_ site: SiteFolder, jobs: Int) {
    self.site = site
    self.jobs = jobs
  }

  /// Adds a thread that is in the store to `sources`, where site.yml has such a list, so that it is kept up to date, and to `threads`,
  /// where the site has only what is listed there.
  ///
  /// - Parameter onlyIfStored: whether a post that the store does not have is left alone.
  package func add(_ post: PostReference, onlyIfStored: Bool = false) throws(PipelineError) -> Outcome {
    guard let decoded = site.decoded else { return .hasIt }
    guard let answer = try current(post, onlyIfStored: onlyIfStored) else { return .isNotStored }
    if answer.settings == nil, let entry = answer.entries.first {
      return .excluded(by: decoded.problem(at: "threads[\(entry)]", "", severity: .warning).place)
    }
    var added: [ThreadListName] = []
    // An account's threads are kept up to date with it.
    if !site.config.sources.isEmpty, answer.sources.isEmpty {
      guard try add(post, to: .sources, of: decoded.file) else {
        return .byHand(.sources, entry: "- \(post)")
      }
      added.append(.sources)
    }
    if answer.settings == nil {
      guard !site.config.threads.isEmpty, try add(post, to: .threads, of: decoded.file) else {
        return .byHand(.threads, entry: "- \(post)")
      }
      added.append(.threads)
    }
    return added.isEmpty ? .hasIt : .added(added)
  }

  /// The post that a text leads to, such as one that was shared from a phone (``SharedText``).
  ///
  /// - Parameters:
  ///   - file: where the text is; with `input`, it came by standard input.
  ///   - input: the text.
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
        .content, ["\(place): error: this is longer than what people share; give the address itself"])
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

  /// What site.yml says of the thread now.
  private func current(
    _ post: PostReference, onlyIfStored: Bool
  ) throws(PipelineError) -> ThreadSelection.Answer? {
    let store = site.threadStore
    let listed: [StoredFile]
    do {
      listed = try store.list()
    } catch {
      throw PipelineError(error)
    }
    let selection = ThreadSelection(
      site.config, sourceState: try SourceState.load(store: site.store),
      authors: AuthorDirectory(ThreadAuthors(of: listed, in: store, jobs: jobs)), calendar: site.calendar)
    let survey = try StoreSurvey.of(
      store, posts: [post], jobs: jobs)
    guard let file = survey.files[post] else {
      if onlyIfStored { return nil }
      // The store has the thread under another post, such as a later version: the address itself is all to go by.
      var answer = ThreadSelection.Answer()
      if site.config.include == .all { answer.settings = ThreadSelection.Settings() }
      answer.entries = selection.entry(of: post).map { [$0] } ?? []
      answer.sources = selection.source(of: post).map { [$0] } ?? []
      return answer
    }
    do {
      return selection.settings(for: try store.read(file))
    } catch {
      throw PipelineError(error)
    }
  }
}
