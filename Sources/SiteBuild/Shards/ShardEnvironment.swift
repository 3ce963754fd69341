import Basics
import Foundation
import SiteConfig
import SiteWorkspace
import ThreadMarkdown
import ThreadModel

/// Digests of the inputs that all threads have in common. Unlike ``BuildEnvironment``, they are digests of contents, so that a shard from
/// another machine can be compared with this machine's site. The inputs of single threads are compared thread by thread.
struct ShardEnvironment: Sendable, Equatable {
  /// The program's executable and, if it makes copies of photos, the version of libvips.
  let program: [UInt8]
  /// The settings in site.yml and the options of the command.
  let settings: [UInt8]
  /// The templates, strings files and themes, of the site and of the installation.
  let templates: [UInt8]
  /// The names of accounts that are left out, in all posts that threads show.
  let names: [UInt8]

  /// Computes the digests.
  ///
  /// - Throws: if the program's executable cannot be read.
  init(
    of site: SiteFolder, _ installation: Installation?, _ options: SiteBuild.Options
  ) throws(PipelineError) {
    let executable = try withFiles(about: .io) { () throws(FileError) in try Self.digestOfExecutable() }
    var writer = ByteWriter()
    writer.write(executable)
    let hasCopies = site.config.scaleImages != .never && site.mediaMode != .none
    writer.write(hasCopies ? ScaledImages.version() : nil)
    let program = SHA256.hash(writer.bytes)
    writer = ByteWriter()
    writer.write(BuildInputs.settingsOfThreads(of: site))
    writer.write(options.includesDrafts)
    let settings = SHA256.hash(writer.bytes)
    writer = ByteWriter()
    writer.write(site.leftOut.isEmpty ? [] : site.leftOut.marks.sorted())
    self.init(
      program: program, settings: settings, templates: Self.templates(of: site, installation),
      names: SHA256.hash(writer.bytes))
  }

  private init(program: [UInt8], settings: [UInt8], templates: [UInt8], names: [UInt8]) {
    self.program = program
    self.settings = settings
    self.templates = templates
    self.names = names
  }

  private static func digestOfExecutable() throws(FileError) -> [UInt8] {
    guard let path = Bundle.main.executablePath else { return [] }
    let file = try OpenFile(FileSystem.withoutLinks(path))
    var digest = SHA256()
    var offset = 0
    while true {
      let bytes = try file.bytes(1 << 20, at: offset)
      guard !bytes.isEmpty else { return digest.finalize() }
      digest.update(bytes)
      offset += bytes.count
    }
  }

  /// Returns a digest of the templates, strings files and themes. An unreadable file is reported when the build reads it.
  static func templates(of site: SiteFolder, _ installation: Installation?) -> [UInt8] {
    var writer = ByteWriter()
    for top in [site.path] + (installation.map { [$0.share] } ?? []) {
      for name in ["templates", "themes"] {
        let folder = "\(top)/\(name)"
        let files = FileTree(folder).files.map(\.path).filter { !SiteFolder.isLitter($0) }
        writer.write(files.sorted { $0.precedesInBytes($1) }) { writer, path in
          writer.write(path)
          writer.write((try? FileBytes.read("\(folder)/\(path)")).map { SHA256.hash($0) })
        }
      }
    }
    return SHA256.hash(writer.bytes)
  }

  /// Returns the first difference to the environment of a build, with the solution; `nil` if they are equal.
  ///
  /// - Parameter here: the environment of the build.
  func difference(to here: ShardEnvironment) -> String? {
    if program != here.program {
      return
        "it was built by another version or build of threadsite, or with another version of libvips; use the same ones for all shards"
    }
    if settings != here.settings {
      return
        "it was built with other settings in site.yml or other options; use the same site.yml, and the same --base-url and --drafts"
    }
    if templates != here.templates {
      return "it was built with other templates or themes; use the same ones for all shards"
    }
    if names != here.names {
      return
        "it was built with other known names of accounts in leave_out; use the same store and the same folder .threadsite/left-out for all shards"
    }
    return nil
  }
}

extension ShardEnvironment: Record {
  static let fields = RecordFields(
    Self.init(program:settings:templates:names:), \.program, \.settings, \.templates, \.names)
}
