import Basics
package import SiteConfig
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// `threadsite hide`, `tag`, `title`, `alt`, `draft` and `exclude`: changes the settings of threads in the text of site.yml.
package struct ThreadEditing: Sendable {
  /// The result of a change.
  package struct Outcome: Sendable, Equatable {
    /// The path of the thread's file in the store.
    package let thread: String
    /// Whether the file already had the setting.
    package let isUnchanged: Bool
    /// Whether a new entry was added for the thread.
    package let isNewEntry: Bool
  }

  private let site: SiteFolder
  private let jobs: Int
  private let store: ThreadStore

  package init(_ site: SiteFolder, jobs: Int) {
    self.site = site
    self.jobs = jobs
    store = site.threadStore
  }

  /// Makes the same change for several threads, named as for `ThreadFinder`.
  package func change(_ names: [String], _ change: ThreadChange) throws(PipelineError) -> [Outcome] {
    let found = try ThreadFinder(site, in: store, jobs: jobs).findAll(names)
    return try found.map { thread throws(PipelineError) in try self.change(thread, change) }
  }

  /// Makes changes one after another.
  ///
  /// - Returns: one outcome for each thread.
  package func change(_ names: [String], _ changes: [ThreadChange]) throws(PipelineError) -> [Outcome] {
    let found = try ThreadFinder(site, in: store, jobs: jobs).findAll(names)
    return try found.map { thread throws(PipelineError) in
      var outcome = Outcome(thread: thread.file.path, isUnchanged: true, isNewEntry: false)
      for change in changes {
        let one = try self.change(thread, change)
        outcome = Outcome(
          thread: outcome.thread, isUnchanged: outcome.isUnchanged && one.isUnchanged,
          isNewEntry: outcome.isNewEntry || one.isNewEntry)
      }
      return outcome
    }
  }

  /// Removes tags that the owner added to a thread.
  ///
  /// - Throws: if the thread has no such tag, or has it only as a hashtag in its text.
  package func removeTags(_ tags: [String], of name: String) throws(PipelineError) -> [Outcome] {
    let found = try ThreadFinder(site, in: store, jobs: jobs).findAll([name])
    return try found.map { thread throws(PipelineError) in
      let entries = PostReferences(site.config.threads.map(\.url)).positions(of: thread.conversation)
      let own = entries.first.map { site.config.threads[$0].tags } ?? []
      let hashtags = ThreadTags.make(from: UnrolledThread(unrolling: thread.conversation))
      let problems = tags.compactMap { tag -> String? in
        func isMeant(_ other: String) -> Bool { other.lowercased() == tag.lowercased() }
        if own.contains(where: isMeant) { return nil }
        guard !hashtags.contains(where: isMeant) else {
          return
            "error: the tag \(quoted(tag)) of \(thread.file.path) is a hashtag in the thread's text; only tags in site.yml can be removed"
        }
        return
          "error: \(thread.file.path) has no tag \(quoted(tag))\(Suggestion.phrase(for: tag, among: own))"
      }
      guard problems.isEmpty else { throw PipelineError(.content, problems) }
      return try change(thread, .withoutTags(tags))
    }
  }

  /// Shows hidden posts again.
  ///
  /// - Parameter name: the thread, if known: several threads may hide the same post.
  package func show(_ posts: [PostReference], in name: String?) throws(PipelineError) -> [Outcome] {
    if let name {
      let found = try ThreadFinder(site, in: store, jobs: jobs).findAll([name])
      return try found.map { thread throws(PipelineError) in try change(thread, .show(posts)) }
    }
    var outcomes: [Outcome] = []
    var problems: [String] = []
    for (post, all) in try threads(containing: posts) {
      let hiding = all.filter { holder in
        PostReferences(site.config.threads.map(\.url)).positions(of: holder.thread.conversation).contains {
          site.config.threads[$0].hide.contains { $0.identity == post.identity }
        }
      }
      if all.isEmpty { problems.append("error: no thread in the store contains the post \(post)") }
      for holder in hiding.isEmpty ? Array(all.prefix(1)) : hiding {
        outcomes.append(try change(holder.thread, .show([post])))
      }
    }
    guard problems.isEmpty else { throw PipelineError(.content, problems) }
    return outcomes
  }

  /// Describes a picture in every thread that shows it.
  ///
  /// - Parameters:
  ///   - picture: the name or the path of the picture's file in the store, or the URL of its post.
  ///   - text: the description; `nil` removes the description from site.yml.
  package func describe(_ picture: String, as text: String?) throws(PipelineError) -> [Outcome] {
    let name = picture.split(atBytes: "/").last.map(String.init) ?? picture
    if picture.firstRange(of: "://") == nil, ThreadEntry.namesFile(name) {
      return try describe(file: name, as: text)
    }
    let post: PostReference
    do throws(InvalidValue) {
      post = try site.networks.addresses.post(picture)
    } catch {
      throw PipelineError(
        .content,
        ["error: \(error); use the file of a picture, such as threads/media/NAME.jpg, or the URL of its post"]
      )
    }
    guard let holder = try threads(containing: [post]).first?.threads.first else {
      throw PipelineError(.content, ["error: no thread in the store contains the post \(post)"])
    }
    if text != nil, !holder.photos.contains(where: \.lacksWords) {
      throw PipelineError(
        .content,
        [
          "error: the post \(post) has no picture without alt text\(holder.photos.isEmpty ? "" : "; its author has described its pictures")"
        ])
    }
    return [try change(holder.thread, .alt(picture: post.description, text))]
  }

  private func describe(file name: String, as text: String?) throws(PipelineError) -> [Outcome] {
    let files = try withStore { () throws(ThreadStoreError) in try store.list() }
    struct Found: Sendable {
      var threads: [(thread: ThreadFinder.Found, picture: Media)] = []
      var names: Set<String> = []
    }
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: { Found() }) { index, part in
      // An unreadable file is reported by a build.
      guard let conversation = try? store.read(files[index]) else { return }
      let pictures = (conversation.posts + conversation.related).flatMap(\.media)
      if let picture = pictures.first(where: { $0.file == name }) {
        part.threads.append((ThreadFinder.Found(file: files[index], conversation: conversation), picture))
      }
      part.names.formUnion(pictures.compactMap(\.file))
    }
    let found = parts.flatMap(\.threads).sorted { $0.thread.file < $1.thread.file }
    guard !found.isEmpty else {
      let known = parts.reduce(into: Set<String>()) { $0.formUnion($1.names) }
      throw PipelineError(
        .content,
        [
          "error: no thread in the store shows the picture \(quoted(name))\(Suggestion.phrase(for: name, among: known.sorted()))"
        ])
    }
    if text != nil, let described = found.first(where: { !$0.picture.lacksWords }) {
      throw PipelineError(
        .content,
        [
          "error: the author of \(described.thread.file.path) has described \(name): \(quoted(described.picture.altText ?? ""))"
        ])
    }
    return try found.map { thread, _ throws(PipelineError) in
      try change(thread, .alt(picture: name, text))
    }
  }

  /// Hides posts, each in the thread that contains it.
  ///
  /// - Parameter name: the thread, if known: a post may be in several threads, for example as a quote.
  package func hide(_ posts: [PostReference], in name: String?) throws(PipelineError) -> [Outcome] {
    var threads: [(thread: ThreadFinder.Found, posts: [PostReference])] = []
    if let name {
      let found = try ThreadFinder(site, in: store, jobs: jobs).findAll([name])
      threads = found.map { ($0, posts) }
    } else {
      for (post, found) in try holders(of: posts) {
        if let known = threads.firstIndex(where: { $0.thread.file == found.file }) {
          threads[known].posts.append(post)
        } else {
          threads.append((found, [post]))
        }
      }
    }
    return try threads.map { thread, posts throws(PipelineError) in
      try change(thread, .hide(posts.map(\.description)))
    }
  }

  /// A thread that contains a post.
  private struct Holder: Sendable {
    let position: Int
    /// Whether the post is by the author of the thread.
    let isOwn: Bool
    /// The post's photos.
    let photos: [Media]
    let thread: ThreadFinder.Found
  }

  /// Returns the threads that contain each post, in the order of their files, those by the post's author first.
  private func threads(
    containing posts: [PostReference]
  ) throws(PipelineError) -> [(post: PostReference, threads: [Holder])] {
    let files = try withStore { () throws(ThreadStoreError) in try store.list() }
    let references = PostReferences(posts)
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: { [Holder]() }) { index, part in
      // An unreadable file is reported by a build.
      guard let conversation = try? store.read(files[index]) else { return }
      let found = ThreadFinder.Found(file: files[index], conversation: conversation)
      for post in conversation.posts + conversation.related {
        let author = conversation.authors.first { $0.id == post.authorID }
        guard let position = references.position(of: post.id, called: post.urlID, by: author) else {
          continue
        }
        let isOwn = post.authorID == conversation.authorID && conversation.posts.contains { $0.id == post.id }
        part.append(
          Holder(
            position: position, isOwn: isOwn, photos: post.media.filter { $0.kind == .photo }, thread: found))
      }
    }
    let found = parts.joined().sorted {
      $0.isOwn == $1.isOwn ? $0.thread.file < $1.thread.file : $0.isOwn
    }
    return posts.enumerated().map { position, post in (post, found.filter { $0.position == position }) }
  }

  /// Returns the thread that contains each post; if there are several, the one by the post's author.
  private func holders(
    of posts: [PostReference]
  ) throws(PipelineError) -> [(post: PostReference, thread: ThreadFinder.Found)] {
    var result: [(post: PostReference, thread: ThreadFinder.Found)] = []
    var problems: [String] = []
    for (post, all) in try threads(containing: posts) {
      let own = all.filter(\.isOwn)
      let chosen = own.isEmpty ? all : own
      if chosen.count == 1 {
        result.append((post, chosen[0].thread))
      } else if chosen.isEmpty {
        problems.append("error: no thread in the store contains the post \(post)")
      } else {
        let names = chosen.map { $0.thread.file.path }.joined(separator: ", ")
        problems.append("error: several threads contain the post \(post); choose one with --in: \(names)")
      }
    }
    guard problems.isEmpty else { throw PipelineError(.content, problems) }
    return result
  }

  private func change(
    _ thread: ThreadFinder.Found, _ change: ThreadChange
  ) throws(PipelineError) -> Outcome {
    let address = try address(of: thread)
    let mistakes = change.problems(address: address, site.networks.addresses)
    guard mistakes.isEmpty else { throw PipelineError(.configuration, mistakes.map { "error: \($0)" }) }
    guard let decoded = site.decoded else {
      throw PipelineError(
        .configuration,
        [
          "error: this site has no site.yml to edit. Create one:\ntitle: \(site.config.title)\nthreads:\n  - url: \(address)\n"
            + change.lines.map { "    " + $0 }.joined(separator: "\n")
        ])
    }
    do {
      // The previous change may have changed the file since it was read.
      let bytes = try FileBytes.read(decoded.file)
      let addresses = site.networks.addresses
      let now = try SiteConfig.decode(bytes: bytes, file: decoded.file, addresses: addresses)
      let entry = PostReferences(now.config.threads.map(\.url)).positions(of: thread.conversation).first
      if entry == nil,
        let same = PostReferences(now.config.threads.flatMap(\.sameAs)).positions(of: thread.conversation)
          .first
      {
        throw PipelineError(
          .configuration,
          [
            "\(decoded.file): error: \(thread.file.path) is listed under same_as (\(now.config.threads.flatMap(\.sameAs)[same])), so"
              + " another thread has the page: edit that one instead"
          ])
      }
      if change.removes, entry == nil {
        return Outcome(thread: thread.file.path, isUnchanged: true, isNewEntry: false)
      }
      var change = change
      if case .hide(let posts) = change, let entry {
        let hidden = Set(now.config.threads[entry].hide.map(\.identity))
        change = .hide(
          posts.filter { post in
            // An invalid URL is refused below.
            guard let reference = try? addresses.post(post, besides: now.config.threads[entry].url) else {
              return true
            }
            return !hidden.contains(reference.identity)
          })
        if change == .hide([]) {
          return Outcome(thread: thread.file.path, isUnchanged: true, isNewEntry: false)
        }
      }
      guard let text = now.changing(entry: entry, address: address, change, addresses) else {
        let place =
          entry.map { now.problem(at: "threads[\($0)]", "", severity: .error).place } ?? decoded.file
        throw PipelineError(
          .configuration,
          [
            "\(place): error: this file cannot be edited automatically, so nothing was changed. "
              + (change.removal.map { "Remove \($0)" }
                ?? (entry == nil ? "Add" : "Add to this entry") + ":\n"
                  + now.linesByHand(entry: entry, address: address, change))
          ])
      }
      guard text != bytes else {
        return Outcome(thread: thread.file.path, isUnchanged: true, isNewEntry: false)
      }
      AtomicFile.removeAbandoned(in: site.path)
      try AtomicFile.write(text, to: decoded.file, keepsMode: true)
      return Outcome(thread: thread.file.path, isUnchanged: false, isNewEntry: entry == nil)
    } catch let error as PipelineError {
      throw error
    } catch let error as SiteConfigError {
      throw PipelineError(.configuration, error)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Returns the URL for a new entry: that of the author's first post.
  private func address(of thread: ThreadFinder.Found) throws(PipelineError) -> String {
    let conversation = thread.conversation
    let own = conversation.posts.filter { $0.authorID == conversation.authorID }
    let first =
      own.first { $0.id == conversation.id }
      ?? own.min { ($0.createdAt?.milliseconds ?? .max, $0.id) < ($1.createdAt?.milliseconds ?? .max, $1.id) }
    let addresses = site.networks.addresses
    let written = first.flatMap { site.networks.writtenURL(of: $0.id, handle: conversation.author?.handle) }
    for address in [written, first?.url].compactMap(\.self) {
      // A URL is usable only if it leads back to the post.
      if let post = try? addresses.post(address), PostReferences([post]).positions(of: conversation) == [0] {
        return address
      }
    }
    throw PipelineError(
      .content,
      [
        "\(store.path(thread.file)): error: none of its author's posts has a URL for site.yml"
      ])
  }
}

extension Media {
  /// Whether nobody has described the picture.
  fileprivate var lacksWords: Bool { (altText ?? "").allSatisfy(\.isWhitespace) }
}
