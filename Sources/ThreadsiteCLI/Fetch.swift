import ArgumentParser
import Basics
import Intake
import SiteConfig
import SiteWorkspace
import Upkeep

/// `threadsite fetch`
struct Fetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch threads and updates from their networks.",
    discussion: """
      Fetches threads that are listed in site.yml but missing in the store, checks stored threads for changes after the interval \
      fetch.refresh in site.yml, and copies missing media. With URLs, it fetches only these threads, even if they are up to date.

      Bluesky and most servers of the Fediverse are free and need no token. X's API needs a bearer token, by default in the environment \
      variable X_BEARER_TOKEN, and costs money; --dry-run estimates the cost.

      Examples:
        threadsite fetch --dry-run
        threadsite fetch --max-cost 2.50
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(help: ArgumentHelp("URLs of threads: any post of each thread.", valueName: "url"))
  var addresses: [String] = []

  @Flag(help: "Check all threads in the store, including recently checked ones.")
  var all = false

  @Flag(help: "Also fetch replies of others.")
  var withReplies = false

  mutating func validate() throws {
    if all, !addresses.isEmpty {
      throw ValidationError("--all checks the whole store; remove the URLs.")
    }
    for address in addresses { _ = try PostArgument.read(address) }
  }

  func run() async throws {
    try await messages.run(command: "fetch") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: addresses.isEmpty,
        environment: Machine.environment,
        progress: console.progress)
      let posts = try addresses.map(PostArgument.read)
      var options = FetchOptions(posts.isEmpty ? all ? .all : .due : .only(posts))
      options.wantsReplies = withReplies
      try await FetchReport(flags: flags, options: options, console: console).run(folder)
    }
  }
}

/// `threadsite add`
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch threads and add them to the site.",
    discussion: """
      Takes the URL of any post of a thread on X, Bluesky or a server of the Fediverse such as Mastodon, or the id of a post on X. \
      The thread is saved in the store. If site.yml lists sources, or lists threads because only listed threads are on the site, the \
      thread is added to these lists.

      --from-text finds the URL in a text, such as one shared from a phone or sent by a form.

      Examples:
        threadsite add https://bsky.app/profile/ada.example/post/3kaaaaaaaaa2a
        echo "Look: https://x.com/ada/status/1346889436626259968" | threadsite add --from-text -
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(help: ArgumentHelp("URLs of threads: any post of each thread.", valueName: "url"))
  var addresses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Find the URL of a post in the text of this file, such as a text shared from a phone; - for standard input.",
      valueName: "file"))
  var fromText: String?

  @Flag(help: "Also fetch replies of others.")
  var withReplies = false

  mutating func validate() throws {
    if addresses.isEmpty, fromText == nil {
      throw ValidationError("Give the URL of a post, or a text with one (--from-text).")
    }
    for address in addresses { _ = try PostArgument.read(address) }
  }

  /// The post to which the text leads.
  private var sharedPost: [PostReference] {
    get throws {
      guard let fromText else { return [] }
      return [
        try ThreadList.post(inText: fromText, input: fromText == "-" ? try Machine.standardInput() : nil)
      ]
    }
  }

  func run() async throws {
    try await messages.run(command: "add") { console in
      let folder = try SiteFolder.open(
        configFile: site.configFile, isDefault: site.config == nil, needsStore: false,
        environment: Machine.environment,
        progress: console.progress)
      let posts = try addresses.map(PostArgument.read) + sharedPost
      var options = FetchOptions(.only(posts))
      options.wantsReplies = withReplies
      let named = ["threads": JSONValue.array(posts.map { .string($0.address) })]
      try await FetchReport(flags: flags, options: options, console: console).run(folder, naming: named) {
        isComplete in
        // A failed thread does not stop the others from being listed.
        for post in posts { try list(post, onlyIfStored: !isComplete, in: folder, console) }
      }
    }
  }

  private func list(
    _ post: PostReference, onlyIfStored: Bool, in folder: SiteFolder, _ console: Console
  ) throws {
    switch try ThreadList(folder, jobs: Machine.cores).add(post, onlyIfStored: onlyIfStored) {
    case .hasIt, .isNotStored: break
    case .added(let lists):
      console.progress(
        .note("Added \(post) to \(lists.map(\.rawValue).joined(separator: " and ")) in \(site.configFile)."))
    case .byHand(let list, let entry):
      console.progress(
        .warning(
          "\(list.rawValue) in \(site.configFile) cannot be edited automatically; add this line:\n    \(entry)"
        ))
    case .excluded(let place):
      console.progress(.warning("\(post) is in the store but excluded from the site by \(place)"))
    }
  }
}

/// The URL of a post on the command line.
enum PostArgument {
  static func read(_ text: String) throws -> PostReference {
    do {
      return try NetworkRegistry.all.addresses.post(text)
    } catch {
      throw ValidationError("\(error).")
    }
  }
}
