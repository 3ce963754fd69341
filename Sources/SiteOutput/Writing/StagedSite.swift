#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A site on its way: written beside the output folder and put in its place as a whole.
///
/// Until `publish` nothing of the previous site is touched; a build that stops half-way leaves it as it was, and what it
/// left behind is cleared by the next one. Files may be written from many threads at once. Files are not flushed to
/// the disk one by one: a site is made again by a build, unlike the store.
package struct StagedSite: Sendable {
  /// Says that threadsite wrote the folder and may replace it.
  package static let markerName = ".threadsite"

  private let output: String
  private let staging: String

  /// Makes the empty staging folder.
  ///
  /// - Parameters:
  ///   - output: an absolute path; the folder may exist only if it is empty, or threadsite wrote it, or `force` is given.
  /// - Throws: `SiteOutputError` if the folder is somebody else's or the staging folder cannot be made.
  package init(output: String, force: Bool) throws(SiteOutputError) {
    var output = output
    while output.count > 1, output.hasSuffix("/") { output.removeLast() }
    guard let slash = output.lastIndex(of: "/"), output != "/" else {
      throw .unsafeOutput(folder: output, problem: "it has to be a folder of its own.")
    }
    if POSIXFile.exists(output) {
      guard POSIXFile.isFolder(output) else {
        throw .unsafeOutput(folder: output, problem: "there is a file of that name.")
      }
      let isOurs = POSIXFile.exists(output + "/" + Self.markerName)
      guard isOurs || force || POSIXFile.names(in: output).isEmpty else { throw .notOurs(folder: output) }
    }
    self.output = output
    self.staging = "\(output[...slash]).\(output[output.index(after: slash)...]).staging"
    try POSIXFile.remove(staging)
    try POSIXFile.makeFolders(staging)
    try write(
      Array("This folder is written by threadsite, which replaces all of it at every build.\n".utf8),
      to: SitePath(Self.markerName))
  }

  /// Writes one file of the site.
  package func write(_ bytes: [UInt8], to path: SitePath) throws(SiteOutputError) {
    try POSIXFile.write(bytes, to: staging + "/" + path.file)
  }

  /// Copies a file into the site.
  package func copy(from source: String, to path: SitePath) throws(SiteOutputError) {
    try write(FileBytes.read(source), to: path)
  }

  /// Puts the site in its place; the previous one goes.
  package func publish() throws(SiteOutputError) {
    if let previous = try POSIXFile.swap(staging, into: output) { try POSIXFile.remove(previous) }
  }

  /// Throws the staged files away; the previous site stays.
  package func discard() throws(SiteOutputError) {
    try POSIXFile.remove(staging)
  }
}
