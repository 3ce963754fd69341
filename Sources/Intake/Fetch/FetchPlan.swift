package import Foundation
package import NetworkSources
import SiteConfig
package import SiteWorkspace
package import ThreadModel
import ThreadStore

/// The requests that a fetch would make, and their approximate cost, for a dry run.
package struct FetchPlan: Sendable {
  package struct Step: Sendable {
    package let platform: Platform
    /// The name of the thread or collection in messages.
    package let name: String
    package let requests: [PlannedRequest]
  }

  package var steps: [Step] = []
  package var maximumCost: Decimal
  /// The host or the file with the inbox of webmentions, if the fetch reads it. Reading it costs nothing.
  package var inbox: String?
  /// The usage by the plan itself, because it looks up accounts whose threads were never fetched.
  package var usage: [Platform: SourceUsage] = [:]

  /// Whether none of the requests costs money.
  package var isFree: Bool { steps.flatMap(\.requests).allSatisfy { $0.cost == nil } }
  package var cost: Decimal { steps.flatMap(\.requests).reduce(0) { $0 + ($1.cost ?? 0) } }
}

extension SiteFetch {
  /// Returns the plan of this fetch.
  ///
  /// A credential is not required. With a credential, accounts that were never read are looked up, because their number of posts is
  /// otherwise unknown.
  package func plan() async throws(PipelineError) -> FetchPlan {
    let store = site.threadStore
    let sourceState = try SourceState.load(store: site.store)
    let work = try survey(store, sourceState: sourceState)
    let run = sourceRun()
    var plan = FetchPlan(maximumCost: run.maximumCost)
    if readsInbox {
      switch site.config.webmention.inbox {
      case .api(let url): plan.inbox = url.server?.authority
      case .file(let path): plan.inbox = path
      case nil: break
      }
    }
    for network in site.networks.fetchable {
      let part = work.part(of: network.platform)
      guard part.asksNetworks else { continue }
      let (authors, usage) = await authors(of: part.tasks, sourceState, network, run)
      if usage.requestCount > 0 { plan.usage[network.platform] = usage }
      let steps = steps(on: network.platform, network.planner(for: run), part, authors, store)
      plan.steps += steps.map { name, requests in
        FetchPlan.Step(platform: network.platform, name: name, requests: requests)
      }
    }
    return plan
  }

  /// Looks up the accounts that were never read, as far as the network responds.
  private func authors(
    of tasks: [FetchTask], _ sourceState: SourceState, _ network: any NetworkSource, _ run: SourceRun
  ) async -> ([AccountReference: Author], SourceUsage) {
    let unknown = tasks.compactMap { task -> AccountReference? in
      guard case .account(let account) = task.source, task.key.flatMap({ sourceState[$0] })?.progress == nil
      else { return nil }
      return account.account
    }
    // Users without a credential also want to know the cost.
    guard !unknown.isEmpty, let client = try? network.client(for: run) else { return ([:], SourceUsage()) }
    var authors: [AccountReference: Author] = [:]
    for account in unknown {
      let session = client.session(named: "plan-\(account.name)")
      let fetched = await session.profile(of: account)
      authors[account] = fetched.profile?.author
      if let failure = fetched.failure { progress(.warning("\(account): \(failure.message)")) }
      // The fetch itself requests this again, which costs a cent.
      try? session.finish()
    }
    return (authors, client.usage)
  }

  private func steps(
    on platform: Platform, _ planner: any SourcePlanner, _ work: FetchWork,
    _ authors: [AccountReference: Author], _ store: ThreadStore
  ) -> [(String, [PlannedRequest])] {
    var steps = work.tasks.map { ($0.name, requests(of: $0, planner, work, authors, store)) }
    if !work.due.isEmpty {
      let conversations = work.due.compactMap { try? store.read($0) }  // see `survey`
      steps.append(
        (
          "\(conversations.count) threads whose last check is too old",
          planner.plan(recheck: conversations)
        ))
    }
    if !work.open.isEmpty {
      let requests = work.open.compactMap { try? store.read($0) }.flatMap { conversation in
        planner.plan(thread: ThreadRequest(nil, postID: conversation.id, known: conversation))
      }
      steps.append(
        ("\(work.open.count) threads that may have new posts or are incomplete", requests))
    }
    if site.config.fetch.followers > 0 {
      // The network's authors in the store, and new ones. Recent requests for them are not taken into account.
      let files = work.conversations.isEmpty ? [] : (try? store.list()) ?? []  // see `survey`
      let authors = Set(files.lazy.filter { $0.platform == platform }.map(\.folder))
      steps.append(
        (
          "followers",
          planner.plan(
            followers: site.config.fetch.followers, of: max(authors.count, work.tasks.isEmpty ? 0 : 1))
        ))
    }
    return steps
  }

  private func requests(
    of task: FetchTask, _ planner: any SourcePlanner, _ work: FetchWork,
    _ authors: [AccountReference: Author], _ store: ThreadStore
  ) -> [PlannedRequest] {
    switch task.source {
    case .thread(let post):
      let known = work.known[post].flatMap { try? store.read($0) }  // see `survey`
      return planner.plan(
        thread: ThreadRequest(
          post, postID: post.postID ?? known?.id, known: known, wantsReplies: task.wantsReplies))
    case .account(let account):
      let progress = task.key.flatMap { work.sourceState[$0]?.progress }
      var request = AccountRequest(account, in: site, progress: progress)
      request.author = authors[account.account]
      return planner.plan(account: request)
    case .search(let search): return planner.plan(search: search.query, limit: search.limit)
    case .archive: return []
    }
  }
}
