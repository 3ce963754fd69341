import Basics
import NetworkSources
import NostrNetwork
import NostrSigner
import TestSupport
import Testing
import ThreadModel
import Unroll

/// Saved events in files.
@Suite struct ImportTests {
  private func lines() throws -> [String] { try Fixture.lines("thread.jsonl") }

  private func thread(_ conversations: [Conversation]) throws -> Conversation {
    try #require(conversations.first { $0.posts.count > 1 })
  }

  @Test func allFormsOfAFileAreTheSame() throws {
    let lines = try lines()
    let (expected, report) = try imported([lines.asLines])
    #expect(report.problems == [] && report.posts == 61 && report.reposts == 1)
    #expect(try thread(expected).posts.count == 59)
    let forms = [
      "[" + lines.joined(separator: ",\n") + "]", lines.map { #"["EVENT","sub",\#($0)]"# }.asLines,
      "[" + lines.map { #"["EVENT","sub",\#($0)]"# }.joined(separator: ",") + "]",
      lines.joined(separator: " "), #"["EOSE","sub"]"# + "\n" + lines.map { #"["EVENT",\#($0)]"# }.asLines,
    ]
    for form in forms {
      #expect(NostrAnswers.recognizes(Array(form.utf8)), "\(form.prefix(40))")
      #expect(try imported([form]).conversations == expected)
    }
  }

  @Test func filesMayBeImportedInAnyOrder() throws {
    let lines = try lines()
    let expected = try imported([lines.asLines]).conversations
    var random = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 4, deep: 50) {
      // The profiles stay together with the posts whose texts show the names.
      let files = [lines.shuffled(using: &random).asLines, lines[...20].shuffled(using: &random).asLines]
      #expect(try imported(files).conversations == expected)
      #expect(try imported([files[0]], into: imported([files[1]]).conversations).conversations == expected)
    }
  }

  @Test func anotherImportChangesNothing() throws {
    let stored = try imported([try lines().asLines]).conversations
    #expect(try imported([try lines().asLines], into: stored).conversations == stored)
  }

  @Test func deletionsApplyToStoredPosts() throws {
    let lines = try lines()
    let events = try Fixture.events("thread.jsonl")
    let deletions = zip(lines, events).filter { $1.kind == 5 }.map(\.0)
    let stored = try imported([zip(lines, events).filter { $1.kind != 5 }.map(\.0).asLines]).conversations
    #expect(try thread(stored).posts.count == 60)
    let (after, report) = try imported([deletions.asLines], into: stored)
    #expect(try thread(after).posts.count == 59 && report.problems == [])
    #expect(try thread(after).tombstones.map(\.reason) == [.deleted])
    // A file without the deletion does not restore the post.
    let rest = zip(lines, events).filter { $1.kind == 1 }.map(\.0).asLines
    #expect(try thread(imported([rest], into: after).conversations).posts.count == 59)
    // Nothing is stored for deleted posts that are not known.
    #expect(try imported([deletions.asLines]).conversations == [])
  }

  @Test func deletedQuoteLeavesOtherThreads() throws {
    let (ada, bob) = (Signer(3), Signer(4))
    let quoted = ada.object("Quoted")
    let id = quoted["id"]?.string ?? ""
    let file =
      JSONWriter.text(of: .object(quoted), .compact).string + "\n" + bob.line("See", tags: [["q", id]])
    let stored = try imported([file]).conversations
    #expect(stored.flatMap(\.related).count == 1)
    let after = try imported([ada.line("", kind: 5, tags: [["e", id]])], into: stored).conversations
    #expect(after.flatMap(\.related).isEmpty && after.flatMap(\.posts).count == 1)
    #expect(try imported([bob.line("", kind: 5, tags: [["e", id]])], into: stored).conversations == stored)
  }

  @Test func forgedEventsAreReportedWithTheirLines() throws {
    let (conversations, report) = try imported([try Fixture.lines("forged.jsonl").asLines])
    #expect(conversations.map(\.posts.count) == [1, 1, 1] && report.posts == 3)
    #expect(
      report.problems == [
        "0.jsonl: 9 events rejected, 8 of them forged (line 2: the id does not match the content; line 3: the signature is not valid; line 4: the signature is not valid; …)"
      ])
  }

  @Test(arguments: [
    ("", "contains no posts"), ("[]", "contains no posts"), ("{}", "contains no posts"),
    ("nonsense", "expected"),
    (Signer().line("", kind: 7), "contains no posts"),
    (Signer().line("x").replacing("\"x\"", with: "\"y\""), "1 event rejected, 1 of them forged (line 1"),
  ])
  func reportsFilesWithoutPosts(file: String, words: String) {
    let error = #expect(throws: SourceError.self) { try imported([file]) }
    #expect(error?.description.contains(words) == true)
  }

  @Test func completeLinesOfATruncatedFileAreImported() throws {
    let (one, two) = (Signer().line("one"), Signer().line("two", at: 1_760_000_001))
    for (first, rest) in [(one, two), (#"["EVENT","s",\#(one)]"#, two)] {
      let (conversations, report) = try imported([first + "\n" + rest.prefix(60)])
      #expect(conversations.map(\.posts.count) == [1] && report.files.map(\.unread.count) == [1])
    }
  }

  @Test func repostsAreCounted() throws {
    let report = try imported([Signer().line("{}", kind: 6)]).report
    #expect(
      report.files.map(\.refusals) == [["contains only reposts of others' posts (1), which are not threads"]])
  }

  @Test(arguments: [
    "", "3", "nonsense", "{}", "[[[]]]", #"{"pubkey":"a"}"#, #"{"data":[{"id":"1","sig":"x"}]}"#,
    #"[{"id":"1","kind":1,"text":"\"pubkey\""}]"#,
  ])
  func leavesOtherFilesToOtherNetworks(file: String) {
    #expect(!NostrAnswers.recognizes(Array(file.utf8)))
  }

  @Test func importedThreadsCanBeUnrolled() throws {
    for file in ["thread.jsonl", "kinds.jsonl", "granary.jsonl"] {
      for conversation in try imported([try Fixture.lines(file).asLines]).conversations {
        _ = UnrolledThread(unrolling: conversation)
        for post in conversation.posts { #expect(post.id.isWellFormed) }
      }
    }
  }

  @Test func fetchedThreadInAnotherAuthorsConversationStays() throws {
    let (ada, bob) = (Signer(3), Signer(4))
    let root = ada.object("Root")
    let id = root["id"]?.string ?? ""
    let answer = bob.object("Answer", tags: [["e", id, "", "root"]])
    let events = [try NostrEvent(root), try NostrEvent(answer)]
    let threads = NostrThreads(events, provenance: Provenance(source: .nostrRelay))
    let fetched = try #require(
      threads.conversation(
        with: NostrID.post(events[1].id), of: NostrID.author(bob.key), includesReplies: false))
    #expect(fetched.posts.count == 2 && fetched.authorID == NostrID.author(bob.key))
    let file = JSONWriter.text(of: .object(root), .compact).string
    let after = try imported([file], into: [fetched]).conversations
    #expect(Set(after.map(\.authorID)) == [NostrID.author(ada.key), NostrID.author(bob.key)])
  }

  /// Replies state their first post. An attacker's reply cannot move posts of others.
  @Test func falseRootsMoveNoOtherPosts() throws {
    let lines = try lines()
    let expected = try thread(imported([lines.asLines]).conversations)
    let event = try #require(try Fixture.events("thread.jsonl").first { $0.content == "Tide 3." })
    let other = Signer().object("Other")
    let id = other["id"]?.string ?? ""
    let attack = Signer(9).line("x", tags: [["e", id, "", "root"], ["e", event.id, "", "reply"]])
    let file = lines.asLines + JSONWriter.text(of: .object(other), .compact).string + "\n" + attack
    let found = try imported([file]).conversations
    #expect(found.first { $0.id == expected.id } == expected)
  }

  @Test func longChainIsOneThread() throws {
    let signer = Signer()
    var lines: [String] = []
    var parent: String?
    for number in 0..<TestDepth.cases(fast: 300, deep: 5000) {
      let object = signer.object("\(number)", tags: parent.map { [["e", $0]] } ?? [], at: Int64(number))
      parent = object["id"]?.string
      lines.append(JSONWriter.text(of: .object(object), .compact).string)
    }
    let (conversations, _) = try imported([lines.reversed().asLines])
    #expect(conversations.map(\.posts.count) == [lines.count])
  }

  /// A relay's replies to a note that it does not have. The number of stored posts grows with the file, not with its square.
  @Test func repliesOfManyAuthorsToAMissingNoteAreStoredOnce() throws {
    let missing = String(repeating: "ab", count: 32)
    let lines = (UInt8(1)...150).map { Signer($0).line("\($0)", tags: [["e", missing, "", "root"]]) }
    let (conversations, _) = try imported([lines.asLines])
    #expect(conversations.count == 150 && conversations.allSatisfy { $0.id.value == missing })
    #expect(conversations.allSatisfy { $0.posts.map(\.authorID) == [$0.authorID] && $0.authors.count == 1 })
  }

  @Test func noteWithRepliesOfManyAuthorsIsOnePart() throws {
    let root = Signer(200).object("Root")
    let id = root["id"]?.string ?? ""
    var lines = (UInt8(1)...150).map { Signer($0).line("\($0)", tags: [["e", id, "", "root"]]) }
    lines.append(JSONWriter.text(of: .object(root), .compact).string)
    var answers = NostrAnswers()
    try answers.take(Array(lines.asLines.utf8), file: "0.jsonl")
    #expect(answers.removeParts().map(\.posts.count) == [151])
  }

  /// Each conversation has the tombstones of its author's posts and of the posts that it answers.
  @Test func deletedPostsOfManyAuthorsAreStoredOnce() throws {
    let missing = String(repeating: "ab", count: 32)
    var lines: [String] = []
    for number in UInt8(1)...60 {
      let signer = Signer(number)
      let deleted = signer.object("Deleted", tags: [["e", missing, "", "root"]])
      let id = deleted["id"]?.string ?? ""
      lines.append(JSONWriter.text(of: .object(deleted), .compact).string)
      lines.append(signer.line("Reply", tags: [["e", missing, "", "root"], ["e", id, "", "reply"]]))
      lines.append(signer.line("", kind: 5, tags: [["e", id]]))
    }
    let (conversations, _) = try imported([lines.asLines])
    #expect(conversations.count == 60)
    #expect(conversations.allSatisfy { $0.tombstones.map(\.authorID) == [$0.authorID] })
    #expect(try imported([lines.asLines], into: conversations).conversations == conversations)
  }

  /// The order of the files, and their distribution over imports, make no difference if the first note is missing.
  @Test func repliesToAMissingNoteMayBeImportedInAnyOrder() throws {
    let missing = String(repeating: "ab", count: 32)
    var random = SeededRandom()
    for round in 0..<TestDepth.cases(fast: 8, deep: 100) {
      var ids = [missing]
      var files: [String] = []
      for number in 0..<12 {
        let parent = ids.randomElement(using: &random) ?? missing
        let names = Bool.random(using: &random) && parent != missing
        let object = Signer(UInt8.random(in: 1...4, using: &random)).object(
          "\(number)", tags: (names ? [["e", missing, "", "root"]] : []) + [["e", parent, "", "reply"]],
          at: 1_760_000_000 + Int64(number))
        ids.append(object["id"]?.string ?? "")
        files.append(JSONWriter.text(of: .object(object), .compact).string)
      }
      let expected = try imported(files).conversations
      var rest = files.shuffled(using: &random)[...]
      var stored: [Conversation] = []
      while !rest.isEmpty {
        let portion = rest.prefix(Int.random(in: 1...files.count, using: &random))
        rest = rest.dropFirst(portion.count)
        stored = try imported(Array(portion), into: stored).conversations
      }
      #expect(stored == expected, "round \(round), THREADSITE_SEED=\(SeededRandom.seedOfRun)")
    }
  }

  @Test func namesOfAccountsAreOneLineWithoutDirections() throws {
    let profile = #"{"name":"\u202eevil\u0000\nname","about":7,"picture":"javascript:x","nip05":{"a":1}}"#
    let signer = Signer()
    let events = [
      try NostrEvent(signer.object("x")), try signer.event("[1]", kind: 0, at: 1_770_000_000),
    ]
    #expect(try Fixture.threads(events).first?.author?.name == nil)
    let object = signer.object(profile, kind: 0)
    let author = try #require(NostrProfile(try NostrEvent(object))?.author(handle: "h"))
    #expect(author.name == "evil name" && author.bio == nil && author.avatarURL == nil)
  }
}
