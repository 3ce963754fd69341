import ArgumentParser
import Basics
import Intake
import SiteConfig
import SiteWorkspace
import Upkeep

/// `threadsite fetch`
struct Fetch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch threads and updates from their networks.",
    discussion: """
      Fetches threads that are listed in site.yml but missing in the store, checks stored threads for changes after the interval \
      fetch.refresh in site.yml, copies missing media, and reads the inbox of webmentions. With URLs, it fetches only these threads or \
      accounts, even if they are up to date.

      Bluesky and most servers of the Fediverse are free and need no token. X's API needs a bearer token, by default in the environment \
      variable X_BEARER_TOKEN, and costs money; --dry-run estimates the cost.

      Examples:
        threadsite fetch --dry-run
        threadsite fetch --max-cost 2.50
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(
    help: ArgumentHelp(
      "URLs of threads, each of any post of the thread, and of accounts in sources.", valueName: "url"))
  var addresses: [String] = []

  @Flag(help: "Check all threads in the store, including recently checked ones.")
  var all = false

  @Flag(help: "Also fetch replies of others.")
  var withReplies = false

  mutating func validate() throws {
    if all, !addresses.isEmpty {
      throw ValidationError("--all checks the whole store; remove the URLs.")
    }
    _ = try FetchTargets(addresses)
  }

  func run() throws {
    try messages.run(command: "fetch") { console in
      let folder = addresses.isEmpty ? try site.open(console) : try site.openForThreads(console)
      let targets = try FetchTargets(addresses)
      let list = ThreadList(folder, jobs: Machine.cores)
      for account in targets.accounts where !list.lists(account) {
        throw PipelineError(
          .content,
          [
            "error: the account \(account) is not in sources of \(site.configFile); to add and fetch it, run `threadsite add \(folder.networks.addresses.url(of: account))`"
          ])
      }
      var options = FetchOptions(
        targets.isEmpty ? all ? .all : .due : .only(targets.posts, accounts: targets.accounts))
      options.wantsReplies = withReplies
      var report = FetchReport(flags: flags, options: options, console: console)
      if folder.config.sources.isEmpty {
        report.textOfNothing =
          "Nothing to fetch: \(site.configFile) lists no sources. To add a thread or an account, run `threadsite add URL`."
      }
      try AccessLimit.fetching(for: folder, editsConfiguration: false).apply(console)
      try Waiting.run { [report] in try await report.run(folder) }
    }
  }
}

/// `threadsite add`
struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch threads or accounts and add them to the site.",
    discussion: """
      Takes the URL of any post of a thread on X, Bluesky or a server of the Fediverse such as Mastodon, or the id of a post on X. \
      The thread is saved in the store. If site.yml lists sources, or lists threads because only listed threads are on the site, the \
      thread is added to these lists.

      With the URL or the name of an account, all threads of the account are fetched, and the account is added to sources in site.yml. The \
      number of requests and their cost are printed first; --dry-run prints only these.

      --from-text finds the URL in a text, such as one shared from a phone or sent by a form.

      Examples:
        threadsite add https://bsky.app/profile/ada.example/post/3kaaaaaaaaa2a
        threadsite add @ada@social.example
        echo "Look: https://x.com/ada/status/1346889436626259968" | threadsite add --from-text -
      """)

  @OptionGroup var site: SiteOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var flags: FetchFlags

  @Argument(
    help: ArgumentHelp(
      "URLs of threads, each of any post of the thread, and URLs or names of accounts.", valueName: "url"))
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
      throw ValidationError(
        "Give the URL of a post or of an account, or a text with the URL of a post (--from-text).")
    }
    _ = try FetchTargets(addresses)
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

  func run() throws {
    try messages.run(command: "add") { console in
      let folder = try site.openForThreads(console)
      let targets = try FetchTargets(addresses)
      let posts = try targets.posts + sharedPost
      try ThreadAddition(
        configFile: site.configFile, flags: flags, withReplies: withReplies, console: console
      ).run(folder, posts: posts, accounts: targets.accounts, names: targets.names)
    }
  }
}

/// Fetches threads and accounts, and adds them to the lists of site.yml. Before that, it limits the process.
struct ThreadAddition {
  /// As messages name it.
  let configFile: String
  let flags: FetchFlags
  let withReplies: Bool
  let console: Console
  /// Whether the fetch is part of another command, which writes the summary.
  var isPart = false

  /// - Parameter names: the accounts that are named without a URL, by their names.
  func run(
    _ folder: SiteFolder, posts: [PostReference], accounts: [AccountReference],
    names: [(name: String, account: AccountReference)] = []
  ) throws {
    for (name, account) in names {
      console.inform("\(name) is read as \(folder.networks.addresses.url(of: account)).")
    }
    var options = FetchOptions(.only(posts, accounts: accounts))
    options.wantsReplies = withReplies
    let urls = accounts.map(folder.networks.addresses.url(of:))
    let named = [
      "threads": JSONValue.array(posts.map { .string($0.address) }),
      "accounts": .array(urls.map { .string($0) }),
    ]
    var report = FetchReport(flags: flags, options: options, console: console)
    report.isPart = isPart
    try AccessLimit.fetching(for: folder, editsConfiguration: true).apply(console)
    try Waiting.run { [report] in
      try await report.run(folder, naming: named) { isComplete in
        // A failed thread does not stop the others from being listed.
        let missing = try posts.filter { try !list($0, onlyIfStored: !isComplete, in: folder, console) }
        for account in accounts { try list(account, in: folder, console) }
        return missing
      }
    }
  }

  private func list(_ account: AccountReference, in folder: SiteFolder, _ console: Console) throws {
    switch try ThreadList(folder, jobs: Machine.cores).add(account) {
    case .hasIt, .excluded: break
    case .isNotStored:
      console.inform("\(account) was not added to \(configFile), because nothing was fetched.")
    case .added:
      console.inform(
        "Added \(account) to sources in \(configFile); `threadsite fetch` keeps its threads up to date.")
    case .byHand(let list, let entry, _):
      console.progress(
        .warning(
          "\(list.rawValue) in \(configFile) cannot be edited automatically; add this line:\n    \(entry)"
        ))
    }
  }

  /// - Returns: whether the store has the thread.
  private func list(
    _ post: PostReference, onlyIfStored: Bool, in folder: SiteFolder, _ console: Console
  ) throws -> Bool {
    func note(_ lists: [ThreadListName]) {
      guard !lists.isEmpty else { return }
      console.progress(
        .note("Added \(post) to \(lists.map(\.rawValue).joined(separator: " and ")) in \(configFile)."))
    }
    switch try ThreadList(folder, jobs: Machine.cores).add(post, onlyIfStored: onlyIfStored) {
    case .hasIt: break
    case .isNotStored: return false
    case .added(let lists): note(lists)
    case .byHand(let list, let entry, let added):
      note(added)
      console.progress(
        .warning(
          "\(list.rawValue) in \(configFile) cannot be edited automatically; add this line:\n    \(entry)"
        ))
    case .excluded(let place):
      console.progress(.warning("\(post) is in the store but excluded from the site by \(place)"))
    }
    return true
  }
}

/// The threads and accounts on the command line.
struct FetchTargets {
  private(set) var posts: [PostReference] = []
  private(set) var accounts: [AccountReference] = []
  /// The accounts that are named without a URL. A name such as `@ada` exists on several networks.
  private(set) var names: [(name: String, account: AccountReference)] = []

  init(_ addresses: [String]) throws {
    for address in addresses {
      do throws(InvalidValue) {
        switch try NetworkRegistry.all.addresses.target(address) {
        case .post(let post): posts.append(post)
        case .account(let account):
          accounts.append(account)
          if !address.utf8.contains(UInt8(ascii: "/")) { names.append((address, account)) }
        }
      } catch {
        throw ValidationError("\(error).")
      }
    }
  }

  var isEmpty: Bool { posts.isEmpty && accounts.isEmpty }
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
