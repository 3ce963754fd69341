import ArgumentParser
import Basics
import Foundation
import Intake
import NetworkSources
import SiteConfig
import SiteWorkspace
import ThreadModel

/// The result of the fetch before a build.
struct BuildPreparation {
  /// The reason why the inbox of webmentions could not be read, which determines the exit code of the build.
  var inboxFailure: PipelineError?
}

/// Runs a fetch and reports its results, for the commands that fetch.
struct FetchReport {
  let flags: FetchFlags
  var options: FetchOptions
  let console: Console
  /// Whether the fetch is part of another command, which writes the summary.
  var isPart = false
  /// The summary of a fetch without work.
  var textOfNothing = "Nothing to fetch."

  init(flags: FetchFlags, options: FetchOptions, console: Console) {
    self.flags = flags
    self.options = options
    self.options.maximumCost = flags.maximumCost
    self.console = console
  }

  /// - Parameters:
  ///   - members: the members of the JSON summary in addition to the fetch results.
  ///   - finish: called after the fetch and before the summary, with whether everything was fetched and stored. It returns the requested
  ///     posts that the store does not have.
  func run(
    _ folder: SiteFolder, naming members: [String: JSONValue] = [:],
    finish: (_ isComplete: Bool) throws -> [PostReference] = { _ in [] }
  ) async throws {
    guard var summary = try await fetch(folder) else { return }
    let isRefused = summary.stayRemoved > 0 || folder.leftOut.counter.threads > 0
    let missing = try finish(summary.failures.isEmpty && !isRefused)
    if summary.failures.isEmpty {
      summary.failures = missing.map { post in
        PipelineError(
          .content,
          [
            "\(post): error: this thread was not added, because it or its author was removed from the store, or leave_out in site.yml names its author"
          ])
      }
    }
    try report(summary, members)
    let failures = summary.failures + [summary.inboxFailure].compactMap(\.self)
    if let failure = PipelineError.worst(failures) { throw ExitCode(failure.kind.exitCode) }
  }

  /// Fetches, or prints the plan of the fetch.
  ///
  /// - Returns: `nil` after a dry run.
  private func fetch(_ folder: SiteFolder) async throws -> FetchSummary? {
    try await FetchServices.withLive(for: folder, version: Threadsite.version) { services in
      let fetch = SiteFetch(
        folder, options: options, services: services, jobs: Machine.cores, progress: console.progress)
      if flags.dryRun {
        try report(try await fetch.plan())
        return nil
      }
      guard case .only(_, let accounts) = options.scope, !accounts.isEmpty else {
        return try await Interruption.cancelling { try await fetch.run() }
      }
      return try await Interruption.cancelling {
        let limits = try await announce(folder, services)
        let fetch = SiteFetch(
          folder, options: limits, services: services, jobs: Machine.cores, progress: console.progress)
        return try await fetch.run()
      }
    }
  }

  /// Prints the requests for accounts and their cost, before any thread is fetched.
  ///
  /// - Returns: the options of the fetch, whose maximum cost is reduced by the cost of looking up the accounts.
  private func announce(_ folder: SiteFolder, _ services: FetchServices) async throws -> FetchOptions {
    // The fetch reports problems again.
    let survey = SiteFetch(
      folder, options: options, services: services, jobs: Machine.cores, progress: { _ in })
    let plan = try await survey.plan()
    for step in plan.steps {
      let least = step.requests.reduce(0) { $0 + $1.requests.lowerBound }
      let most = step.requests.reduce(0) { $0 + $1.requests.upperBound }
      let count = least == most ? Count.text(least, "request") : "\(least) to \(Count.text(most, "request"))"
      let costs = step.requests.compactMap(\.cost)
      let cost =
        costs.isEmpty
        ? "free of charge"
        : "about \(dollars(costs.reduce(0, +))), at most \(dollars(plan.maximumCost)) in one run"
      console.inform("\(step.name) on \(step.platform.displayName): \(count), \(cost).")
    }
    var limits = options
    let spent = plan.usage.values.reduce(Decimal(0)) { $0 + ($1.cost ?? 0) }
    if spent > 0 { limits.maximumCost = max(0, plan.maximumCost - spent) }
    return limits
  }

  /// The first step of a build.
  ///
  /// Without a token, nothing is fetched. The build reports the threads that the site then lacks, with the lines of site.yml.
  ///
  /// Without the inbox of webmentions, the site is built with the stored ones.
  ///
  /// - Returns: the preparation of the build; `nil` after a dry run, in which nothing is built.
  func runBeforeBuilding(_ folder: SiteFolder) async throws -> BuildPreparation? {
    guard let summary = try await fetch(folder) else { return nil }
    try reportThreads(summary)
    guard let failure = summary.inboxFailure else { return BuildPreparation() }
    if failure.kind == .interrupted { throw failure }
    // Like threads, webmentions are fetched only where the credential is.
    guard !failure.isMissingCredential else {
      console.progress(
        .note("There is no token for the inbox of webmentions, so the site has those in the store."))
      return BuildPreparation()
    }
    for message in failure.messages { console.error(message) }
    console.inform("The site is built with the webmentions in the store.")
    return BuildPreparation(inboxFailure: failure)
  }

  /// Reports the fetched threads before a build.
  ///
  /// - Throws: if the site cannot be built without the threads that were not fetched.
  private func reportThreads(_ summary: FetchSummary) throws {
    if summary.isEmpty || summary.failures.allSatisfy(\.isMissingCredential) && !summary.failures.isEmpty {
      return
    }
    for failure in summary.mediaFailures { console.progress(.warning("not copied: \(failure)")) }
    if let failure = PipelineError.worst(summary.failures), failure.kind == .content, options.keepsGoing {
      // Missing threads are reported by the build.
      for message in summary.failures.flatMap(\.messages) { console.error(message) }
      return
    }
    if let failure = PipelineError.worst(summary.failures) {
      // Without these threads, a build from the store also requires --keep-going.
      let command = failure.kind == .content ? "build --keep-going" : "build --offline --keep-going"
      throw PipelineError(
        failure.kind,
        [
          "error: nothing was built; fetched threads are kept. To build without the threads that could not be fetched, run `threadsite \(command)`."
        ] + summary.failures.flatMap(\.messages))
    }
    let text = text(of: summary)
    if !text.isEmpty { console.progress(.note(text)) }
  }

  private func report(_ summary: FetchSummary, _ members: [String: JSONValue]) throws {
    for failure in summary.mediaFailures { console.progress(.warning("not copied: \(failure)")) }
    for message in summary.failures.flatMap(\.messages) + (summary.inboxFailure?.messages ?? []) {
      console.error(message)
    }
    guard !isPart else { return console.inform(text(of: summary)) }
    try console.finish(text(of: summary), json: summary.json.merging(members) { own, _ in own })
  }

  private func text(of summary: FetchSummary) -> String {
    let replies = summary.webmentions.map {
      "\(Count.text($0.count, "webmention")) (\($0.added) new) in \(summary.store)"
    }
    if summary.isEmpty { return replies ?? textOfNothing }
    if summary.conversations == 0, summary.stayRemoved == 0, summary.requestCount == 0,
      summary.mediaFetched == 0
    {
      return replies ?? ""
    }
    var text =
      "\(Count.text(summary.conversations, "thread")) (\(summary.added) new, \(summary.updated) updated, "
      + "\(summary.unchanged) unchanged) in \(summary.store)"
    if summary.mediaFetched > 0 { text += "; \(Count.text(summary.mediaFetched, "media file")) copied" }
    for (platform, usage) in summary.usage.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text +=
        "\n\(Count.text(usage.requestCount, "request")) to \(platform.displayName): \(Self.words(usage)), in \(console.elapsed)."
    }
    if summary.postsGone > 0 {
      text += "\n\(Count.text(summary.postsGone, "post")) no longer available on the network."
    }
    if summary.stayRemoved > 0 { text += "\n" + Self.removed(summary.stayRemoved) }
    if summary.incomplete > 0 {
      text += "\n\(Count.text(summary.incomplete, "thread")) may be incomplete; the pages state the reason."
    }
    if !summary.mediaFailures.isEmpty {
      text += "\n\(Count.text(summary.mediaFailures.count, "media file")) could not be copied."
    }
    if let replies { text += "\n\(replies)." }
    return text
  }

  /// The message about threads that were not restored because their owner removed them.
  static func removed(_ count: Int) -> String {
    "\(Count.text(count, "thread")) skipped because \(count == 1 ? "it was" : "they were") removed earlier; restore with `threadsite remove --undo`."
  }

  /// Describes the posts and users that were read, and the cost.
  static func words(_ usage: SourceUsage) -> String {
    "\(Count.text(usage.posts, "post")) and \(Count.text(usage.users, "user")) read"
      + (usage.cost.map { ", about \(dollars($0))" } ?? "")
  }

  // MARK: Plans

  private func report(_ plan: FetchPlan) throws {
    var lines: [String] = []
    for step in plan.steps {
      lines.append("\(step.name):")
      lines += step.requests.map(Self.line)
      if step.requests.isEmpty { lines.append("  no requests") }
    }
    if let inbox = plan.inbox { lines.append("Webmentions from \(inbox).") }
    let total =
      plan.isFree
      ? "Free of charge."
      : "Estimated cost: \(dollars(plan.cost)); limit: \(dollars(plan.maximumCost))."
    let asked = plan.usage.sorted { $0.key.rawValue < $1.key.rawValue }.map { platform, usage in
      " The accounts were looked up on \(platform.displayName) (\(Self.words(usage)))."
    }
    lines.append(
      plan.steps.isEmpty && plan.inbox == nil
        ? "Nothing to fetch." : total + (asked.isEmpty ? " No request was sent." : asked.joined()))
    // A plan is the requested output and not a message about it.
    try console.data(lines.joined(separator: "\n"))
    try console.finish(
      "",
      json: [
        "cost": .number("\(plan.cost)"), "max_cost": .number("\(plan.maximumCost)"),
        "inbox": plan.inbox.map { .string($0) } ?? .null,
        "steps": .array(plan.steps.map(Self.json)),
      ])
  }

  private static func line(_ request: PlannedRequest) -> String {
    let (least, most) = (request.requests.lowerBound, request.requests.upperBound)
    let count = least == most ? Count.text(least, "request") : "\(least) to \(Count.text(most, "request"))"
    let cost = request.cost.map { ", about \(dollars($0))" } ?? ""
    return "  \(request.endpoint): \(request.what) (\(count)\(cost))"
  }

  private static func json(_ step: FetchPlan.Step) -> JSONValue {
    let requests = step.requests.map { request -> JSONValue in
      [
        "endpoint": .string(request.endpoint), "what": .string(request.what),
        "at_least": .integer(Int64(request.requests.lowerBound)),
        "at_most": .integer(Int64(request.requests.upperBound)), "posts": .integer(Int64(request.posts)),
        "users": .integer(Int64(request.users)), "cost": .number("\(request.cost ?? 0)"),
      ]
    }
    return [
      "network": .string(step.platform.rawValue), "name": .string(step.name), "requests": .array(requests),
    ]
  }
}

extension FetchSummary {
  /// The summary for machines.
  var json: [String: JSONValue] {
    let requests = usage.values.flatMap(\.requests).map { ($0.key, JSONValue.integer(Int64($0.value))) }
    func sum(_ number: (SourceUsage) -> Int) -> JSONValue {
      .integer(Int64(usage.values.reduce(0) { $0 + number($1) }))
    }
    let cost = usage.values.reduce(Decimal(0)) { $0 + ($1.cost ?? 0) }
    return [
      "added": .integer(Int64(added)), "updated": .integer(Int64(updated)),
      "unchanged": .integer(Int64(unchanged)), "stay_removed": .integer(Int64(stayRemoved)),
      "incomplete": .integer(Int64(incomplete)), "posts_gone": .integer(Int64(postsGone)),
      "media": .integer(Int64(mediaFetched)), "media_failures": .array(mediaFailures.map { .string($0) }),
      "requests": .object(Dictionary(requests, uniquingKeysWith: { first, _ in first })),
      "posts_read": sum(\.posts), "users_read": sum(\.users),
      "cost": .number("\(cost)"), "pages_from_earlier_run": sum(\.keptPages),
      "webmentions": webmentions.map { .integer(Int64($0.count)) } ?? .null,
      "failures": .array(
        (failures.flatMap(\.messages) + (inboxFailure?.messages ?? [])).map { .string($0) }),
      "store": .string(store),
    ]
  }
}
