package import Foundation
package import NetworkSources
import SiteConfig
package import ThreadModel
import ThreadStore

/// What a fetch would ask, and about what that would cost: for those who look before they pay.
package struct FetchPlan: Sendable {
  package struct Step: Sendable {
    package let platform: Platform
    /// The thread or collection, as messages name it.
    package let name: String
    package let requests: [PlannedRequest]
  }

  package var steps: [Step] = []
  package var maximumCost: Decimal

  /// Whether no network asks money for it.
  package var isFree: Bool { steps.flatMap(\.requests).allSatisfy { $0.cost == nil } }
  package var cost: Decimal { steps.flatMap(\.requests).reduce(0) { $0 + ($1.cost ?? 0) } }
}

extension SiteFetch {
  /// The plan of this fetch; nobody is asked for it, and no credential is needed.
  package func plan() throws(PipelineError) -> FetchPlan {
    let store = ThreadStore(folder: site.store)
    let ledger = try SourceLedger.load(store: site.store)
    let work = try survey(store, ledger: ledger)
    let run = sourceRun()
    var plan = FetchPlan(maximumCost: run.maximumCost)
    for network in site.networks.fetchable {
      let part = work.part(of: network.platform)
      guard part.asksNetworks else { continue }
      plan.steps += steps(network.planner(for: run), part, store).map { name, requests in
        FetchPlan.Step(platform: network.platform, name: name, requests: requests)
      }
    }
    return plan
  }

  private func steps(
    _ planner: any SourcePlanner, _ work: FetchWork, _ store: ThreadStore
  ) -> [(String, [PlannedRequest])] {
    var steps = work.tasks.map { ($0.name, requests(of: $0, planner, work, store)) }
    if !work.due.isEmpty {
      let conversations = work.due.compactMap { try? store.read($0) }  // see `survey`
      steps.append(
        (
          "\(conversations.count) threads that were last looked at too long ago",
          planner.plan(recheck: conversations)
        ))
    }
    if !work.open.isEmpty {
      let requests = work.open.compactMap { try? store.read($0) }.flatMap { conversation in
        planner.plan(thread: ThreadRequest(nil, postID: conversation.id, known: conversation))
      }
      steps.append(
        ("\(work.open.count) threads that may have grown, or were not read to their end", requests))
    }
    if site.config.fetch.followers > 0 {
      // Authors of the store and those that are new; how many of them were asked about lately is not looked up.
      let authors = Set(work.conversations.isEmpty ? [] : (try? store.list())?.map(\.folder) ?? [])
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
    of task: FetchTask, _ planner: any SourcePlanner, _ work: FetchWork, _ store: ThreadStore
  ) -> [PlannedRequest] {
    switch task.source {
    case .thread(let post):
      let known = work.known[post].flatMap { try? store.read($0) }  // see `survey`
      return planner.plan(
        thread: ThreadRequest(
          post, postID: post.postID ?? known?.id, known: known, wantsReplies: task.wantsReplies))
    case .account(let account):
      let progress = task.key.flatMap { work.ledger[$0]?.progress }
      return planner.plan(account: AccountRequest(account, in: site, progress: progress))
    case .search(let search): return planner.plan(search: search.query, limit: search.limit)
    case .archive: return []
    }
  }
}
