import Basics
import Foundation
import HTTPTransport
import NetworkSources
import SiteConfig
import Testing
import ThreadModel

@testable import BlueskyNetwork

/// Sends no requests; for tests that only read.
struct NobodyAnswers: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    throw HTTPError(.refusedURL, "nobody is asked", url: request.url)
  }
}

extension BlueskyAPI {
  static var nobody: BlueskyAPI {
    BlueskyAPI(
      SourceRun(
        config: .defaults, environment: [:], transport: NobodyAnswers(), workFolder: "/nonexistent",
        absolutePath: { $0 }, maximumCost: .zero, now: { Timestamp(seconds: 1_790_000_000) }))
  }
}

@Suite struct BlueskyLabelTests {
  private let now = Timestamp(seconds: 1_790_000_000)
  private let uri = "at://did:plc:ada/app.bsky.feed.post/3kaaaaaaaaa2a"

  private func read(
    labels: [JSONValue] = [], account: [JSONValue] = [], record: [String: JSONValue] = [:]
  ) -> (post: Post?, stone: Tombstone?) {
    var value: [String: JSONValue] = ["text": "Hello", "createdAt": "2026-01-01T00:00:00Z"]
    value.merge(record) { $1 }
    var observations = BlueskyObservations(now: now)
    let address = observations.add(postView: [
      "uri": .string(uri), "record": .object(value), "labels": .array(labels),
      "indexedAt": "2026-01-01T00:00:01Z",
      "author": ["did": "did:plc:ada", "handle": "ada.example.com", "labels": .array(account)],
    ])
    return (address.flatMap { observations.posts[$0] }, address.flatMap { observations.missing[$0] })
  }

  private func label(_ name: String, _ subject: String? = nil, _ more: [String: JSONValue] = [:]) -> JSONValue
  {
    .object(["val": .string(name), "uri": .string(subject ?? uri)].merging(more) { $1 })
  }

  @Test func rejectsAnAccountForSignedInUsersOnly() {
    let profile = "at://did:plc:ada/app.bsky.actor.profile/self"
    let (post, stone) = read(account: [label("!no-unauthenticated", profile)])
    #expect(post == nil && stone?.reason == .signedInOnly)
    #expect(stone?.handle == "ada.example.com" && stone?.detail == nil)
  }

  @Test func readsHideWarnAndSensitiveLabels() {
    #expect(read(labels: [label("!hide")]).stone?.reason == .withheld)
    #expect(read(labels: [label("!warn")]).post?.warnings == [.moderation])
    #expect(read(labels: [label("!warn"), label("spam")]).post?.warnings == ["spam"])
    #expect(read(labels: [label("!warn")]).post?.contentWarning == nil)
    #expect(read(labels: [label("porn")]).post?.warnings == [.porn])
    #expect(read(labels: [label("porn")]).post?.isSensitive == true)
    #expect(read(account: [label("sexual", "did:plc:ada")]).post?.isSensitive == true)
    // On the profile, it applies to the image.
    let profile = "at://did:plc:ada/app.bsky.actor.profile/self"
    #expect(read(account: [label("sexual", profile)]).post?.isSensitive == false)
    #expect(read(labels: [label("somebody-elses-word")]).post?.isSensitive == false)
  }

  @Test func ignoresExpiredAndNegatedLabels() {
    #expect(read(labels: [label("!hide", nil, ["neg": true])]).post != nil)
    #expect(read(labels: [label("!hide", nil, ["exp": "2020-01-01T00:00:00Z"])]).post != nil)
  }

  @Test func correctsImpossibleTimes() {
    #expect(
      read(record: ["createdAt": "2031-01-01T00:00:00Z"]).post?.createdAt?.iso8601 == "2026-01-01T00:00:01Z")
    #expect(
      read(record: ["createdAt": "1955-11-05T00:00:00Z"]).post?.createdAt?.iso8601 == "2026-01-01T00:00:01Z")
    #expect(read(record: ["createdAt": "soon"]).post?.createdAt != nil)
  }
}
