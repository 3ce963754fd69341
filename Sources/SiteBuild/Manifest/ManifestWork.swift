import Basics
import Foundation
import MediaMirror
import Publishing
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadStore

/// Writes the manifest of a site, and verifies a manifest by building the site again (`build --manifest`, `check --manifest`).
package struct ManifestWork: Sendable {
  private let site: SiteFolder
  private let installation: Installation?
  private let program: String
  private let jobs: Int

  /// - Parameter program: the version of the program.
  package init(_ site: SiteFolder, installation: Installation?, program: String, jobs: Int) {
    self.site = site
    self.installation = installation
    self.program = program
    self.jobs = jobs
  }

  // MARK: Writing

  /// Writes the manifest of the site, which was just built.
  ///
  /// - Parameters:
  ///   - file: must be outside of the output folder, whose other files the next build would remove.
  ///   - baseURL: the URL of the command line, which replaced the one in site.yml.
  package func write(to file: String, baseURL: String?, includesDrafts: Bool) throws(PipelineError) {
    let files = try Self.files(of: site.output, jobs: jobs)
    var inputs = try inputs()
    if files.keys.contains(where: isCopy) { inputs[Self.libvips] = ScaledImages.version() }
    let manifest = SiteManifest(
      program: program, baseURL: baseURL, includesDrafts: includesDrafts,
      time: site.waitingThreads == nil ? nil : site.openedAt, inputs: inputs, files: files)
    do {
      try AtomicFile.write(Array((JSONWriter.text(of: manifest.json).string + "\n").utf8), to: file)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Checks the place of a manifest before a build.
  package func checkPlace(of file: String) throws(PipelineError) {
    let path = FileSystem.withoutLinks(URL(filePath: file).absoluteURL.path)
    guard path == site.output || path.hasBytePrefix(site.output + "/") else { return }
    throw PipelineError(
      .configuration,
      ["\(file): error: the manifest is not part of the site; give it a path outside of \(site.output)."])
  }

  /// The name of the input whose value is the version of libvips, if it made copies of photos.
  private static let libvips = "libvips"

  /// Whether a file of the site is a copy of a photo that a build made.
  private func isCopy(_ path: String) -> Bool {
    let name = String(PathText.name(of: path))
    return path == ThreadWorker.mediaPath(name).file && ScaledImageName(name) != nil
      && FileSystem.kind(of: "\(site.store)/\(ThreadStore.mediaFolderName)/\(name)") == .nothing
  }

  private func inputs() throws(PipelineError) -> [String: String] {
    var inputs: [String: String] = [:]
    var folders = [
      "threads": site.store, "pages": site.pagesFolder, "static": site.staticFolder,
      "templates": site.path + "/templates",
      "themes": site.path + "/themes",
    ]
    if let share = installation?.share, share != site.path {
      folders["installed templates"] = share + "/templates"
      folders["installed themes"] = share + "/themes"
    }
    if let decoded = site.decoded { inputs["site.yml"] = Hexadecimal.digits(SHA256.hash(decoded.bytes)) }
    for (name, folder) in folders where FileSystem.isFolder(folder) {
      let files = try Self.files(of: folder, jobs: jobs)
      guard !files.isEmpty else { continue }
      let lines = files.sorted { $0.key.precedesInBytes($1.key) }.map {
        "\($0.value)  \($0.key)\n"
      }
      inputs[name] = Hexadecimal.digits(SHA256.hash(Array(lines.joined().utf8)))
    }
    return inputs
  }

  /// Returns the digests of the files in a folder by their paths, without hidden files.
  private static func files(of folder: String, jobs: Int) throws(PipelineError) -> [String: String] {
    do {
      let listing = try SiteListing(of: folder, .sha256, cache: nil, jobs: jobs) { path in
        path.utf8.first == UInt8(ascii: ".") && !path.hasBytePrefix(".well-known/") || path.contains("/.")
      }
      return Dictionary(uniqueKeysWithValues: listing.files.map { ($0.path.text, $0.digest) })
    } catch {
      throw PipelineError(error)
    }
  }

  // MARK: Verifying

  /// Reads a manifest.
  package static func read(_ file: String) throws(PipelineError) -> SiteManifest {
    do {
      let value = try JSONValue(parsing: try FileBytes.read(FileSystem.named(file)))
      if let manifest = SiteManifest(value) { return manifest }
    } catch let error as JSONError {
      throw PipelineError(.content, [error.description(file: file)])
    } catch let error as FileError {
      throw PipelineError(error, about: .io)
    } catch {
      throw PipelineError(.io, error)
    }
    throw PipelineError(
      .content, ["\(file): error: this is not a manifest; `threadsite build --manifest FILE` writes one."])
  }

  /// Builds the site again in a temporary folder, without any cache, and compares it with a manifest. If inputs differ, the site would
  /// differ as well, so it is not built.
  ///
  /// - Returns: a finding for each difference.
  package func verify(_ manifest: SiteManifest, of file: String, progress: @escaping ProgressHandler)
    throws(PipelineError)
    -> [CheckFinding]
  {
    func findings(
      _ differences: [SiteManifest.Difference], changed: String, missing: String, added: String
    ) -> [CheckFinding] {
      differences.map { difference in
        let message =
          switch difference.kind {
          case .changed: changed
          case .missing: missing
          case .added: added
          }
        return CheckFinding(.manifest, at: file, difference.name, message)
      }
    }
    guard manifest.program == program else {
      let message =
        "version \(manifest.program) of threadsite built the site, and this is version \(program); verify it with that version."
      return [CheckFinding(.manifest, at: file, "program", message)]
    }
    var found = try inputs()
    if let version = manifest.inputs[Self.libvips] {
      found[Self.libvips] = ScaledImages.version()
      guard found[Self.libvips] == version else {
        let message =
          "libvips \(version) made the copies of photos, and this machine has \(found[Self.libvips] ?? "no libvips"); verify the site with that version."
        return [CheckFinding(.manifest, at: file, Self.libvips, message)]
      }
    }
    let inputs = findings(
      SiteManifest.differences(manifest.inputs, found),
      changed: "this input of the site was changed after the manifest was written.",
      missing: "this input of the site no longer exists.",
      added: "this input was added after the manifest was written.")
    guard inputs.isEmpty else { return inputs }
    return findings(
      SiteManifest.differences(manifest.files, try rebuilt(manifest, progress)),
      changed: "the inputs in the manifest produce a different file.",
      missing: "the inputs in the manifest do not produce this file.",
      added: "the inputs in the manifest produce this file, which the manifest does not list.")
  }

  private func rebuilt(_ manifest: SiteManifest, _ progress: @escaping ProgressHandler) throws(PipelineError)
    -> [String: String]
  {
    let folder =
      FileSystem.withoutLinks(FileManager.default.temporaryDirectory.path)
      + "/threadsite-\(UUID().uuidString)"
    do {
      try FileSystem.makeFolders(folder)
    } catch {
      throw PipelineError(.io, error)
    }
    // A folder that cannot be removed is left to the system, which empties its folder of temporary files.
    defer { try? FileSystem.remove(folder) }
    let again = try site.reopened(
      output: folder + "/site", baseURL: manifest.baseURL, at: manifest.time)
    var options = SiteBuild.Options(jobs: jobs)
    options.includesDrafts = manifest.includesDrafts
    options.usesCache = false
    options.copiesPhotos = manifest.inputs[Self.libvips] != nil
    // The URLs of new threads do not go into the store's record.
    options.permalinksFile = folder + "/permalinks.json"
    _ = try SiteBuild(again, installation: installation, options: options, progress: progress).run()
    return try Self.files(of: again.output, jobs: jobs)
  }
}
