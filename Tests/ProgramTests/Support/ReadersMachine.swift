import BlueskyStub
import Foundation
import MastodonStub
import TestSupport
import Testing

/// The machine of a reader who follows the documentation: an empty folder, downloads, an installed program,
/// a forge, and networks.
final class ReadersMachine: Sendable {
  let folder: TemporaryFolder
  private let bluesky: BlueskyStub
  private let mastodon: MastodonStub

  init() async throws {
    folder = try TemporaryFolder()
    bluesky = try BlueskyStub(Self.blueskyWorld)
    mastodon = try MastodonStub(Self.mastodonWorld)
    for name in [
      "home/Downloads", "home/saved", "home/Vault", "work", "prefix/bin", "prefix/share", "forge/ada",
    ] {
      try folder.write("", to: name + "/.keep")
    }
    try FileManager.default.removeItem(atPath: folder.path + "/work/.keep")
    try writeDownloads()
    try installProgram()
    try await makeForge()
  }

  // MARK: - Networks

  private static var blueskyWorld: BlueskyWorld {
    var world = BlueskyWorld.people
    world.add("A sundial has no seconds.", by: BlueskyWorld.ada, at: 10)
    world.posts[0].key = "3k43tv4rft22g"
    let second = world.add("It has no minutes.", by: BlueskyWorld.ada, at: 20, answering: world.posts[0].uri)
    world.add("It has the sun.", by: BlueskyWorld.ada, at: 30, answering: second)
    return world
  }

  private static var mastodonWorld: MastodonStub.World {
    var world = MastodonStub.World()
    let first = 109_348_684_215_482_921
    for (index, text) in ["Water clocks freeze.", "Sand does not.", "It clogs."].enumerated() {
      world.statuses[first + index] = MastodonStub.Status(
        id: first + index, account: "ada", content: "<p>\(text)</p>",
        parent: index == 0 ? nil : first + index - 1)
    }
    return world
  }

  // MARK: - Files

  /// The files that readers have before they begin, under the names of the documentation.
  private func writeDownloads() throws {
    func post(_ id: String, _ text: String, answers: String? = nil) -> String {
      let answer =
        answers.map { ",\"in_reply_to_status_id_str\":\"\($0)\",\"in_reply_to_user_id_str\":\"7\"" } ?? ""
      return "{\"tweet\":{\"id_str\":\"\(id)\",\"full_text\":\"\(text)\",\"created_at\":"
        + "\"Wed Jan 06 18:40:\(id.suffix(2)) +0000 2021\"\(answer)}}"
    }
    let posts = [
      post("1346889436626259938", "Clocks are never right."),
      post("1346889436626259939", "Not even sundials.", answers: "1346889436626259938"),
      post("1346889436626259940", "Write to ada@example.org.", answers: "1346889436626259939"),
      post("1346889436626259941", "That is all of it.", answers: "1346889436626259940"),
      post("1421234567890123456", "My neighbour is a marmoset."),
      post("1421234567890123457", "I can prove it.", answers: "1421234567890123456"),
    ]
    let archive = ZipWriter.zip([
      ZipWriter.Entry(
        "data/manifest.js",
        """
        window.__THAR_CONFIG = {"archiveInfo":{"generationDate":"2022-01-01T00:00:00.000Z"},
        "dataTypes":{"tweets":{"files":[{"fileName":"data/tweets.js","count":"\(posts.count)"}]}}}
        """),
      ZipWriter.Entry(
        "data/tweets.js", "window.YTD.tweets.part0 = [ " + posts.joined(separator: ",\n") + " ]"),
      ZipWriter.Entry(
        "data/like.js",
        #"window.YTD.like.part0 = [ {"like":{"tweetId":"1346889436626259968","fullText":"Clocks"}} ]"#),
      ZipWriter.Entry(
        "data/account.js",
        "window.YTD.account.part0 = [ {\"account\":{\"username\":\"ada\",\"accountId\":\"7\",\"accountDisplayName\":\"Ada\"}} ]"
      ),
    ])
    try folder.write(Data(archive), to: "home/Downloads/twitter-2026-01-31.zip")

    let actor = "https://social.example/users/ada"
    let notes = (0..<3).map { index in
      let id = 109_348_684_215_482_921 + index
      let parent = index == 0 ? "null" : "\"\(actor)/statuses/\(id - 1)\""
      return """
        {"type":"Create","actor":"\(actor)","object":{"type":"Note","id":"\(actor)/statuses/\(id)","attributedTo":"\(actor)",
        "content":"<p>Note \(index)</p>","published":"2022-11-15T08:00:0\(index)Z","url":"https://social.example/@ada/\(id)",
        "inReplyTo":\(parent),"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":["\(actor)/followers"]}}
        """
    }
    let mastodon = ZipWriter.zip([
      ZipWriter.Entry(
        "outbox.json",
        "{\"type\":\"OrderedCollection\",\"id\":\"outbox.json\",\"orderedItems\":[\(notes.joined(separator: ","))]}"
      ),
      ZipWriter.Entry(
        "bookmarks.json",
        #"{"type":"OrderedCollection","orderedItems":["https://social.example/users/bo/statuses/1"]}"#),
      ZipWriter.Entry(
        "actor.json",
        "{\"type\":\"Person\",\"id\":\"\(actor)\",\"preferredUsername\":\"ada\",\"name\":\"Ada\"}"),
    ])
    try folder.write(Data(mastodon), to: "home/Downloads/archive-20260131.zip")

    let repository = InventedRepository(of: BlueskyWorld.ada, in: Self.blueskyWorld, labels: [])
    try folder.write(Data(repository.bytes), to: "home/Downloads/repo.car")
    try folder.write(
      """
      [{"id":"9sxk2v1001","text":"One.","createdAt":"2024-05-02T10:11:00.000Z","fileIds":[],"files":[],"replyId":null,
      "renoteId":null,"poll":null,"cw":null,"visibility":"public","visibleUserIds":[],"localOnly":false},
      {"id":"9sxk2v1002","text":"Two.","createdAt":"2024-05-02T10:12:00.000Z","fileIds":[],"files":[],
      "replyId":"9sxk2v1001","renoteId":null,"poll":null,"cw":null,"visibility":"public","visibleUserIds":[],
      "localOnly":false}]
      """, to: "home/Downloads/notes-2026-01-31.json")
    try folder.write("a font", to: "home/Downloads/garamond.woff2")
    try folder.write(
      """
      {"data":[{"id":"1500000000000000001","text":"One.","author_id":"9","conversation_id":"1500000000000000001",
      "created_at":"2022-03-05T07:00:00.000Z"},{"id":"1500000000000000002","text":"Two.","author_id":"9",
      "conversation_id":"1500000000000000001","created_at":"2022-03-05T07:01:00.000Z","in_reply_to_user_id":"9",
      "referenced_tweets":[{"type":"replied_to","id":"1500000000000000001"}]}],
      "includes":{"users":[{"id":"9","name":"Bea","username":"bea"}]}}
      """, to: "home/saved/search.json")
  }

  /// Installs the program below `prefix`, behind a script that leads it to the stubs, and stops a preview when it shows the site.
  private func installProgram() throws {
    let program = try #require(Program.executable, "the program is not built")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/prefix/share/threadsite", withDestinationPath: ProjectFolders.repository.path)
    let networks =
      "bluesky: { api_url: \"\(bluesky.url)\", directory_url: \"\(bluesky.url)\" }\n" + mastodon.settings()
    try folder.write(networks + "\n", to: "networks.yml")
    try folder.write(
      """
      #!/bin/sh
      top='\(folder.path)'
      case "$1" in
      serve)
        : >"$top/served"
        '\(program.path)' serve --port 0 >"$top/served" 2>&1 &
        until grep -q http://127 "$top/served"; do
          kill -0 $! 2>/dev/null || { cat "$top/served" >&2; exit 1; }
          sleep 0.1
        done
        kill $! ;;
      add|fetch)
        cp site.yml "$top/before.yml"
        cat "$top/networks.yml" "$top/before.yml" >site.yml
        '\(program.path)' "$@"
        code=$?
        # Only the command's own changes remain.
        sed "1,$(wc -l <"$top/networks.yml")d" site.yml >"$top/kept.yml"
        cp "$top/kept.yml" site.yml
        exit $code ;;
      *) exec '\(program.path)' "$@" ;;
      esac

      """, to: "prefix/bin/threadsite")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/prefix/bin/threadsite")
  }

  /// Makes an empty repository at the forge. git is led to it from the URLs of the documentation.
  private func makeForge() async throws {
    let forge = "file://" + folder.path + "/forge/"
    var settings = "[init]\n\tdefaultBranch = main\n[url \"\(forge)\"]\n"
    for url in ["git@github.com:", "https://gitlab.com/", "ssh://git@codeberg.org/"] {
      settings += "\tinsteadOf = \(url)\n"
    }
    try folder.write(settings, to: "home/.gitconfig")
    let made = try await run("git init --quiet --bare ../forge/ada/my-threads.git", in: "work")
    #expect(made.code == 0, "\(made.errors)")
  }

  /// Runs a script in a folder of the machine.
  func run(_ script: String, in place: String) async throws -> Program.Outcome {
    var shell = Program(
      folder: folder.path + "/" + place,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "HOME": folder.path + "/home",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
        "PATH": folder.path + "/prefix/bin:/usr/bin:/bin",
      ])
    shell.executable = URL(filePath: "/bin/bash")
    return try await shell.runAside(["-c", script])
  }
}
