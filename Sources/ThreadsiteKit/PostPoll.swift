import ThreadModel

/// A poll in a post.
public struct PostPoll: Sendable, Hashable {
  /// An option of a poll.
  public struct Option: Sendable, Hashable {
    public let label: String
    /// `nil` if the network hides the votes.
    public let votes: Int?
  }

  /// In the author's order.
  public let options: [Option]
  /// The sum of all votes; `nil` if the network hides the votes of an option.
  public let totalVotes: Int?
  /// The number of people who voted, if the network counts people separately from votes.
  public let voters: Int?
  /// Whether a reader could choose more than one option.
  public let allowsMultiple: Bool
  /// The end of the poll in milliseconds since 1970, UTC; `nil` if it is unknown.
  public let endsAt: Int64?
  /// Whether the poll had ended when it was last fetched; `nil` if this is unknown.
  public let isClosed: Bool?

  init(_ poll: Poll) {
    options = poll.options.map { Option(label: $0.label, votes: $0.votes) }
    totalVotes = poll.totalVotes
    voters = poll.voters
    allowsMultiple = poll.allowsMultiple
    endsAt = poll.endsAt?.milliseconds
    isClosed =
      switch poll.status {
      case .open: false
      case .closed: true
      default: nil
      }
  }
}
