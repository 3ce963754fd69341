/// A question with options that readers vote on.
package struct Poll: Hashable, Sendable {
  package var id: String?
  /// In the author's order.
  package var options: [PollOption]
  package var status: PollStatus
  package var endsAt: Timestamp?
  /// People who voted, where the network counts them apart from votes.
  package var voters: Int?
  /// Whether a reader could choose more than one option.
  package var allowsMultiple: Bool
  /// What the network said and this model has no word for.
  package var extra: JSONObject

  package init(options: [PollOption], status: PollStatus = .unknown, endsAt: Timestamp? = nil) {
    self.options = options
    self.status = status
    self.endsAt = endsAt
    self.allowsMultiple = false
    self.extra = [:]
  }

  /// All votes; `nil` where the network hides any of them.
  package var totalVotes: Int? {
    var total = 0
    for option in options {
      guard let votes = option.votes else { return nil }
      total = total.addingReportingOverflow(max(votes, 0)).partialValue
    }
    return total
  }
}

/// One option: its place in the poll is what it is known by, as two may have the same label.
package struct PollOption: Hashable, Sendable {
  package var label: String
  /// `nil` where the network hides it, as before a poll has ended.
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
