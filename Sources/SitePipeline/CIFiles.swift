import Basics
import Foundation

/// `threadsite init --ci`: the files by which a forge builds a site, publishes it, and adds threads when it is asked to.
///
/// They are written from files of the installation (`templates/ci/`), belong to the site's owner from then on, and are never written over without
/// being asked for.
package struct CIFiles: Sendable {
  /// Where a repository is, and who runs its workflows.
  package enum Forge: String, CaseIterable, Sendable {
    case github, gitlab, forgejo

    /// The files: which template, and where it goes.
    fileprivate var files: [(template: String, path: String)] {
      switch self {
      case .github:
        [
          ("github/workflow.yml", ".github/workflows/threadsite.yml"),
          ("github/add-a-thread.yml", ".github/ISSUE_TEMPLATE/add-a-thread.yml"),
        ]
      case .gitlab: [("gitlab/gitlab-ci.yml", ".gitlab-ci.yml")]
      case .forgejo:
        [
          ("forgejo/workflow.yml", ".forgejo/workflows/threadsite.yml"),
          ("forgejo/add-a-thread.yml", ".forgejo/issue_template/add-a-thread.yml"),
        ]
      }
    }

    /// What site.yml has to say for the site to be published; `nil` where the workflow hands the folder over.
    package var configuration: String? {
      guard self == .forgejo else { return nil }
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
  ///   - folder: the site's.
  ///   - version: of threadsite, which the workflows install.
  package init(folder: String, forge: Forge, installation: Installation?, version: String) {
    self.folder = FileSystem.withoutLinks(URL(filePath: folder).standardizedFileURL.path)
    self.forge = forge
    self.installation = installation
    self.version = version
  }

  /// Whether the folder has a site already, which only gets the files.
  package var hasSite: Bool { FileSystem.kind(of: folder + "/site.yml") != .nothing }

  /// What is to be written: files that are there already, byte for byte, are not.
  ///
  /// - Parameter replacing: whether files of other content are replaced; otherwise they are an error, and nothing is written.
  package func plan(replacing: Bool) throws(PipelineError) -> Plan {
    guard let installation else {
      throw PipelineError(
        .configuration,
        [
          "error: the templates that come with threadsite were not found beside the program. Install it with `make install`, or let THREADSITE_SHARE name the folder that holds templates/ and themes/."
        ])
    }
    var plan = Plan(folder: folder, files: [])
    var differing: [String] = []
    for (template, path) in forge.files {
      let place = folder + "/" + path
      do {
        let source = String(
          decoding: try FileBytes.read(installation.share + "/templates/ci/" + template), as: UTF8.self)
        let bytes = Array(source.replacing("@VERSION@", with: version).utf8)
        switch FileSystem.kind(of: place) {
        case .nothing: plan.files.append((path, bytes))
        case .file where FileSystem.isFile(place, of: bytes): break
        case .file where replacing: plan.files.append((path, bytes))
        case .file, .link, .folder, .other: differing.append(path)
        }
      } catch {
        throw PipelineError(.io, error)
      }
    }
    guard differing.isEmpty else {
      throw PipelineError(
        .io,
        differing.map {
          "\(folder)/\($0): error: this is there already, with other content, and was left as it is. `--force` replaces a file; what you changed in it is lost."
        })
    }
    return plan
  }

  /// Files with their content.
  package struct Plan: Sendable {
    fileprivate let folder: String
    fileprivate var files: [(path: String, bytes: [UInt8])]

    /// - Returns: the paths of the files that were written, from the site's folder.
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
