import NetworkSources
import ThreadModel

/// Why an account's posts are not to be had.
enum BlueskyAccountState {
  /// Whether an error of `getProfile` says that the account is gone; `nil` for one that says something else.
  static func reason(ofError name: String, _ message: String) -> TombstoneReason? {
    switch name {
    case "AccountTakedown", "AccountSuspended", "RepoTakendown", "RepoSuspended": .suspended
    case "AccountDeactivated", "RepoDeactivated": .deactivated
    case "RepoNotFound", "NotFound": .deleted
    case "InvalidRequest" where message.lowercased().contains("not found"): .deleted
    default: nil
    }
  }

  static func error(_ reason: TombstoneReason, _ name: String) -> SourceError {
    switch reason {
    case .suspended: SourceError(.content, "Bluesky has suspended the account \(name).")
    case .deactivated: SourceError(.content, "The account \(name) is deactivated by its owner.")
    case .signedInOnly:
      SourceError(
        .content,
        "\(name) shows posts only to people who are signed in to Bluesky. They are not copied to a site that everybody can read."
      )
    default: SourceError(.content, "Bluesky has no account \(name) any more.")
    }
  }
}
