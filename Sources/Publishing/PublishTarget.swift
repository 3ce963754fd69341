import SiteOutput

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

/// The built site as it is handed to a place, with a folder for what is remembered between two times.
package struct PublishedSite: Sendable {
  package let folder: String
  /// The path that the site is at on its host, with a slash at both ends.
  package let basePath: String
  /// For listings, logs and repositories that may be deleted at any moment.
  package let state: String
  package let jobs: Int
  package let progress: PublishProgress

  package init(
    folder: String, basePath: String, state: String, jobs: Int, progress: @escaping PublishProgress
  ) {
    self.folder = folder
    self.basePath = basePath
    self.state = state
    self.jobs = jobs
    self.progress = progress
  }

  /// All files of the site but the one by which a build knows its own folder.
  package func listing(_ digest: FileDigest) throws(PublishError) -> SiteListing {
    let listing = try SiteListing(
      of: folder, digest, cache: "\(state)/site.\(digest.rawValue)", jobs: jobs,
      leavingOut: { $0 == StagedSite.markerName })
    guard !listing.files.isEmpty else {
      throw PublishError(
        .content, "\(folder): error: there is nothing to publish here; `threadsite build` makes the site.")
    }
    return listing
  }
}

/// Told what is being done, and how much of how much is.
package typealias PublishProgress = @Sendable (_ step: String, _ done: Int, _ total: Int) -> Void
