import ArgumentParser
import Basics
import Intake
import SiteConfig
import SiteWorkspace
import Upkeep

/// `threadsite fetch`
struct Fetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring threads into the store, and up to date.",
    discussion: """
      Fetches what site.yml lists and the store lacks, looks again at what was last looked at too long ago (fetch.refresh \
      in site.yml), and copies media that have no copy yet. With addresses, it fetches these threads alone, whatever the store has of them.

      Bluesky and most servers of the Fediverse want no token, and cost nothing. X's API wants a bearer token, in the environment variable X_BEARER_TOKEN unless site.yml says otherwise, and costs money: \
      --dry-run says about how much.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(help: ArgumentHelp("Addresses of threads: of any post of each.", valueName: "url"))
  var addresses: [String] = []

  @Flag(help: "Look again at everything in the store, however lately that was done.")
  var all = false

  @Flag(help: "Fetch others' replies, too.")
  var withReplies = false

  mutating func validate() throws {
    if all, !addresses.isEmpty {
      throw ValidationError("--all is for the whole store; leave the addresses out.")
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
    abstract: "Fetch threads, and put them on the site.",
    discussion: """
      Takes the address of any post of a thread, on X, on Bluesky, or on a server of the Fediverse such as Mastodon's, or the number of a post on X. The thread comes into the store, and so \
      onto the site; where site.yml has a list of sources, it is added there, and to threads, where the site has only what is \
      listed.

      --from-text takes the address out of what a phone's share sheet or a form gives: a text with one address of a post somewhere in it.
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(help: ArgumentHelp("Addresses of threads: of any post of each.", valueName: "url"))
  var addresses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take the address of one post out of the text in this file, such as what was shared from a phone. - is standard input.",
      valueName: "file"))
  var fromText: String?

  @Flag(help: "Fetch others' replies, too.")
  var withReplies = false

  mutating func validate() throws {
    if addresses.isEmpty, fromText == nil {
      throw ValidationError("Give the address of a post, or a text that holds one (--from-text).")
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
        .note("\(post) is in \(lists.map(\.rawValue).joined(separator: " and ")) of \(site.configFile) now."))
    case .byHand(let list, let entry):
      console.progress(
        .warning("\(list.rawValue) in \(site.configFile) is yours to change: add the line\n    \(entry)"))
    case .excluded(let place):
      console.progress(.warning("\(post) is in the store, and \(place) leaves it out of the site"))
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
