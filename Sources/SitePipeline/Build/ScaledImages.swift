import Basics
import Foundation
import MediaMirror
import Publishing
import Synchronization
import ThreadModel
import ThreadStore

/// Smaller copies of the store's photos whose network offers none, for narrow screens and for lists: made by libvips, where site.yml asks for
/// them.
///
/// A photo may come from anybody, so it is decoded by another program, which is given its bytes and no file, and of which nothing but a sound
/// picture of the right size is taken. Copies are kept by what they are made from, beside the build's cache.
final class ScaledImages: Sendable {
  /// A program of libvips.
  static let programName = "vipsthumbnail"

  /// Pixels. The text column is 640 wide, and half of that where two photos share it; screens have one to three pixels for each.
  private static let widths = [340, 680, 1360]

  private let program: ChildProgram
  private let environment: [String: String]
  private let store: ThreadStore
  private let folder: String
  private let progress: ProgressHandler
  /// Names of photos of which this build could not make a copy.
  private let failed = Mutex<Set<String>>([])

  /// - Parameter cache: the folder of the copies, which is made.
  /// - Returns: `nil` where libvips' program is not installed.
  init?(
    of store: ThreadStore, cache: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    progress: @escaping ProgressHandler
  ) {
    // Why it is not found is said with the key that asks for it.
    guard
      let program = try? ChildProgram(Self.programName, in: cache, environment: environment, advice: "")
    else { return nil }
    self.program = program
    self.store = store
    self.folder = cache
    self.progress = progress
    // The loaders of libvips that are not made for files of strangers stay closed, and the threads are ours.
    self.environment = [
      "PATH": environment["PATH"] ?? "/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
    ]
  }

  /// The name of a copy: `680w-NAME`, which no copy of a network's has; all but JPEG become WebP, as a smaller PNG is often the larger file.
  private static func name(of file: String, _ type: MediaType, width: Int) -> String {
    "\(width)w-\(file)" + (type == .jpeg ? "" : ".webp")
  }

  /// The file that a name of this form is a smaller copy of; `nil` for a name of another form.
  static func source(of name: String) -> String? {
    guard let width = widths.first(where: { name.hasBytePrefix("\($0)w-") }) else { return nil }
    let file = String(name.dropFirst("\(width)w-".count))
    if [".jpg", ".jpeg"].contains(where: file.hasByteSuffix) { return file }
    return [".png.webp", ".webp.webp"].contains(where: file.hasByteSuffix)
      ? String(file.dropLast(".webp".count)) : nil
  }

  /// The same, unless the store has a file of that name itself.
  func original(of name: String) -> String? {
    Self.source(of: name).flatMap { isInStore(name) ? nil : $0 }
  }

  private func isInStore(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // no name of a file
    return FileSystem.kind(of: path) != .nothing
  }

  /// The conversation with the copies of its photos; those that could not be made are told of.
  func completing(_ conversation: Conversation) -> Conversation {
    func completing(_ post: Post) -> Post {
      guard post.media.contains(where: { $0.kind == .photo && $0.sizes.isEmpty && $0.file != nil }) else {
        return post
      }
      var facts = post.facts
      for index in facts.media.indices { complete(&facts.media[index]) }
      return Post(facts)
    }
    var result = conversation
    result.posts = conversation.posts.map(completing)
    result.related = conversation.related.map(completing)
    return result
  }

  /// Whether a copy of one of these photos could not be made, so that the next build should try again.
  func lacksCopies(of files: [String]) -> Bool {
    failed.withLock { failed in files.contains { failed.contains($0) } }
  }

  private func complete(_ medium: inout Media) {
    guard medium.kind == .photo, medium.sizes.isEmpty, let file = medium.file,
      let photo = Photo(file, of: store)
    else { return }
    medium.width = medium.width ?? photo.dimensions.width
    medium.height = medium.height ?? photo.dimensions.height
    for width in Self.widths where photo.isWorthScaling(to: width) {
      let name = Self.name(of: file, photo.type, width: width)
      guard !isInStore(name), isMade(name, of: file, photo, width: width) else { continue }
      medium.sizes.append(MediaSize(file: name, width: width, height: photo.height(at: width)))
    }
  }

  /// Opens a copy, which is made if the cache has lost it.
  ///
  /// - Returns: `nil` for a file that is no copy of this kind.
  func open(_ name: String) throws(PipelineError) -> OpenFile? {
    guard let file = original(of: name) else { return nil }
    guard let photo = Photo(file, of: store),
      let width = Self.widths.first(where: { name.hasBytePrefix("\($0)w-") }),
      isMade(name, of: file, photo, width: width)
    else {
      throw PipelineError(
        .content,
        [
          "\(store.folder)/media/\(file): error: its smaller copy \(name) could not be made. Build again, or without `scale_images`."
        ])
    }
    do {
      return try OpenFile(path(of: name, from: photo))
    } catch {
      throw PipelineError(error, about: .io)
    }
  }

  /// Removes copies of photos that the site does not show any more.
  ///
  /// - Parameter files: names in the store's media folder, of photos and of copies.
  func prune(keeping files: Set<String>) {
    // A folder that cannot be read has nothing that could be removed.
    for entry in (try? FileSystem.names(in: folder)) ?? [] {
      guard let dot = entry.lastIndex(of: "."), let file = Self.source(of: String(entry[..<dot])),
        !files.contains(file)
      else { continue }
      // What stays is looked at by the next build.
      try? FileSystem.remove("\(folder)/\(entry)")
    }
  }

  /// By the photo's content: another photo under the same name has other copies.
  private func path(of name: String, from photo: Photo) -> String { "\(folder)/\(name).\(photo.digest)" }

  /// Makes a copy, unless it is there, and returns whether there is one.
  ///
  /// A copy that would be no smaller file than its photo is remembered by an empty file. A failure is not remembered beyond this build, as it may be
  /// the machine's: too little time, or too little memory. The user is told of one failure for each photo.
  private func isMade(_ name: String, of file: String, _ photo: Photo, width: Int) -> Bool {
    let path = path(of: name, from: photo)
    if let size = FileSystem.size(of: path) { return size > 0 }
    guard !failed.withLock({ $0.contains(file) }) else { return false }
    let problem: String
    switch scaled(photo, to: width) {
    case .success(let bytes):
      let isSmaller = bytes.count < photo.bytes.count
      do throws(FileError) {
        try FileSystem.makeFolders(folder)
        try AtomicFile.write(isSmaller ? bytes : [], to: path)
        return isSmaller
      } catch {
        problem = "\(error)"
      }
    case .failure(let failure):
      problem = failure.reason
    }
    guard failed.withLock({ $0.insert(file).inserted }) else { return false }
    progress(
      .warning(
        "\(photo.path): warning: no smaller copy of this photo, \(width) pixels wide, could be made: \(problem). Pages show the photo itself."
      ))
    return false
  }

  /// Why a photo has no smaller copy.
  private struct Failure: Error {
    let reason: String
  }

  /// The bytes of a copy.
  private func scaled(_ photo: Photo, to width: Int) -> Result<[UInt8], Failure> {
    // Without metadata, in the colours that every screen knows.
    let format = photo.type == .jpeg ? ".jpg[Q=80,strip,optimize_coding,interlace]" : ".webp[Q=80,strip]"
    let outcome: ChildProgram.Outcome
    do throws(PublishError) {
      outcome = try program.run(
        ["stdin", "--size", "\(width)x", "--export-profile", "srgb", "-o", format], in: "/",
        environment: environment, input: photo.bytes, timeLimit: Self.secondsPerPhoto)
    } catch {
      return .failure(Failure(reason: error.description))
    }
    guard outcome.code == 0 else {
      let said = outcome.complaint.split(separator: "\n").first.map {
        TextControls.shownOnOneLine(String($0))
      }
      return .failure(Failure(reason: said ?? "\(program.name) ended with code \(outcome.code)"))
    }
    let type: MediaType = photo.type == .jpeg ? .jpeg : .webp
    guard MediaType(head: Array(outcome.output.prefix(MediaType.headLength))) == type,
      let dimensions = MediaDimensions(type, of: outcome.output), dimensions.width == width
    else { return .failure(Failure(reason: "\(program.name) gave no picture of that width")) }
    return .success(outcome.output)
  }

  /// Far more than the largest photo takes.
  private static let secondsPerPhoto = 60.0
}

/// A photo of the store's that may be published, read whole.
private struct Photo {
  let path: String
  let type: MediaType
  let dimensions: MediaDimensions
  let bytes: [UInt8]
  /// Of the bytes, in hexadecimal digits.
  let digest: String

  /// `nil` for what is no JPEG, PNG or WebP; what is wrong with it is found where it is published.
  init?(_ file: String, of store: ThreadStore) {
    var type: MediaType?
    guard let opened = try? PublishedMedia.open(file, of: store, type: &type), let type,
      [.jpeg, .png, .webp].contains(type), let bytes = try? opened.bytes(),
      let dimensions = MediaDimensions(type, of: bytes)
    else { return nil }
    self.path = opened.path
    self.type = type
    self.dimensions = dimensions
    self.bytes = bytes
    digest = Hexadecimal.digits(SHA256.hash(bytes).prefix(16))
  }

  /// Whether a copy would spare a reader something: one that is hardly narrower would not.
  func isWorthScaling(to width: Int) -> Bool { width * 5 <= dimensions.width * 4 }

  /// Pixels, rounded.
  func height(at width: Int) -> Int {
    max(1, (dimensions.height * width + dimensions.width / 2) / dimensions.width)
  }
}
