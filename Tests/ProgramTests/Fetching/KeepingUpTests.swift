import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore
import Unroll
import XStub

extension FetchingTests {
  @Suite("Posts that X no longer shows")
  struct KeepingUpTests {
    private func fetched(_ configuration: String = "") async throws -> FetchingSite {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure(configuration)
      let outcome = try await fetching.run("add", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.code) \(outcome.errors)")
      return fetching
    }

    @Test func removesTextAndMediaOfADeletedPost() async throws {
      let fetching = try await fetched()
      let photo = try #require(
        try fetching.conversation().posts.first { $0.id == fetching.sample.posts[1].post })
      let file = try #require(photo.media.first?.file)
      let text = photo.text.text
      fetching.stub.change { $0.delete(fetching.sample.posts[1]) }
      let outcome = try await fetching.run("fetch", "--all")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("1 post no longer available on the network"))
      let after = try fetching.conversation()
      #expect(!after.posts.contains { $0.id == photo.id })
      #expect(after.tombstones.first { $0.id == photo.id }?.removedAt != nil)
      #expect(!fetching.site.folder.exists("threads/media/\(file)"))
      for (name, data) in try fetching.site.folder.tree("threads") {
        #expect(!data.contains(text), "\(name) still contains the text")
      }
      #expect(try await fetching.run("build").code == 0)
      #expect(try !fetching.page().contains(text))
      // Neither fetching the thread nor importing older responses brings it back.
      #expect(try await fetching.run("fetch", "\(fetching.sample.last)").code == 0)
      #expect(try !fetching.conversation().posts.contains { $0.id == photo.id })
      try await fetching.finish()
    }

    @Test("After a fetch finds a post deleted, no file in .threadsite contains its words")
    func deletesCopiesOfRemovedWords() async throws {
      let fetching = try await fetched()
      #expect(try await fetching.run("build", "--offline").code == 0)
      let gone = fetching.sample.posts[1]
      let text = try #require(
        try fetching.conversation().posts.first { $0.id == gone.post }?.text.text.split(separator: "\n").first
      )
      func holders() throws -> [String] {
        try fetching.site.folder.tree(".threadsite").filter { $0.value.contains(text) }
          .keys.sorted()
      }
      #expect(try !holders().isEmpty)
      fetching.stub.change { $0.delete(gone) }
      #expect(try await fetching.run("fetch", "--all").code == 0)
      #expect(try holders() == [])
      #expect(try await fetching.run("build", "--offline").code == 0)
      #expect(try holders() == [])
      try await fetching.finish()
    }

    /// The author's texts, name, bio, profile image and followers are removed with the posts, and also the
    /// words in the page's URL.
    @Test(arguments: [(true, "Suspended account"), (false, "Deleted account")])
    func closedAccountLeavesNoTraces(isSuspended: Bool, name: String) async throws {
      let fetching = try await fetched("fetch:\n  followers: 3\n")
      #expect(try await fetching.run("fetch").code == 0)
      #expect(try await fetching.run("build", "--offline").code == 0)
      #expect(try await fetching.run("publish", "--record").code == 0)
      let before = try fetching.conversation()
      let author = try #require(before.author)
      let own = before.posts.filter { $0.authorID == before.authorID }
      let old = try #require(
        try fetching.site.tree().keys.first {
          $0.hasPrefix("x/") && $0.hasSuffix("-\(before.id.value)/index.html")
        })
      let avatar = try #require(author.avatarFile)
      #expect(fetching.site.folder.exists("threads/profiles/x/\(author.id.value).json"))

      let id = fetching.sample.author.id
      fetching.stub.change { if isSuspended { $0.suspend(id) } else { $0.deactivate(id) } }
      #expect(try await fetching.run("fetch", "--all").code == 0)
      #expect(try await fetching.run("build", "--offline").code == 0)

      let after = try fetching.conversation()
      #expect(after.author?.isGone == true)
      #expect(!fetching.site.folder.exists("threads/profiles/x/\(author.id.value).json"))
      #expect(!fetching.site.folder.exists("threads/media/\(avatar)"))
      let title = old.split(separator: "/")[2].replacing("-\(before.id.value)", with: "")
      let words =
        ["Halvorsen", "Harbour pilot", "mira.example", "Bergen", avatar, String(title)] + own.map(\.text.text)
      for folder in ["threads", "site"] {
        for (file, data) in try fetching.site.folder.tree(folder)
        // The old URL must be recorded for its redirect. File names contain no words.
        where file != "permalinks.json" && !file.contains("/.incoming/") {
          for word in words where !word.isEmpty {
            #expect(!data.contains(word), "\(folder)/\(file) still contains \(word)")
          }
        }
      }
      // The page has a URL without words, and the old URL redirects to it.
      let page = try fetching.site.page("x/mira_stub/\(before.id.value)/index.html")
      #expect(page.contains(name))
      #expect(try fetching.site.page("x/mira_stub/index.html").contains(name))
      #expect(
        try fetching.site.page(old).contains(
          #"content="0; url=../../../x/mira_stub/\#(before.id.value)/""#))
      // Every post of the thread is missing.
      let thread = UnrolledThread(unrolling: after)
      #expect(thread.completeness.known == 0)
      #expect(thread.completeness.expected ?? 0 >= own.count)
      let known = Set(own.map(\.id))
      #expect(Set(after.tombstones.map(\.id)).isSuperset(of: known))
      // Another build changes nothing, and a later import of older responses does not bring it back.
      let tree = try fetching.site.tree()
      #expect(try await fetching.run("build", "--offline").code == 0)
      #expect(try fetching.site.tree() == tree)
      let again = try fetching.store.save(before)
      #expect(try fetching.store.read(again.file).author?.name == nil)
      // In every language.
      let names = [
        ("de", "Gesperrtes Konto", "Gelöschtes Konto"), ("fr", "Compte suspendu", "Compte supprimé"),
        ("es", "Cuenta suspendida", "Cuenta eliminada"), ("ja", "凍結されたアカウント", "削除されたアカウント"),
        ("ar", "حساب موقوف", "حساب محذوف"),
      ]
      for (language, suspended, deleted) in TestDepth.sample(names, fast: 2) {
        try fetching.configure("language: \(language)")
        #expect(try await fetching.run("build", "--offline").code == 0)
        let page = try fetching.site.page("x/mira_stub/\(before.id.value)/index.html")
        #expect(page.contains(isSuspended ? suspended : deleted), "\(language)")
      }
      try await fetching.finish()
    }

    @Test func keptPostIsMarkedAsDeleted() async throws {
      let fetching = try await fetched("fetch:\n  on_deleted: keep")
      fetching.stub.change { $0.delete(fetching.sample.posts[1]) }
      #expect(try await fetching.run("fetch", "--all").code == 0)
      let after = try fetching.conversation()
      #expect(after.posts.first { $0.id == fetching.sample.posts[1].post }?.removal != nil)
      #expect(try await fetching.run("build").code == 0)
      #expect(try fetching.page().contains("No longer on X"))
      try await fetching.finish()
    }

    @Test func removesPostsOfAProtectedAccount() async throws {
      let fetching = try await fetched()
      fetching.stub.change { $0.protect(fetching.sample.author.id) }
      let outcome = try await fetching.run("fetch", "--all")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let after = try fetching.conversation()
      #expect(!after.posts.contains { $0.authorID == after.authorID })
      #expect(try await fetching.run("build").code == 0)
      try await fetching.finish()
    }

    @Test func refreshSetsTheIntervalOfChecks() async throws {
      let fetching = try await fetched("fetch:\n  refresh: 0h")
      fetching.stub.clearLog()
      let outcome = try await fetching.run("fetch")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fetching.stub.requests(to: .posts).count == 1, "one request for the whole thread")
      try await fetching.finish()
    }
  }
}

extension FetchingTests {
  @Suite("Threads of authors and searches, replies and profiles")
  struct CollectionFetchingTests {
    @Test func fetchesThreadsOfAnAuthor() async throws {
      let fetching = try await FetchingSite(days: 20)
      try fetching.configure(
        "sources:\n  - account: https://x.com/\(fetching.sample.author.username)\n    min_posts: 3")
      let outcome = try await fetching.run("build")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.conversation().id == fetching.sample.root.post)
      fetching.stub.clearLog()
      #expect(try await fetching.run("build").code == 0)
      #expect(fetching.stub.apiRequests.isEmpty, "requested only once until it is outdated")
      try await fetching.finish()
    }

    @Test func fetchesThreadsOfASearch() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure(
        "sources:\n  - search: \"from:\(fetching.sample.author.username) dusk\"\n    limit: 3")
      let outcome = try await fetching.run("build")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.page().contains("The harbour at dusk"))
      #expect(try fetching.site.folder.text("threads/sources.json").contains("x/\(fetching.sample.root)"))
      fetching.stub.clearLog()
      #expect(try await fetching.run("build").code == 0)
      #expect(fetching.stub.apiRequests.isEmpty)
      try await fetching.finish()
    }

    @Test func repliesFollowTheThread() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure(
        "sources:\n  - \(fetching.sample.root)\nthreads:\n  - url: \(fetching.sample.root)\n    replies: true"
      )
      let outcome = try await fetching.run("build")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let page = try fetching.page()
      for reply in fetching.sample.replies {
        #expect(page.contains("post-\(reply)"), "\(reply) is not on the page")
      }
      #expect(page.contains("post-\(fetching.sample.answer)"))
      try await fetching.finish()
    }

    @Test func authorPageListsFollowers() async throws {
      let fetching = try await FetchingSite(days: 2)
      try fetching.configure("fetch:\n  followers: 5")
      #expect(try await fetching.run("add", "\(fetching.sample.root)").code == 0)
      #expect(fetching.stub.requests(to: .followers).count == 1)
      #expect(try await fetching.run("build").code == 0)
      let page = try fetching.site.page("x/\(fetching.sample.author.username)/index.html")
      #expect(page.contains("Bergen"))
      #expect(page.contains("bo_stub") || page.contains("kenji_stub"))
      try await fetching.finish()
    }
  }
}

extension FetchingTests {
  @Suite("The next run completes an interrupted one")
  struct UnfinishedFetchingTests {
    /// The budget ends in the middle of a thread. The next fetch or build completes it.
    @Test(arguments: ["fetch", "build"])
    func completesAThreadThatWasCutOff(command: String) async throws {
      let fetching = try await FetchingSite(days: 2)
      fetching.stub.behave { $0.pageSize = 5 }
      let first = try await fetching.run("add", "\(fetching.sample.root)", "--max-cost", "0.15")
      #expect(first.code == 75, "\(first.errors)")
      let cut = try fetching.conversation()
      #expect(cut.coverage.limits.map(\.kind) == [.fetchEnded])
      #expect(try fetching.site.folder.text("threads/sources.json").contains("x/\(fetching.sample.root)"))
      let second = try await fetching.run(command)
      #expect(second.code == 0, "\(second.errors)")
      let whole = try fetching.conversation()
      #expect(whole.coverage.limits == [] && whole.posts.count > cut.posts.count)
      #expect(try !fetching.site.folder.text("threads/sources.json").contains("unfinished"))
      fetching.stub.clearLog()
      #expect(try await fetching.run("build").code == 0)
      #expect(fetching.stub.apiRequests.isEmpty)
      try await fetching.finish()
    }

    /// Naming a thread checks its posts again and pays for no other thread.
    @Test func namedThreadIsCheckedAgain() async throws {
      let fetching = try await FetchingSite(days: 2)
      #expect(try await fetching.run("add", "\(fetching.sample.root)").code == 0)
      let gone = fetching.sample.posts[5]
      fetching.stub.change { $0.delete(gone) }
      let outcome = try await fetching.run("fetch", "\(fetching.sample.root)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try fetching.conversation()
      #expect(!conversation.posts.contains { $0.id.value == "\(gone)" })
      try await fetching.finish()
    }

    /// An account is read from the last known post.
    @Test func postsOfAnAccountArePaidForOnce() async throws {
      let fetching = try await FetchingSite(days: 20)
      try fetching.configure("sources:\n  - account: https://x.com/\(fetching.sample.author.username)")
      #expect(try await fetching.run("fetch").code == 0)
      #expect(try fetching.site.folder.text("threads/sources.json").contains("\"newest\""))
      // A fresh clone has no working files.
      try FileManager.default.removeItem(atPath: fetching.site.path + "/.threadsite")
      fetching.stub.clearLog()
      let outcome = try await fetching.run("fetch", "--json")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(fetching.stub.requests(to: .timeline).allSatisfy { "\($0)".contains("since_id") })
      #expect(fetching.stub.requests(to: .userByName).isEmpty)
      try await fetching.finish()
    }
  }
}
