import ArgumentParser
import Basics
import Foundation
import SiteConfig
import ThreadModel
import Upkeep

/// `threadsite hide`
struct Hide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hide posts on the page of their thread.",
    discussion: """
      Adds the posts to `hide` in the thread's entry in site.yml. The page then shows the thread without the posts and without quotes of \
      them. The posts remain in the store.

      Examples:
        threadsite hide https://x.com/ada/status/1346889436626259968
        threadsite hide --undo https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ArgumentHelp("URLs of posts.", valueName: "post"))
  var posts: [String]

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The thread, if several contain the post.", valueName: "thread"),
    completion: SiteCompletions.threads)
  var thread: String?

  @Flag(help: "Undo: show the posts again.")
  var undo = false

  mutating func validate() throws {
    for post in posts { _ = try PostArgument.read(post) }
  }

  func run() throws {
    try EditReport.run("hide", site, messages) { editing in
      let posts = try posts.map(PostArgument.read)
      return undo ? try editing.show(posts, in: thread) : try editing.hide(posts, in: thread)
    }
  }
}

/// `threadsite tag`
struct Tag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Add tags to a thread, or remove them.",
    discussion: """
      Adds the tags to `tags` in the thread's entry in site.yml, in addition to the thread's hashtags. --remove removes tags that were \
      added this way; hashtags in the text stay.

      Examples:
        threadsite tag https://x.com/ada/status/1346889436626259968 swift compilers
        threadsite tag --remove https://x.com/ada/status/1346889436626259968 swift
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var thread: String

  @Argument(help: ArgumentHelp("Tags, with or without #.", valueName: "tag"))
  var tags: [String]

  @Flag(help: "Remove the tags.")
  var remove = false

  /// The tags without `#` and outer blanks.
  private var names: [String] {
    tags.map { tag in
      let words = tag.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.hasPrefix("#") ? String(words.dropFirst()) : words
    }
  }

  mutating func validate() throws {
    for name in names {
      if name.isEmpty { throw ValidationError("A tag must not be empty.") }
      if name.contains(",") {
        throw ValidationError("The tag \(quoted(name)) contains a comma; separate tags by spaces.")
      }
    }
  }

  func run() throws {
    try EditReport.run("tag", site, messages) { editing in
      remove ? try editing.removeTags(names, of: thread) : try editing.change([thread], .tags(names))
    }
  }
}

/// `threadsite title`
struct Title: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the title of a thread.",
    discussion: """
      Sets `title` in the thread's entry in site.yml. The URL of a published page does not change. With --undo, the title is again made \
      from the beginning of the thread.

      Examples:
        threadsite title https://x.com/ada/status/1346889436626259968 "How a compiler works"
        threadsite title --undo https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var thread: String

  @Argument(help: "The title.")
  var title: String?

  @Flag(help: "Undo: remove the title from site.yml.")
  var undo = false

  /// The title on one line; empty without a title.
  private var words: String {
    (title ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  mutating func validate() throws {
    if undo {
      if title != nil { throw ValidationError("--undo takes no title.") }
    } else if words.isEmpty {
      throw ValidationError(
        "\(title == nil ? "The title is missing." : "The title must not be empty.") To restore the title that is made from the thread, use `threadsite title --undo THREAD`."
      )
    }
  }

  func run() throws {
    try EditReport.run("title", site, messages) { try $0.change([thread], .title(undo ? nil : words)) }
  }
}

/// `threadsite alt`
struct Alt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describe an image that has no alt text.",
    discussion: """
      Adds the text to `alt` in the entries in site.yml of the threads that show the image. The image is given by its file in the store, or \
      by the URL of its post: this means the post's first image without alt text. `threadsite check` lists images without alt text.

      Examples:
        threadsite alt 18e5caac88b152be092774039a5c96d9.jpg "A plate of soup, seen from above."
        threadsite alt --undo 18e5caac88b152be092774039a5c96d9.jpg
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: "The image: its file in the store, or the URL of its post.")
  var image: String

  @Argument(help: "The alt text.")
  var text: String?

  @Flag(help: "Undo: remove the alt text from site.yml.")
  var undo = false

  /// The text on one line; empty without a text.
  private var words: String {
    (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  mutating func validate() throws {
    if undo {
      if text != nil { throw ValidationError("--undo takes no text.") }
    } else if words.isEmpty {
      throw ValidationError(
        "\(text == nil ? "The alt text is missing." : "The alt text must not be empty.") To remove an alt text, use `threadsite alt --undo IMAGE`."
      )
    }
  }

  func run() throws {
    try EditReport.run("alt", site, messages) { try $0.describe(image, as: undo ? nil : words) }
  }
}

/// `threadsite draft`
struct Draft: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mark threads as drafts.",
    discussion: """
      Sets `draft` in the threads' entries in site.yml. Drafts are built only with `threadsite build --drafts`.

      With --until, sets `publish_at` instead: builds from that time on include the threads. The time is in the site's time zone.

      Examples:
        threadsite draft https://x.com/ada/status/1346889436626259968
        threadsite draft --until "2026-12-01 08:00" https://x.com/ada/status/1346889436626259968
        threadsite draft --undo https://x.com/ada/status/1346889436626259968
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
  var threads: [String]

  @Option(
    help: ArgumentHelp(
      "The time from which the threads are on the site, such as 2026-12-01 or \"2026-12-01 08:00\".",
      valueName: "time"))
  var until: String?

  @Flag(help: "Undo: the threads are no longer drafts, and wait for no time.")
  var undo = false

  mutating func validate() throws {
    if undo, until != nil { throw ValidationError("--until and --undo cannot be combined.") }
    guard let until else { return }
    do {
      _ = try PublicationTime(until)
    } catch {
      throw ValidationError("--until: \(error).")
    }
  }

  func run() throws {
    let changes: [ThreadChange] =
      if let until { [.publishAt(until)] } else if undo { [.draft(false), .publishAt(nil)] } else {
        [.draft(true)]
      }
    try EditReport.run("draft", site, messages, advice: advice) { try $0.change(threads, changes) }
  }

  /// Advice about a time that has passed in every time zone.
  private var advice: String? {
    // `validate` reports a text that is not a time.
    guard let until, let time = try? PublicationTime(until).time,
      time < Timestamp(seconds: Int64(Date().timeIntervalSince1970) - 86_400)
    else { return nil }
    return
      "This time has passed, so the next build includes the threads. To make them drafts, leave out --until."
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

  @Argument(help: ThreadArgument.help, completion: SiteCompletions.threads)
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
    _ command: String, _ site: SiteOptions, _ messages: MessageOptions, advice: String? = nil,
    _ work: (ThreadEditing) throws -> [ThreadEditing.Outcome]
  ) throws {
    try messages.run(command: command) { console in
      let outcomes = try work(ThreadEditing(try site.open(console), jobs: Machine.cores))
      if let advice { console.advice(advice) }
      let lines = outcomes.map { outcome in
        if outcome.isUnchanged {
          return "\(outcome.thread): no change; \(site.configFile) already has this setting."
        }
        return
          "\(outcome.thread): \(outcome.isNewEntry ? "added an entry" : "changed the entry") in \(site.configFile)."
      }
      let isChanged = outcomes.contains { !$0.isUnchanged }
      let next = isChanged ? ["To update the site, run `threadsite build`."] : []
      try console.finish(
        (lines + next).joined(separator: "\n"),
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
