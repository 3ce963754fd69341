/// A place that sites are published to.
package protocol PublishTarget: Sendable {
  /// What messages call it.
  var name: String { get }

  /// Compares the site with what is there. Nothing is changed there.
  func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork
}

/// What is to be done, and how.
package struct PublishWork: Sendable {
  /// `nil` where nobody can tell before it is done.
  package let difference: SiteDifference?
  /// Does it; called at most once.
  package let carryOut: @Sendable () async -> Result<Void, PublishError>

  package init(
    _ difference: SiteDifference?, carryOut: @escaping @Sendable () async throws(PublishError) -> Void
  ) {
    self.difference = difference
    self.carryOut = {
      do throws(PublishError) { return .success(try await carryOut()) } catch { return .failure(error) }
    }
  }
}
