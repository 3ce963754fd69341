package import Foundation
package import SiteConfig

/// What one run fetches, and how far it may go.
package struct FetchOptions: Sendable {
  package enum Scope: Sendable {
    /// What site.yml lists and the store lacks: what a build does before it builds.
    case missing
    /// That, what was last asked about too long ago, and media that have no copy yet.
    case due
    /// Everything in the store, however lately it was asked about.
    case all
    /// These threads, whether or not the store has them.
    case only([PostReference])
  }

  package var scope: Scope
  /// In US dollars; `nil` for what site.yml says.
  package var maximumCost: Decimal?
  package var wantsReplies = false
  /// Whether a thread of the store that cannot be read stops nothing: it is passed over, and not fetched again.
  package var keepsGoing = false

  package init(_ scope: Scope) { self.scope = scope }

  var isForBuilding: Bool { if case .missing = scope { true } else { false } }
}
