import NetworkSources
import Testing
import ThreadModel
import XNetwork

/// Faults while fetching, and the posts that are kept.
@Suite struct FaultTests {
  private static let ended = CoverageLimit(.fetchEnded)

  @Test func failedSearchIsFollowedByTheNextMethod() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let x = FakeX(world) { $0.faults["recent"] = [.network] }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[2])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.count == 5)
    #expect(conversation.coverage.foundBy == .fullSearch)
    #expect(conversation.coverage.limits == [])
    #expect(fetched.failure == nil)
    #expect(fetched.notes.count == 1)
  }

  @Test func keepsReadPostsIfEveryMethodFails() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let x = FakeX(world) {
      $0.faults["recent"] = [.network]
      $0.faults["full"] = [.quota]
      $0.faults["timeline"] = [.invalidAnswer]
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[2])
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == Array(ids[...2]))
    #expect(conversation.coverage.foundBy == .climbing)
    #expect(
      conversation.coverage.limits == [
        CoverageLimit(.recentSearchFailed), CoverageLimit(.fullSearchFailed), CoverageLimit(.timelineFailed),
        CoverageLimit(.climbing),
      ])
    #expect(fetched.failure?.kind == .network)
    #expect(fetched.notes.count == 2, "the failure is reported separately")
  }

  @Test(arguments: [
    SourceError.Kind.creditsDepleted, .overBudget, .interrupted, .usageCapped, .wrongCredential,
    .noConnection,
  ])
  func fatalErrorsEndTheRun(kind: SourceError.Kind) async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let x = FakeX(world) { $0.faults["recent"] = [kind] }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[2])
    #expect(x.log == ["posts", "posts", "recent"])
    #expect(fetched.failure?.kind == kind)
    let conversation = try #require(fetched.conversations.first)
    // The given post, the previous one and the first one.
    #expect(conversation.posts.map(\.id.value) == Array(ids[...2]))
    #expect(conversation.coverage.limits == [Self.ended])
    #expect(conversation.coverage.foundBy == nil)
    #expect(conversation.coverage.checkedAt == nil)
  }

  @Test func keepsReceivedPages() async throws {
    var world = World()
    let ids = world.thread(25, from: World.ago(2 * World.day))
    let x = FakeX(world) {
      $0.largestPage = 10
      $0.faults["recent"] = [nil, nil, .creditsDepleted]
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(fetched.failure?.kind == .creditsDepleted)
    let posts = try #require(fetched.conversations.first?.posts.map(\.id.value))
    // The first post, two pages from the end, and the post that the last of them answers.
    #expect(posts == [ids[0]] + ids[4...])
  }

  @Test func eachBudgetGivesThePostsItPaysFor() async {
    var world = World()
    let ids = world.thread(25, from: World.ago(2 * World.day))
    let quoted = world.post(by: "2", at: World.ago(9 * World.day))
    world.posts[ids[3]]?.quotes = quoted
    var counts: [Int] = []
    for budget in 0...6 {
      let x = FakeX(world) {
        $0.budget = budget
        $0.isBare = true
      }
      let fetched = await XThreads(x, now: World.now).thread(of: ids[12])
      counts.append(fetched.conversations.first?.posts.count ?? 0)
      #expect((fetched.failure == nil) == (budget >= 4))
      #expect(fetched.conversations.first?.coverage.limits.isEmpty ?? true == (budget >= 4 || budget == 0))
    }
    #expect(counts == [0, 2, 3, 25, 25, 25, 25])
  }

  @Test func stopsAtEndlessPages() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let x = FakeX(world) {
      $0.isEndless = true
      $0.allowsFullSearch = false
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(x.log.count < 12)
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.posts.map(\.id.value) == ids)
    #expect(conversation.coverage.limits.first == CoverageLimit(.recentSearchCut))
  }

  @Test func reportsAFailedLookupAtTheEnd() async throws {
    var world = World()
    let ids = world.thread(5, from: World.ago(2 * World.day))
    let x = FakeX(world) {
      $0.unsearchable = [ids[2], ids[3]]
      $0.faults["posts"] = [nil, .network]
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[0])
    #expect(fetched.failure?.kind == .network)
    let conversation = try #require(fetched.conversations.first)
    #expect(conversation.coverage.limits == [CoverageLimit(.lookupFailed)])
    #expect(conversation.posts.count == 4)
    // A later fetch finds the rest and removes the note.
    let later = await XThreads(FakeX(world), now: World.now).thread(of: ids[0], known: conversation)
    #expect(later.conversations.first?.posts.count == 5)
    #expect(later.conversations.first?.coverage.limits == [])
  }

  @Test func missingAccessToLookupsIsAFailure() async {
    var world = World()
    let id = world.post(at: World.ago(World.day))
    let x = FakeX(world) { $0.faults["posts"] = [.access] }
    #expect(await XThreads(x, now: World.now).thread(of: id).failure?.kind == .access)
  }

  @Test func canceledTaskSendsNoRequests() async {
    var world = World()
    let id = world.post(at: World.ago(World.day))
    let x = FakeX(world)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await XThreads(x, now: World.now).thread(of: id)
    }
    #expect(await task.value.failure?.kind == .interrupted)
    #expect(x.log == [])
  }

  @Test func protectedTimelineLeadsToClimbing() async throws {
    var world = World()
    let ids = world.thread(3, from: World.ago(100 * World.day))
    let x = FakeX(world) {
      $0.allowsFullSearch = false
      $0.faults["timeline"] = [.access]
    }
    let fetched = await XThreads(x, now: World.now).thread(of: ids[2])
    #expect(fetched.failure == nil)
    #expect(fetched.conversations.first?.posts.count == 3)
    #expect(
      fetched.conversations.first?.coverage.limits.contains(CoverageLimit(.timelineUnread)) == true)
  }
}
