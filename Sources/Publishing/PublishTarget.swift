import SiteOutput

/// A destination to which sites are published.
package protocol PublishTarget: Sendable {
  /// The destination's name in messages.
  var name: String { get }
  /// The name of one item at the destination.
  var unit: String { get }

  /// Compares the site with the published files. Nothing is changed at the destination.
  func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork
}

extension PublishTarget {
  package var unit: String { "file" }
}

/// The changes that publishing will make, and the function that makes them.
package struct PublishWork: Sendable {
  /// `nil` if the changes are not known in advance.
  package let difference: SiteDifference?
  /// Makes the changes; called at most once.
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

/// A built site to publish, with a folder for data that is kept between runs.
package struct PublishedSite: Sendable {
  package let folder: String
  /// The path of the site on its host, with a slash at both ends.
  package let basePath: String
  /// The folder for listings, logs and repositories, which may be deleted at any time.
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

  /// Lists all files of the site except the marker file of the output folder and hidden files (`HiddenFiles`). Throws if there are no
  /// files.
  package func listing(_ digest: FileDigest) throws(PublishError) -> SiteListing {
    let listing = try SiteListing(
      of: folder, digest, cache: "\(state)/site.\(digest.rawValue)", jobs: jobs,
      leavingOut: { $0 == StagedSite.markerName || !HiddenFiles.arePublished($0) })
    guard !listing.files.isEmpty else {
      throw PublishError(
        .content, "\(folder): error: there is no site to publish; run `threadsite build` first.")
    }
    return listing
  }
}

/// Receives the name of the current step, and the number of its completed items.
package typealias PublishProgress = @Sendable (_ step: String, _ done: Int, _ total: Int) -> Void
