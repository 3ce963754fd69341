import Basics
import Foundation
package import SiteOutput

/// The themes that a site can use: the installed ones and those in its own `themes/`.
package struct SiteThemes: Sendable {
  private let site: String
  private let roots: [String]

  /// - Parameters:
  ///   - site: the site's folder.
  ///   - installation: `nil` if no themes are installed.
  package init(site: String, installation: Installation?) {
    self.site = site
    let installed = installation.map { [$0.share] } ?? []
    // In a checkout of threadsite, both are the same folder.
    roots = (installed.contains(site) ? installed : installed + [site]).map { $0 + "/themes" }
  }

  package func all() throws(PipelineError) -> [ThemeSummary] {
    do {
      return try ThemeSummary.names(in: roots).map { name throws(SiteOutputError) in
        try ThemeSummary(of: name, in: roots)
      }
    } catch {
      throw PipelineError(error)
    }
  }

  package func theme(_ name: String) throws(PipelineError) -> ThemeSummary {
    do {
      return try ThemeSummary(of: name, in: roots)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes the files of a new theme into the site's `themes/`.
  ///
  /// - Parameters:
  ///   - name: the name of its folder.
  ///   - base: the theme that it extends.
  /// - Returns: the paths of the files, relative to the site's folder.
  package func create(_ name: String, extending base: String) throws(PipelineError) -> [String] {
    guard Self.isName(name) else {
      throw PipelineError(
        .configuration,
        [
          "error: \"\(name)\" cannot be the name of a theme: use lower-case ASCII letters, digits and \"-\", such as my-theme"
        ])
    }
    let base = try theme(base)
    let folder = "\(site)/themes/\(name)"
    guard FileSystem.kind(of: folder) == .nothing else {
      throw PipelineError(
        .io, ["\(folder): error: this folder exists already. Choose another name, or edit the theme in it."])
    }
    if let known = try all().first(where: { $0.name == name }) {
      throw PipelineError(
        .configuration,
        [
          "error: there is an installed theme \"\(name)\", and a folder of this name would change it: choose another name. "
            + "The theme is in \(known.folders.joined(separator: ", "))."
        ])
    }
    let files = NewTheme(name: name, base: base.name, colors: base.colors).files
    do {
      for (file, text) in files {
        let path = "\(folder)/\(file)"
        try FileSystem.makeFolders(PathText.folder(of: path).map { String($0) } ?? folder)
        try AtomicFile.write(Array(text.utf8), to: path)
      }
    } catch {
      throw PipelineError(.io, error)
    }
    return files.map { "themes/\(name)/\($0.name)" }
  }

  /// Whether a name is safe as a folder, in site.yml and on a command line.
  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
      && name.utf8.allSatisfy {
        $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
      }
  }
}
