import ArgumentParser
import Basics
import SiteConfig
import Upkeep

/// `threadsite hide`
struct Hide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hide posts on the page of their thread.",
    discussion: """
      Adds the posts to `hide` in the thread's entry in site.yml. The page then shows the thread without the posts and without quotes of \
      them. The posts remain in the store. To show them again, remove them from `hide`.

      Examples:
        threadsite hide https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("URLs of posts.", valueName: "post"))
  var posts: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The thread, if several contain the post.", valueName: "thread"))
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
    abstract: "Add tags to a thread.",
    discussion: """
      Adds the tags to `tags` in the thread's entry in site.yml, in addition to the thread's hashtags.

      Examples:
        threadsite tag https://x.com/ada/status/1346889436626259968 swift compilers
      """)

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
    abstract: "Set the title of a thread.",
    discussion: """
      Sets `title` in the thread's entry in site.yml. The URL of a published page does not change.

      Examples:
        threadsite title https://x.com/ada/status/1346889436626259968 "How a compiler works"
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var thread: String

  @Argument(help: "The title.")
  var title: String

  func run() throws {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !words.isEmpty else { throw ValidationError("The title must not be empty.") }
    try EditReport.run("title", site, messages) { try $0.change([thread], .title(words)) }
  }
}

/// `threadsite draft`
struct Draft: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mark threads as drafts.",
    discussion: """
      Sets `draft` in the threads' entries in site.yml. Drafts are built only with `threadsite build --drafts`.

      Examples:
        threadsite draft https://x.com/ada/status/1346889436626259968
        threadsite draft --undo https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String]

  @Flag(help: "Undo: the threads are no longer drafts.")
  var undo = false

  func run() throws {
    try EditReport.run("draft", site, messages) { try $0.change(threads, .draft(!undo)) }
  }
}

/// `threadsite exclude`
struct Exclude: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Exclude threads from the site, but keep them in the store.",
    discussion: """
      Sets `exclude` in the threads' entries in site.yml. To delete a thread from the store, use `threadsite remove`.

      Examples:
        threadsite exclude https://x.com/ada/status/1346889436626259968
        threadsite exclude --undo https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help)
  var threads: [String]

  @Flag(help: "Undo: include the threads again.")
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
        if outcome.isUnchanged {
          return "\(outcome.thread): no change; \(site.configFile) already has this setting."
        }
        return
          "\(outcome.thread): \(outcome.isNewEntry ? "added an entry" : "changed the entry") in \(site.configFile)."
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
