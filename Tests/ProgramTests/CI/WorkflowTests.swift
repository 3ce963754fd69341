import Basics
import Foundation
import TestSupport
import Testing
import XStub

/// Text that an attacker would write to run commands in a workflow.
private let hostile = """
  $(touch pwned1) `touch pwned2` "; touch pwned3; echo " ' ; touch pwned4 ; ' && touch pwned5
  --config=/etc/passwd -- ${{ secrets.X_BEARER_TOKEN }} $X_BEARER_TOKEN | touch pwned6 > pwned7
  page=pwned8\nmessages<<EOF\n::set-output name=page::pwned9\n@everyone ``` <img src=x> \u{7}\r
  """

private func issue(_ body: String, by association: String = "OWNER", user: String = "ada") -> [String:
  JSONValue]
{
  [
    "event_name": "issues",
    "event": [
      "action": "opened",
      "issue": [
        "number": .integer(7), "title": "Add a thread", "body": .string(body),
        "author_association": .string(association), "user": ["login": .string(user)],
      ],
    ],
  ]
}

extension FetchingTests {
  /// Runs the files that `threadsite init --ci` writes as the forge would.
  @Suite("Workflows publish and add threads")
  struct WorkflowTests {
    @Test func addsAThreadByDispatchOnGitHub() async throws {
      let site = try await CISite("github")
      let jobs = try await site.run(
        ["event_name": "workflow_dispatch"],
        inputs: ["url": .string("\(hostile) \(site.address)?s=20 \(hostile)")])
      #expect(jobs["build"]?.result == "success", "\(jobs["build"]?.log ?? "")")
      #expect(jobs["deploy"]?.result == "success")
      #expect(jobs["answer"]?.result == "skipped", "no issue was opened")
      #expect(try site.files(of: "main").contains(site.file))
      #expect(try site.files(of: "main").contains("threads/permalinks.json"), "URLs are recorded")
      #expect(
        try site.files(of: "main").allSatisfy { !$0.hasPrefix("site/") && !$0.hasPrefix(".threadsite/") })
      #expect(try site.commits() == ["Fetch threads", "A site"])
      let page = String(
        decoding: try #require(Data(base64Encoded: jobs["build"]?.outputs["page"] ?? "")), as: UTF8.self)
      #expect(page.hasPrefix("x/mira_stub/"))
      #expect(site.folder.exists("work/site/\(page)index.html") || site.folder.exists("work/site/\(page)"))
      try site.expectNothingRan()
      // The steps read the fields that docs/schemas/ documents.
      let schema = ProjectFolders.repository.appending(path: "docs/schemas/add.schema.json")
      let said = try JSONValue(parsing: Array(site.folder.text("temp/added.json").utf8))
      #expect(
        JSONSchema(root: try JSONValue(parsing: Array(try Data(contentsOf: schema)))).problems(of: said)
          .isEmpty)
      #expect(said["threads"]?.array?.compactMap(\.string) == [site.address])
      // A manual run without a URL builds the site and has nothing to commit.
      let before = site.fetching.stub.requests.count
      let again = try await site.run(["event_name": "workflow_dispatch"], inputs: ["url": ""])
      #expect(again["deploy"]?.result == "success")
      #expect(site.fetching.stub.requests.count == before)
      #expect(try site.commits().count == 2)
      // The scheduled run.
      let daily = try await site.run(["event_name": "schedule"])
      #expect(daily["build"]?.result == "success", "\(daily["build"]?.log ?? "")")
      try await site.fetching.finish()
    }

    @Test func answersIssuesOnGitHub() async throws {
      let site = try await CISite("github")
      let failed = try await site.run(issue("### Thread\n\n\(hostile)"))
      #expect(failed["build"]?.result == "failure")
      #expect(failed["deploy"]?.result == "skipped")
      #expect(failed["answer"]?.result == "success", "\(failed["answer"]?.log ?? "")")
      let comment = try site.folder.text("calls/gh")
      #expect(comment.hasPrefix("[issue][comment][7][--body-file][-]\n"), "the issue stays open: \(comment)")
      #expect(comment.contains("\n    standard input: error: the text contains no URL of a post"))
      #expect(comment.contains("https://github.com/ada/threads/actions/runs/4711"))
      #expect(try site.commits() == ["A site"])
      #expect(site.fetching.stub.requests.isEmpty, "no requests, no costs")
      try site.folder.write("", to: "calls/gh")
      let added = try await site.run(issue("### Thread\n\n\(site.address)\n\n\(hostile)", by: "COLLABORATOR"))
      #expect(added["answer"]?.result == "success", "\(added["build"]?.log ?? "")")
      let closed = try site.folder.text("calls/gh")
      #expect(
        closed.hasPrefix("[issue][close][7][--comment][Added: <https://ada.example/threads/x/mira_stub/"))
      #expect(try site.files(of: "main").contains(site.file))
      try site.expectNothingRan()
      try await site.fetching.finish()
    }

    /// `threadsite show` names a page for a draft as well, which the site does not have.
    @Test(arguments: ["github", "forgejo"])
    func answersThatADraftIsNotOnTheSite(_ forge: String) async throws {
      let site = try await CISite(forge)
      try site.folder.write(
        try site.folder.text("work/site.yml")
          + "threads:\n  - url: \(site.address)\n    draft: true\n", to: "work/site.yml")
      try site.git("commit", "--quiet", "--all", "--message", "Leave a thread out")
      try site.git("push", "--quiet", site.bare, "main")
      let jobs = try await site.run(issue(site.address, user: "Grace"))
      #expect(jobs.values.allSatisfy { $0.result == "success" }, "\(jobs.values.map(\.log))")
      let calls = try site.folder.text(forge == "github" ? "calls/gh" : "calls/curl")
      #expect(calls.contains("Stored, but not on the site (state: draft)."), "\(calls)")
      #expect(!calls.contains("Added:"))
      try await site.fetching.finish()
    }

    /// The answer contains the network's error but no token.
    @Test func reportsErrorsWithoutSecrets() async throws {
      let site = try await CISite("github")
      let given = site.fetching.stub.behaviour.bearerToken
      site.fetching.stub.behave { $0.bearerToken = "another-token" }
      let jobs = try await site.run(issue(site.address), token: given)
      #expect(jobs["build"]?.result == "failure")
      let comment = try site.folder.text("calls/gh")
      #expect(comment.hasPrefix("[issue][comment][7]"))
      #expect(comment.contains("    "), "\(comment)")
      #expect(!comment.contains(given))
      site.fetching.stub.stop()
    }

    @Test func ignoresStrangersOnGitHub() async throws {
      let site = try await CISite("github")
      for association in [
        "NONE", "CONTRIBUTOR", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN", "", "OWNER,",
        "\"OWNER\"",
      ] {
        let jobs = try await site.run(issue(site.address, by: association, user: "mallory"))
        #expect(
          jobs.count == 3 && jobs.values.allSatisfy { $0.result == "skipped" && $0.steps.isEmpty },
          "\(association)")
      }
      // An issue about something else is also ignored.
      var other = issue(site.address)
      other["event"] = .object([
        "issue": [
          "number": 7, "title": "A mistake", "body": .string(site.address), "author_association": "OWNER",
        ]
      ])
      #expect(try await site.run(other).values.allSatisfy { $0.result == "skipped" })
      #expect(try site.commits() == ["A site"])
      #expect(try site.folder.text("calls/gh").isEmpty)
      try await site.fetching.finish()
    }

    /// A stranger's run does not enter the queue, so a hundred of them cannot cancel the owner's runs.
    @Test(arguments: [("issues", "NONE", "4711"), ("issues", "MEMBER", "site"), ("push", "", "site")])
    func runsOfStrangersDoNotBlockOthers(_ event: String, _ association: String, _ group: String) throws {
      let file = ProjectFolders.repository.appending(path: "templates/ci/github/workflow.yml").path
      let workflow = try #require(try WorkflowRunner.yaml(String(contentsOfFile: file, encoding: .utf8)))
      let concurrency = try #require(workflow["concurrency"] as? [String: Any])
      #expect(concurrency["queue"] as? String == "max")
      #expect((workflow["permissions"] as? [String: Any])?.isEmpty == true)
      let github = WorkflowExpression.Value(
        [
          "event_name": event, "run_id": "4711", "event": ["issue": ["author_association": association]],
        ] as [String: Any])
      #expect(
        try WorkflowExpression(["github": github]).fill(try #require(concurrency["group"] as? String))
          == group)
    }

    @Test func publishesAndAnswersOnForgejo() async throws {
      let site = try await CISite("forgejo")
      let pushed = try await site.run(["event_name": "push"])
      #expect(pushed["site"]?.result == "success", "\(pushed["site"]?.log ?? "")")
      #expect(try site.files(of: "pages").contains("index.html"))
      let added = try await site.run(issue("\(site.address)\n\(hostile)", by: "", user: "Grace"))
      #expect(added["site"]?.result == "success", "\(added["site"]?.log ?? "")")
      #expect(try site.files(of: "main").contains(site.file))
      #expect(
        try site.files(of: "pages").contains { $0.hasPrefix("x/mira_stub/") && $0.hasSuffix("/index.html") })
      let calls = try site.folder.text("calls/curl")
      #expect(calls.contains("/api/v1/repos/ada/threads/issues/7/comments]"))
      #expect(calls.contains("Added: <https://ada.example/threads/x/mira_stub/"))
      #expect(
        calls.contains(
          "[--data][{\"state\":\"closed\"}][\(site.folder.path)/api/v1/repos/ada/threads/issues/7]"))
      #expect(!calls.contains("a-token-of-the-run"), "a command line contains the token")
      try site.folder.write("", to: "calls/curl")
      let failed = try await site.run(issue(hostile, user: "ada"))
      #expect(failed["site"]?.result == "failure")
      #expect(try site.folder.text("calls/curl").contains("the text contains no URL of a post"))
      #expect(try !site.folder.text("calls/curl").contains("closed"))
      try site.folder.write("", to: "calls/curl")
      let stranger = try await site.run(issue(site.address, by: "OWNER", user: "mallory"))
      #expect(stranger["site"]?.result == "skipped")
      #expect(try site.folder.text("calls/curl").isEmpty)
      try site.expectNothingRan()
      try await site.fetching.finish()
    }

    /// Runs the job's lines in one shell, as GitLab does, with a stub for the variables of a trigger.
    @Test func publishesAndAddsOnGitLab() async throws {
      let site = try await CISite("gitlab")
      let text = try site.folder.text("work/.gitlab-ci.yml")
      let documents = try WorkflowRunner.documents(text)
      try #require(documents.count == 2)
      let job = try #require(documents[1]?["site"] as? [String: Any])
      #expect(job["pages"] as? Bool == true)
      #expect((job["artifacts"] as? [String: Any])?["paths"] as? [String] == ["public"])
      let inputs = (documents[0]?["spec"] as? [String: Any])?["inputs"] as? [String: Any]
      let pattern = try #require((inputs?["url"] as? [String: Any])?["regex"] as? String)
      let allowed = try Regex(pattern)
      for address in [
        "", site.address, "https://social.example/@ada/1?x=y#z", "https://bsky.app/profile/a.b/post/3k",
      ] {
        #expect(try allowed.wholeMatch(in: address) != nil, "\(address)")
      }
      for bad in [
        hostile, "\(site.address) \(site.address)", "\(site.address)$(id)", "\(site.address)\n", "-x",
        "$CI_JOB_TOKEN", "\(site.address)`id`", "\(site.address);id", "https://a'b",
      ] {
        #expect(try allowed.firstMatch(in: bad) == nil, "\(bad)")
      }
      let variable = (job["variables"] as? [String: Any])?["THREAD"] as? [String: Any]
      #expect(variable?["value"] as? String == "$[[ inputs.url ]]" && variable?["expand"] as? Bool == false)

      let install = try #require(job["before_script"] as? [String]).joined(separator: "\n")
      let script = try #require(job["script"] as? [String]).joined(separator: "\n")
      func run(_ thread: String, source: String = "trigger") async throws -> (code: Int32, log: String) {
        try site.clear("work")
        try site.git("clone", "--quiet", "file://" + site.bare, ".")
        // Runners check out a detached HEAD.
        try site.git("checkout", "--quiet", "--detach")
        let token = site.fetching.stub.behaviour.bearerToken
        return try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(
              with: Result {
                let runner = try WorkflowRunner(
                  ProjectFolders.repository.appending(path: "templates/ci/github/workflow.yml").path,
                  in: site.folder, context: [:],
                  environment: ["THREADSITE_SHARE": ProjectFolders.repository.path, "X_BEARER_TOKEN": token])
                for (name, then) in [
                  ("apt-get", ""), ("dpkg", "echo amd64"),
                  (
                    "curl",
                    "echo package > threadsite_1-1_amd64.deb; sha256sum threadsite_1-1_amd64.deb > SHA256SUMS"
                  ),
                ] { try runner.stub(name, then: then) }
                let outcome = try runner.bash(
                  install + "\n" + script,
                  [
                    "THREAD": thread, "CI_PIPELINE_SOURCE": source,
                    "CI_PROJECT_DIR": site.folder.path + "/work",
                    "CI_PROJECT_URL": "file://" + site.folder.path + "/ada/threads",
                    "CI_DEFAULT_BRANCH": "main",
                    "CI_JOB_TOKEN": "a-token-of-the-run", "VERSION": "1", "RELEASES": "https://example.org",
                  ])
                return (outcome.code, outcome.log)
              })
          }
        }
      }
      let pushed = try await run("", source: "push")
      #expect(pushed.code == 0, "\(pushed.log)")
      #expect(site.folder.exists("work/public/index.html"))
      let added = try await run(site.address)
      #expect(added.code == 0, "\(added.log)")
      #expect(try site.files(of: "main").contains(site.file))
      #expect(try site.commits().first == "Fetch threads [skip ci]")
      #expect(try site.folder.tree("work/public").keys.contains { $0.hasPrefix("x/mira_stub/") })
      #expect(try await run("", source: "schedule").code == 0)
      // The script rejects it even if the forge passes it on.
      let bad = try await run(hostile)
      #expect(bad.code != 0 && bad.log.contains("the text contains no URL of a post"), "\(bad.log)")
      #expect(!site.folder.exists("work/public"))
      try site.expectNothingRan()
      try await site.fetching.finish()
    }
  }
}
