import ArgumentParser
import Basics
import Foundation
import SiteConfig
import SiteWorkspace
import ThreadModel
import ThreadStore
import Upkeep

/// `threadsite remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove threads from the store permanently.",
    discussion: """
      Removes the thread's file, its record in permalinks.json, its entries in site.yml, and its media unless other threads use them. The \
      thread's ids are recorded in threads/removed.json, so that no fetch or import adds the thread again. The removed files are \
      kept in .threadsite/removed/ until `--forget` deletes them; `--undo` restores them.

      The published site, version control and copies on other sites are not changed. Build and publish the site again.

      Examples:
        threadsite remove https://x.com/ada/status/1346889436626259968
        threadsite remove --undo --all
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var threads: [String] = []

  @Option(
    help: ArgumentHelp(
      "All current and future threads of an account: ada, @ada@social.example or a URL.",
      valueName: "account"), completion: SiteCompletions.authors)
  var author: String?

  @Flag(help: "Restore removed threads.")
  var undo = false

  @Flag(help: "With --undo: restore all removed threads.")
  var all = false

  @Flag(
    help: "Permanently delete the kept files of removed threads; without arguments, of all removed threads.")
  var forget = false

  @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
  var yes = false

  mutating func validate() throws {
    if undo, forget { throw ValidationError("--undo and --forget cannot be combined.") }
    if all, !undo {
      throw ValidationError("--all needs --undo; to remove all threads of an account, use --author.")
    }
    if all, !threads.isEmpty || author != nil {
      throw ValidationError("--all cannot be combined with threads or --author.")
    }
    if threads.isEmpty, author == nil, !forget, !all {
      throw ValidationError(
        undo ? "Give the threads to restore, or --all." : "Give threads, or an account with --author.")
    }
  }

  func run() throws {
    try messages.run(command: "remove") { console in
      let removal = ThreadRemoval(
        try site.open(console), jobs: Machine.cores,
        now: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
      if undo { return try undo(removal, console) }
      if forget { return try forget(removal, console) }
      try remove(removal, console)
    }
  }

  private func remove(_ removal: ThreadRemoval, _ console: Console) throws {
    var plan = try removal.plan(threads: threads, account: author)
    // If everything was removed before, a run that was interrupted is completed.
    if !yes, !plan.threads.isEmpty || !plan.accounts.isEmpty {
      try requireTerminal()
      let what = plan.threads.prefix(10).map {
        "  \($0.file)  \(Count.text($0.posts, "post"))  \($0.opening)"
      }
      let rest = plan.threads.count > 10 ? ["  and \(plan.threads.count - 10) more"] : []
      let question =
        (what + rest).joined(separator: "\n")
        + "\nRemove \(Count.text(plan.threads.count, "thread")) and \(Count.text(plan.media.count, "media file"))"
        + (plan.accounts.isEmpty
          ? "" : ", and all future threads of @\(plan.accountNames.joined(separator: ", @"))") + "?"
      guard Terminal.confirms(question) else {
        throw PipelineError(.interrupted, ["error: nothing was removed."])
      }
    }
    try removal.carryOut(plan)
    let named = plan.mentions.count
    plan.mentions = try removal.takeOutLines(plan)
    if plan.mentions.count < named {
      console.advice(
        "site.yml: removed the entries of the removed threads (\(Count.text(named - plan.mentions.count, "place")))."
      )
    }
    for mention in plan.mentions {
      console.progress(
        .warning("\(mention.place): warning: \(mention.what) refers to a removed thread; delete the line"))
    }
    for other in plan.others {
      let posts = other.posts.prefix(3).map { removal.site.networks.url(of: $0, handle: nil) ?? "\($0)" }
      console.progress(
        .warning(
          "\(other.file): warning: this remaining thread shows \(Count.text(other.posts.count, "post")) of the removed threads; hide them with"
            + " `threadsite hide \(posts.joined(separator: " "))\(other.posts.count > 3 ? " …" : "") --in \(other.file)`, or also remove this thread"
        ))
    }
    try finish(plan, console)
  }

  /// - Throws: a usage error if there is no terminal on which the user can confirm.
  private func requireTerminal() throws {
    guard !Terminal.canAsk else { return }
    throw ValidationError("The command asks before it removes anything, but there is no terminal; add --yes.")
  }

  private func finish(_ plan: ThreadRemoval.Plan, _ console: Console) throws {
    let earlier =
      plan.countOfEarlier == 0 ? "" : " \(Count.text(plan.countOfEarlier, "thread")) had been removed before."
    try console.finish(
      "\(Count.text(plan.threads.count, "thread")) and \(Count.text(plan.media.count, "media file")) removed; kept in "
        + "\(RemovedThreads.folder)/ until `threadsite remove --forget`.\(earlier)\nBuild and publish again. Version control, the published site and "
        + "copies on other sites still contain them.",
      json: [
        "threads": .array(plan.threads.map { .string($0.file) }),
        "media": .array(plan.media.map { .string($0) }),
        "accounts": .array(plan.accounts.sorted().map { .string($0.description) }),
        "site_yml": .array(plan.mentions.map { ["place": .string($0.place), "what": .string($0.what)] }),
        "others": .array(
          plan.others.map { other in
            ["file": .string(other.file), "posts": .array(other.posts.map { .string($0.description) })]
          }),
      ])
  }

  private func undo(_ removal: ThreadRemoval, _ console: Console) throws {
    let restored = try removal.undo(threads: threads, account: author, all: all)
    for name in restored.unknown { console.error("error: no removed thread matches \(name)") }
    if !restored.lines.isEmpty {
      console.progress(
        .warning(
          "site.yml: warning: the file was changed since the removal; add these lines yourself:\n"
            + restored.lines.joined(separator: "\n")))
    }
    var text =
      "\(Count.text(restored.files.count, "thread")) and \(Count.text(restored.media, "media file")) restored."
    if restored.onlyAllowed > 0 {
      text +=
        "\n\(Count.text(restored.onlyAllowed, "removal")) undone without kept files: fetch or import the threads again."
    }
    try console.finish(
      text,
      json: [
        "threads": .array(restored.files.map { .string($0) }), "media": .integer(Int64(restored.media)),
        "allowed": .integer(Int64(restored.onlyAllowed)),
      ])
    if !restored.unknown.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
  }

  private func forget(_ removal: ThreadRemoval, _ console: Console) throws {
    if !yes {
      try requireTerminal()
      guard Terminal.confirms("Permanently delete the kept files of removed threads?") else {
        throw PipelineError(.interrupted, ["error: nothing was deleted."])
      }
    }
    let forgotten = try removal.forget(threads: threads, account: author)
    for name in forgotten.unknown {
      console.error(
        "error: \(RemovedThreads.folder)/ has no files of \(quoted(name)); nothing was deleted for it")
    }
    try console.finish(
      "\(Count.text(forgotten.files.count, "removed thread")) permanently deleted.",
      json: ["threads": .array(forgotten.files.map { .string($0) })])
    if !forgotten.unknown.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
  }
}

/// Questions to the user at the terminal.
enum Terminal {
  /// Whether a user is there to answer.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Returns the answer to a question, without white space around it; `nil` if the input has ended.
  static func answer(_ question: String) -> String? {
    // If standard error is closed, the question cannot be shown.
    try? FileHandle.standardError.write(contentsOf: Data((Console.printable(question) + " ").utf8))
    return readLine()?.trimmingCharacters(in: .whitespaces)
  }

  /// Whether the answer to a question is yes. No answer means no.
  static func confirms(_ question: String) -> Bool {
    ["y", "yes"].contains(answer("\(question) [y/N]")?.lowercased() ?? "")
  }
}
