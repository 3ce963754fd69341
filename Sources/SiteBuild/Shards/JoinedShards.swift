import Basics
package import SiteWorkspace
import ThreadStore

/// All shards of a site, for the build that joins them (`threadsite build --join`).
package struct JoinedShards: Sendable {
  /// In the order of their numbers.
  private let files: [ShardFile]
  private let store: ThreadStore

  /// Returns the folder of a site's shard files.
  static func folder(of site: SiteFolder) -> String { site.path + "/.threadsite/shards" }

  /// Deletes the shard files of a site. They may contain words of threads that are removed or hidden later.
  package static func delete(of site: SiteFolder) throws(PipelineError) {
    try withFiles(about: .io) { () throws(FileError) in try FileSystem.remove(folder(of: site)) }
  }

  /// Opens the shard files of a site. The files may be deleted afterwards.
  ///
  /// - Throws: one error with all problems: files that are missing, damaged, or of another build.
  init(of site: SiteFolder, in environment: ShardEnvironment) throws(PipelineError) {
    let folder = Self.folder(of: site)
    let shards = try Self.shards(in: folder)
    var files: [ShardFile] = []
    var problems: [PipelineError] = []
    for shard in shards {
      do throws(PipelineError) {
        let file = try ShardFile("\(folder)/\(shard.fileName)", of: shard)
        if let difference = file.environment.difference(to: environment) {
          problems.append(
            PipelineError(.content, ["\(file.path): error: \(difference), and build it again."]))
        }
        files.append(file)
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
    self.files = files
    store = site.threadStore
  }

  /// Returns the shards whose files are in the folder, in order.
  ///
  /// - Throws: if a shard is missing, or if the files belong to different numbers of shards.
  private static func shards(in folder: String) throws(PipelineError) -> [Shard] {
    var names: [String] = []
    do throws(FileError) {
      names = try FileSystem.names(in: folder)
    } catch {
      guard error.kind == .missing else { throw PipelineError(error, about: .io) }
    }
    let found = Set(names.compactMap { Shard(fileName: $0) })
    let counts = Set(found.map(\.count)).sorted()
    guard let count = counts.first else {
      throw PipelineError(
        .content,
        [
          "\(folder): error: there are no shard files to join; build them first, for example with `threadsite build --shard 1/2` and `threadsite build --shard 2/2`."
        ])
    }
    guard counts.count == 1 else {
      let numbers = counts.map(String.init).joined(separator: " and of ")
      throw PipelineError(
        .content,
        [
          "\(folder): error: there are files of \(numbers) shards; delete the files of the other run, whose names end in -of-N.shard."
        ])
    }
    let shards = Shard.all(count)
    let missing = shards.filter { !found.contains($0) }
    guard missing.isEmpty else {
      let shown =
        missing.prefix(10).map(\.fileName).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
      throw PipelineError(
        .content,
        [
          "\(folder): error: \(missing.count) of \(count) shard files are missing: \(shown); build them with `threadsite build --shard \(missing[0])` and so on, or copy them from the machines that built them."
        ])
    }
    return shards
  }

  /// Returns the thread that a shard has rendered from the present content of a file; `nil` if no shard has it.
  ///
  /// - Throws: if a shard's file is damaged.
  func thread(of file: StoredFile) throws(PipelineError) -> ShardedThread? {
    let shard = files[Shard.number(of: file.stem, among: files.count) - 1]
    // An unreadable file is reported when its thread is rendered.
    guard shard.has(file.stem), let digest = try? store.digest(of: file),
      let thread = try shard.thread(file.stem), thread.source == digest
    else { return nil }
    return thread
  }
}
