import ArgumentParser
import Basics
import Foundation
import SiteWorkspace
import ThreadModel
import ThreadStore
import Upkeep

/// `threadsite remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take threads out of the store, so that nothing brings them back.",
    discussion: """
      The thread's file leaves the store, with the media that nothing else shows and the record of its address. \
      threads/removed.json remembers it by its ids, so that no fetch, import or archive brings it back. Lines of site.yml that name it \
      go, too. What was removed is kept \
      in .threadsite/removed/ until --forget deletes it or --undo brings it back.

      What is published, what version control remembers, and what others copied is not touched: build and publish again.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String] = []

  @Option(
    help: ArgumentHelp(
      "All threads of an account, now and in the future: ada, @ada@social.example, or an address.",
      valueName: "account"))
  var author: String?

  @Flag(help: "Bring back what was removed.")
  var undo = false

  @Flag(help: "With --undo: all of it.")
  var all = false

  @Flag(help: "Delete for good what is kept of removed threads: of all of them, if none is named.")
  var forget = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  mutating func validate() throws {
    if undo, forget { throw ValidationError("--undo and --forget contradict each other.") }
    if all, !undo {
      throw ValidationError("--all is for --undo; to remove an account's threads, use --author.")
    }
    if all, !threads.isEmpty || author != nil {
      throw ValidationError("--all is everything; name nothing beside it.")
    }
    if threads.isEmpty, author == nil, !forget, !all {
      throw ValidationError(
        undo ? "Name what is to come back, or --all of it." : "Name threads, or an account (--author).")
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
    for problem in plan.problems { console.error(problem) }
    guard !plan.threads.isEmpty || !plan.accounts.isEmpty else { return try finish(plan, console) }
    if !yes, Terminal.canAsk {
      let what = plan.threads.prefix(10).map {
        "  \($0.file)  \(Count.text($0.posts, "post"))  \($0.opening)"
      }
      let rest = plan.threads.count > 10 ? ["  and \(plan.threads.count - 10) more"] : []
      let question =
        (what + rest).joined(separator: "\n")
        + "\nRemove \(Count.text(plan.threads.count, "thread")) and \(Count.text(plan.media.count, "media file"))"
        + (plan.accounts.isEmpty
          ? "" : ", and whatever comes of @\(plan.accountNames.joined(separator: ", @"))") + "?"
      guard Terminal.confirms(question) else {
        throw PipelineError(.interrupted, ["error: nothing was removed."])
      }
    }
    try removal.carryOut(plan)
    let named = plan.mentions.count
    plan.mentions = try removal.takeOutLines(plan)
    if plan.mentions.count < named {
      console.advice(
        "site.yml: what named the removed threads went, too (\(Count.text(named - plan.mentions.count, "place")))."
      )
    }
    for mention in plan.mentions {
      console.progress(
        .warning("\(mention.place): warning: \(mention.what) names what was removed; take the line out"))
    }
    for other in plan.others {
      let posts = other.posts.prefix(3).map { $0.address(handle: nil) ?? "\($0)" }
      console.progress(
        .warning(
          "\(other.file): warning: this thread, which stays, shows \(Count.text(other.posts.count, "post")) of what was removed:"
            + " `threadsite hide \(posts.joined(separator: " "))\(other.posts.count > 3 ? " …" : "") --in \(other.file)`, or remove it, too"
        ))
    }
    try finish(plan, console)
  }

  private func finish(_ plan: ThreadRemoval.Plan, _ console: Console) throws {
    try console.finish(
      "\(Count.text(plan.threads.count, "thread")) and \(Count.text(plan.media.count, "media file")) removed, and kept in "
        + "\(RemovedThreads.folder)/ until `threadsite remove --forget`.\nBuild and publish again; version control, what is published and "
        + "others' copies still have them.",
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
    if !plan.problems.isEmpty { throw ExitCode(PipelineError.Kind.content.exitCode) }
  }

  private func undo(_ removal: ThreadRemoval, _ console: Console) throws {
    let restored = try removal.undo(threads: threads, account: author, all: all)
    for name in restored.unknown { console.error("error: nothing was removed by the name \(name)") }
    if !restored.lines.isEmpty {
      console.progress(
        .warning(
          "site.yml: warning: the file was changed since; put these lines back yourself:\n"
            + restored.lines.joined(separator: "\n")))
    }
    var text =
      "\(Count.text(restored.files.count, "thread")) and \(Count.text(restored.media, "media file")) are back."
    if restored.onlyAllowed > 0 {
      text +=
        "\n\(Count.text(restored.onlyAllowed, "removal")) taken back of which nothing is kept: fetch or import the threads again."
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
    if !yes, Terminal.canAsk, !Terminal.confirms("Delete for good what is kept of removed threads?") {
      throw PipelineError(.interrupted, ["error: nothing was deleted."])
    }
    let files = try removal.forget(threads: threads, account: author)
    try console.finish(
      "\(Count.text(files.count, "removed thread")) deleted for good.",
      json: ["threads": .array(files.map { .string($0) })])
  }
}

/// Questions to the user at the terminal.
enum Terminal {
  /// Whether a user is there to answer.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  static func confirms(_ question: String) -> Bool {
    // If standard error is closed, the user does not see the question, and a missing answer means no.
    try? FileHandle.standardError.write(contentsOf: Data((Console.printable(question) + " [y/N] ").utf8))
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }
}
