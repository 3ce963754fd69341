import Basics
import Foundation

/// `threadsite init --ci`: the files by which a forge builds a site, publishes it, and adds threads on request.
///
/// They are written from files of the installation (`templates/ci/`). From then on they belong to the site's owner and are overwritten only
/// on request.
package struct CIFiles: Sendable {
  /// The service that hosts a repository and runs its workflows.
  package enum Forge: String, CaseIterable, Sendable {
    case github, gitlab, forgejo
    /// Forgejo's workflow with the names of Codeberg's runners.
    case codeberg
    /// The workflow of Forgejo, in the folder for Gitea.
    case gitea

    /// The files, each with its template and its path.
    fileprivate var files: [(template: String, path: String)] {
      switch self {
      case .github:
        [
          ("github/workflow.yml", ".github/workflows/threadsite.yml"),
          ("github/add-a-thread.yml", ".github/ISSUE_TEMPLATE/add-a-thread.yml"),
        ]
      case .gitlab: [("gitlab/gitlab-ci.yml", ".gitlab-ci.yml")]
      case .forgejo, .codeberg, .gitea:
        [
          ("forgejo/workflow.yml", "\(folder)/workflows/threadsite.yml"),
          ("forgejo/add-a-thread.yml", "\(folder)/issue_template/add-a-thread.yml"),
        ]
      }
    }

    /// The folder that Forgejo and Gitea read.
    private var folder: String { self == .gitea ? ".gitea" : ".forgejo" }

    /// Returns a template for this forge.
    fileprivate func adapted(_ text: String) -> String {
      // The names of the runners that the forges provide by default.
      let runners = self == .codeberg ? "codeberg-small" : self == .gitea ? "ubuntu-latest" : nil
      guard let runners else { return text }
      return text.replacing("runs-on: docker", with: "runs-on: \(runners)")
        .replacing("init --ci forgejo", with: "init --ci \(rawValue)").replacing(
          ".forgejo/", with: "\(folder)/")
    }

    /// The lines of site.yml that are required for publishing; `nil` if the workflow publishes the folder itself.
    package var configuration: String? {
      guard [.forgejo, .codeberg, .gitea].contains(self) else { return nil }
      return """
        # The workflow publishes to this branch, with what git knows of the forge there.
        publish:
          git: { branch: pages }

        """
    }
  }

  private let folder: String
  private let forge: Forge
  private let installation: Installation?
  private let version: String

  /// - Parameters:
  ///   - folder: the site's folder.
  ///   - version: the version of threadsite that the workflows install.
  package init(folder: String, forge: Forge, installation: Installation?, version: String) {
    self.folder = FileSystem.withoutLinks(URL(filePath: folder).standardizedFileURL.path)
    self.forge = forge
    self.installation = installation
    self.version = version
  }

  /// Whether the folder already contains a site, so that only the CI files are written.
  package var hasSite: Bool { FileSystem.kind(of: folder + "/site.yml") != .nothing }

  /// Returns the files to write, without those that already exist with the same bytes.
  ///
  /// - Parameter replacing: whether files with different content are replaced. Otherwise they are an error, and no file is written.
  package func plan(replacing: Bool) throws(PipelineError) -> Plan {
    guard let installation else {
      throw PipelineError(
        .configuration,
        [
          "error: threadsite's templates were not found next to the program. Install threadsite with `make install`, or set THREADSITE_SHARE to the folder with templates/ and themes/."
        ])
    }
    var plan = Plan(folder: folder, files: [])
    var problems: [String] = []
    for (template, path) in forge.files {
      let place = folder + "/" + path
      do {
        let source = String(
          decoding: try FileBytes.read(installation.share + "/templates/ci/" + template), as: UTF8.self)
        let bytes = Array(forge.adapted(source).replacing("@VERSION@", with: version).utf8)
        switch FileSystem.kind(of: place) {
        case .nothing: plan.files.append((path, bytes))
        case .file where FileSystem.isFile(place, of: bytes): break
        case .file where replacing: plan.files.append((path, bytes))
        case .file:
          problems.append(
            "\(place): error: this file already exists with other content and was not changed. Use --force to replace it; your changes are lost."
          )
        case .link, .folder, .other:
          problems.append(
            "\(place): error: this is not a regular file and was not changed; move it to another place.")
        }
      } catch {
        throw PipelineError(.io, error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(.io, problems) }
    return plan
  }

  /// Files with their contents.
  package struct Plan: Sendable {
    fileprivate let folder: String
    fileprivate var files: [(path: String, bytes: [UInt8])]

    /// - Returns: the paths of the written files, relative to the site's folder.
    package func write() throws(PipelineError) -> [String] {
      do {
        for (path, bytes) in files {
          let place = folder + "/" + path
          try FileSystem.makeFolders(URL(filePath: place).deletingLastPathComponent().path)
          try AtomicFile.write(bytes, to: place)
        }
      } catch {
        throw PipelineError(.io, error)
      }
      return files.map(\.path)
    }
  }
}
