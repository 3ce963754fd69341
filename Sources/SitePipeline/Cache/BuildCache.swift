import Crypto
import Files
import Foundation
import SiteConfig
import SiteOutput
import Synchronization
import UTF8Text

/// What the last build of a site was made from, and what it wrote, so that a build of the same is known to be done.
///
/// It lies in `.threadsite/build/`, a file for each output folder, and may be deleted at any moment with nothing lost. It is not believed
/// where anything does not add up: bytes that are not what was written, another version of the program, another folder than the one that it was
/// written in, as after a copy from another machine.
struct BuildCache: Sendable {
  /// Changes with the meaning of the bytes.
  private static let format = "threadsite build cache 1\n"

  private let folder: String
  private let path: String
  private let output: String

  init(of site: SiteFolder) {
    folder = site.path + "/.threadsite/build"
    path = "\(folder)/\(ContentHash.of(site.output.utf8))"
    output = site.output
  }

  /// What a build did, and said.
  struct Outcome: Sendable {
    var summary: BuildSummary
    var warnings: [String]
  }

  /// What the last build did, if it was made from the same, and all that it wrote stands untouched.
  func outcome(of inputs: BuildInputs, jobs: Int) -> Outcome? {
    guard let state = load(), state.inputs == inputs.digest(in: folder) else { return nil }
    guard let top = OpenFolder(output) else { return nil }
    let paths = state.outputs
    let isChanged = Atomic(false)
    _ = ParallelWork.run(count: paths.count, jobs: jobs, makeState: {}) { position, _ in
      if top.signature(of: paths[position].path) != paths[position].signature {
        isChanged.store(true, ordering: .relaxed)
      }
    }
    return isChanged.load(ordering: .relaxed) ? nil : state.outcome(output: output)
  }

  /// Remembers a build, whose site stands in place.
  ///
  /// Nothing is lost where that cannot be done, as in a folder that may not be written to: the next build does all of it again.
  func save(_ outcome: Outcome, of inputs: BuildInputs) {
    guard inputs.areSettled, outcome.summary.leftOut.isEmpty else { return forget() }
    // From here on whatever happens to the files that were just written shows in their signatures.
    usleep(UInt32(FileSignature.grain / 1000))
    let tree = FileTree(output)
    do {
      try FileSystem.makeFolders(folder)
      let state = State(
        inputs: inputs.digest(in: folder), outputs: tree.folders + tree.files, outcome: outcome)
      try AtomicFile.write(Self.sealed(state.bytes), to: path)
    } catch {
      forget()
    }
  }

  private func forget() {
    // One that cannot be removed does not fit the site that stands in place, and is not believed.
    try? FileSystem.remove(path)
  }

  private func load() -> State? {
    // One that is not there or cannot be read is no cache.
    guard let bytes = try? FileBytes.read(path), let body = Self.opened(bytes) else { return nil }
    return try? State(body)
  }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    Array(format.utf8) + Array(SHA256.hash(data: body)) + body
  }

  private static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: format.utf8) else { return nil }
    let sealed = bytes.dropFirst(format.utf8.count)
    let body = Array(sealed.dropFirst(SHA256.byteCount))
    return sealed.prefix(SHA256.byteCount).elementsEqual(SHA256.hash(data: body)) ? body : nil
  }
}

extension BuildCache {
  /// What the file holds.
  private struct State {
    let inputs: [UInt8]
    let outputs: [(path: String, signature: FileSignature)]
    private let counts: [Int]
    private let warnings: [String]

    init(inputs: [UInt8], outputs: [(path: String, signature: FileSignature)], outcome: Outcome) {
      self.inputs = inputs
      self.outputs = outputs
      let summary = outcome.summary
      counts = [
        summary.threads, summary.posts, summary.pages, summary.missingAltTexts, summary.drafts,
        summary.excluded,
      ]
      warnings = outcome.warnings
    }

    func outcome(output: String) -> Outcome? {
      guard counts.count == 6 else { return nil }
      return Outcome(
        summary: BuildSummary(
          threads: counts[0], posts: counts[1], pages: counts[2], missingAltTexts: counts[3],
          drafts: counts[4],
          excluded: counts[5], leftOut: [], output: output),
        warnings: warnings)
    }

    var bytes: [UInt8] {
      var writer = ByteWriter(capacity: outputs.count * 96)
      writer.write(inputs)
      writer.write(outputs) { writer, file in
        writer.write(file.path)
        writer.write(file.signature)
      }
      writer.write(counts) { $0.write($1) }
      writer.write(warnings) { $0.write($1) }
      return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Truncated) {
      var reader = ByteReader(bytes)
      inputs = try reader.bytes()
      outputs = try reader.list { (reader) throws(ByteReader.Truncated) in
        (path: try reader.string(), signature: try reader.signature())
      }
      counts = try reader.list { (reader) throws(ByteReader.Truncated) in try reader.integer() }
      warnings = try reader.list { (reader) throws(ByteReader.Truncated) in try reader.string() }
    }
  }
}

/// All that a build is made from, by the signatures of its files: taken before any of them is read.
struct BuildInputs: Sendable {
  private var files: [String: FileSignature] = [:]
  /// What is no file: options, and what was read before.
  private let facts: [String]
  /// Whether every change that comes after the signatures were taken shows in the next ones.
  let areSettled: Bool

  init(of site: SiteFolder, _ installation: Installation?, _ options: SiteBuild.Options) {
    let moment = FileSignature.now
    facts =
      [
        site.output, site.store, site.config.baseURL?.description ?? "", "\(options.includesDrafts)",
        "\(options.keepsGoing)", installation?.share ?? "",
        site.decoded.map { SHA256.hash(data: $0.bytes).description } ?? "",
        Self.program.map { "\($0)" } ?? "",
      ]
    if let file = options.permalinksFile { files[file] = FileSystem.signature(of: file) }
    let share = installation.map { [$0.share + "/templates", $0.share + "/themes"] } ?? []
    for top in [site.store, site.path + "/templates", site.path + "/themes"] + share {
      for (path, signature) in FileTree(top).files { files[top + "/" + path] = signature }
    }
    areSettled = files.values.allSatisfy { $0.isSettled(at: moment) }
  }

  /// The program that runs: another build of it may make another site.
  private static let program = Bundle.main.executablePath.flatMap {
    FileSystem.signature(of: FileSystem.withoutLinks($0))
  }

  /// Takes the signature of a file again, that the build itself has written.
  mutating func renew(_ path: String) { files[path] = FileSystem.signature(of: path) }

  /// - Parameter folder: of the cache; another one, as a copy is, has another number.
  func digest(in folder: String) -> [UInt8] {
    var writer = ByteWriter(capacity: files.count * 96)
    writer.write(Int(truncatingIfNeeded: FileSystem.signature(of: folder)?.inode ?? 0))
    writer.write(facts) { $0.write($1) }
    let sorted = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    writer.write(sorted) { writer, file in
      writer.write(file.key)
      writer.write(file.value)
    }
    return Array(SHA256.hash(data: writer.bytes))
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ signature: FileSignature) {
    write(Int(truncatingIfNeeded: signature.inode))
    write(Int(signature.size))
    write(Int(signature.modified))
    write(Int(signature.changed))
  }
}

extension ByteReader {
  fileprivate mutating func signature() throws(Truncated) -> FileSignature {
    FileSignature(
      inode: UInt64(truncatingIfNeeded: try integer()), size: Int64(try integer()),
      modified: Int64(try integer()), changed: Int64(try integer()))
  }
}
