import MediaMirror
import NetworkSources
import SiteConfig
import ThreadModel
import ThreadStore

extension NetworkFetch {
  /// Gets the followers of the authors of all the network's threads in the store, unless that was done lately.
  func fetchProfiles() async {
    let wanted = site.config.fetch.followers
    for author in authors() {
      guard !tally.isStopped(platform), !Task.isCancelled else { return }
      let session = client.session(named: "profile-\(author.value)")
      let fetched = await session.profile(of: author, followers: wanted)
      do {
        if let profile = fetched.profile {
          try await keeper.save(profile)
          if let mirror {
            let (copied, report) = await mirror.mirror(profile)
            tally.add(report)
            if copied != profile { try await keeper.save(copied) }
          }
        }
        if let failure = fetched.failure {
          tally.fail(
            PipelineError(failure), stops: failure.endsTheRun, only: failure.stopsAll ? nil : platform)
        } else {
          do { try session.finish() } catch { tally.fail(PipelineError(error), stops: false) }
        }
      } catch {
        tally.fail(error, stops: error.kind == .io)
      }
    }
  }

  /// Authors whose profile is missing or old, sorted.
  private func authors() -> [AuthorID] {
    // What cannot be read was reported when the store was looked through.
    let files = (try? store.list()) ?? []
    var authors: Set<AuthorID> = []
    for folder in Dictionary(grouping: files.filter { $0.platform == platform }, by: \.folder).values {
      // One author a folder, but for handles that changed hands: those get a folder of their own.
      if let file = folder.first, let conversation = try? store.read(file) {
        if conversation.author?.isGone != true { authors.insert(conversation.authorID) }
      }
    }
    return authors.sorted().filter { author in
      guard let known = try? store.profile(of: author), let seen = known.observedAt else { return true }
      return now.seconds - seen.seconds >= site.config.fetch.refresh.seconds
    }
  }
}
