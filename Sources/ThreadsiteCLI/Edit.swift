import ArgumentParser
import Basics
import SiteConfig
import Upkeep

/// `threadsite hide`
struct Hide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leave posts out of their thread's page.",
    discussion: """
      Adds them to `hide` in the thread's entry in site.yml. The thread closes over the gap; a quote of a hidden post is left out. \
      What the store has of them stays.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("Addresses of posts.", valueName: "post"))
  var posts: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The thread, where several have the post.", valueName: "thread"))
  var thread: String?

  mutating func validate() throws {
    for post in posts { _ = try PostArgument.read(post) }
  }

  func run() throws {
    try EditReport.run("hide", site, messages) { editing in
      try editing.hide(try posts.map(PostArgument.read), in: thread)
    }
  }
}

/// `threadsite tag`
struct Tag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give a thread tags beside its hashtags.",
    discussion: "Adds them to `tags` in the thread's entry in site.yml.")

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var thread: String

  @Argument(help: ArgumentHelp("Tags, with or without #.", valueName: "tag"))
  var tags: [String]

  func run() throws {
    let tags = tags.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    try EditReport.run("tag", site, messages) { try $0.change([thread], .tags(tags)) }
  }
}

/// `threadsite title`
struct Title: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give a thread a title of your own.",
    discussion:
      "Sets `title` in the thread's entry in site.yml. The address of a page that was published stays.")

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var thread: String

  @Argument(help: "The title.")
  var title: String

  func run() throws {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty else { throw ValidationError("The title is empty.") }
    try EditReport.run("title", site, messages) { try $0.change([thread], .title(words)) }
  }
}

/// `threadsite draft`
struct Draft: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make threads drafts, which a build leaves out without --drafts.",
    discussion: "Sets `draft` in the threads' entries in site.yml.")

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String]

  @Flag(help: "They are no drafts any more.")
  var undo = false

  func run() throws {
    try EditReport.run("draft", site, messages) { try $0.change(threads, .draft(!undo)) }
  }
}

/// `threadsite exclude`
struct Exclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leave threads out of the site; the store keeps them.",
    discussion:
      "Sets `exclude` in the threads' entries in site.yml. `threadsite remove` takes a thread out of the store, too."
  )

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String]

  @Flag(help: "They are part of the site again.")
  var undo = false

  func run() throws {
    try EditReport.run("exclude", site, messages) { try $0.change(threads, .exclude(!undo)) }
  }
}

/// The report on a change to site.yml.
enum EditReport {
  static func run(
    _ command: String, _ site: SiteOptions, _ messages: MessageOptions,
    _ work: (ThreadEditing) throws -> [ThreadEditing.Outcome]
  ) throws {
    try messages.run(command: command) { console in
      let outcomes = try work(ThreadEditing(try site.open(console), jobs: Machine.cores))
      let lines = outcomes.map { outcome in
        if outcome.isUnchanged { return "\(outcome.thread): \(site.configFile) says so already." }
        return
          "\(outcome.thread): \(outcome.isNewEntry ? "has a new entry" : "its entry was changed") in \(site.configFile)."
      }
      try console.finish(
        lines.joined(separator: "\n"),
        json: [
          "threads": .array(
            outcomes.map { outcome in
              [
                "file": .string(outcome.thread), "changed": .bool(!outcome.isUnchanged),
                "new_entry": .bool(outcome.isNewEntry),
              ]
            })
        ])
    }
  }
}
