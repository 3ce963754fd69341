/// A question with options for readers to vote on.
package struct Poll: Hashable, Sendable {
  package var id: String?
  /// In the author's order.
  package var options: [PollOption]
  package var status: PollStatus
  package var endsAt: Timestamp?
  /// The number of people who voted, if the network counts people separately from votes.
  package var voters: Int?
  /// Whether a reader could choose more than one option.
  package var allowsMultiple: Bool
  /// Fields from the network that this model does not define.
  package var extra: JSONObject

  package init(options: [PollOption], status: PollStatus = .unknown, endsAt: Timestamp? = nil) {
    self.options = options
    self.status = status
    self.endsAt = endsAt
    self.allowsMultiple = false
    self.extra = [:]
  }

  /// The sum of all votes; `nil` if the network hides the votes of any option. The sum is limited to the largest Int, which only a
  /// forged poll reaches.
  package var totalVotes: Int? {
    var total = 0
    for option in options {
      guard let votes = option.votes else { return nil }
      let (sum, overflows) = total.addingReportingOverflow(max(votes, 0))
      total = overflows ? .max : sum
    }
    return total
  }
}

/// An option of a poll. Options are identified by their position, as two may have the same label.
package struct PollOption: Hashable, Sendable {
  package var label: String
  /// `nil` if the network hides the votes, for example before the poll has ended.
  package var votes: Int?

  package init(_ label: String, votes: Int? = nil) {
    self.label = label
    self.votes = votes
  }
}

package struct PollStatus: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let open: PollStatus = "open"
  package static let closed: PollStatus = "closed"
  package static let unknown: PollStatus = "unknown"
}

extension Poll: StoredRecord {
  package static let noun = "poll"
  package static func blank(on platform: Platform) -> Self { Self(options: []) }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("allows_multiple", \.allowsMultiple, .ownMerge)
    try visitor.field("ends_at", \.endsAt)
    try visitor.field("extra", \.extra)
    try visitor.field("id", \.id, .nonEmpty)
    try visitor.field("options", \.options, .ownMerge)
    try visitor.field("status", \.status, .ownMerge)
    try visitor.field("voters", \.voters)
  }
}

extension PollOption: StoredRecord {
  package static let noun = "poll option"
  package static func blank(on platform: Platform) -> Self { Self("") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("label", \.label, [.required, .words])
    try visitor.field("votes", \.votes)
  }
}
