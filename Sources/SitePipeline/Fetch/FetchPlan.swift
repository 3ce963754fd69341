package import Foundation
import SiteConfig
import ThreadModel
import ThreadStore
package import XNetwork

/// What a fetch would ask, and about what that would cost: for those who look before they pay.
package struct FetchPlan: Sendable {
  package struct Step: Sendable {
    /// The thread or collection, as messages name it.
    package let name: String
    package let requests: [XPlan.Step]
  }

  package var steps: [Step] = []
  package var maximumCost: Decimal

  package var cost: Decimal { steps.flatMap(\.requests).reduce(0) { $0 + $1.cost } }
}

extension SiteFetch {
  /// The plan of this fetch; nobody is asked for it, and no credential is needed.
  package func plan() throws(PipelineError) -> FetchPlan {
    let store = ThreadStore(folder: site.store)
    let ledger = try SourceLedger.load(store: site.store)
    let work = try survey(store, ledger: ledger)
    var plan = FetchPlan(maximumCost: options.maximumCost ?? site.config.x.maxCost)
    let planner = XPlanner(
      now: services.now(),
      lacksFullSearch: XMemory(file: xMemoryFile).fullArchiveClosedUntil(at: services.now()) != nil,
      limits: { [site] in XThreadLimits($0, in: site) })
    for task in work.tasks where task.platform == .x {
      let known = task.post.flatMap { work.known[$0] }.flatMap { try? store.read($0) }  // see `survey`
      plan.steps.append(
        FetchPlan.Step(
          name: task.name,
          requests: planner.requests(
            of: task, known: known, progress: task.key.flatMap { ledger[$0]?.timeline })))
    }
    if !work.due.isEmpty {
      let conversations = work.due.compactMap { try? store.read($0) }  // see `survey`
      plan.steps.append(
        FetchPlan.Step(
          name: "\(conversations.count) threads that were last looked at too long ago",
          requests: planner.requests(lookingAgainAt: conversations)))
    }
    if !work.open.isEmpty {
      let requests = work.open.compactMap { try? store.read($0) }.flatMap(
        planner.requests(lookingForGrowthOf:))
      plan.steps.append(
        FetchPlan.Step(
          name: "\(work.open.count) threads that may have grown, or were not read to their end",
          requests: requests))
    }
    if site.config.fetch.followers > 0, work.asksX {
      // Authors of the store and those that are new; how many of them were asked about lately is not looked up.
      let authors = Set(work.conversations.isEmpty ? [] : (try? store.list())?.map(\.folder) ?? [])
      plan.steps.append(
        FetchPlan.Step(
          name: "followers",
          requests: planner.requests(
            followers: site.config.fetch.followers, of: max(authors.count, work.tasks.isEmpty ? 0 : 1))))
    }
    return plan
  }
}
