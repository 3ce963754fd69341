import Basics
import Foundation
import MediaMirror
import Publishing
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// Smaller copies of the store's photos for narrow screens and lists, if site.yml requests them and the network offers no smaller sizes.
/// libvips makes the copies.
///
/// Photos are untrusted, so a separate program decodes them. It receives the bytes of the photo and no file name, and its output is
/// accepted only if it is a valid picture of the right width. Copies are cached by the content of the photo, beside the build's cache.
package final class ScaledImages: Sendable {
  /// A program of libvips.
  static let programName = "vipsthumbnail"

  private let program: ChildProgram
  private let environment: [String: String]
  private let store: ThreadStore
  private let folder: String
  private let progress: ProgressHandler
  /// Names of photos of which this build could not make a copy.
  private let failed = Mutex<Set<String>>([])

  /// - Parameter cache: the folder of the copies, which is created when needed.
  /// - Returns: `nil` if the libvips program is not installed.
  init?(
    of store: ThreadStore, cache: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    progress: @escaping ProgressHandler
  ) {
    // The caller reports a missing program at the key of site.yml that requests copies.
    guard
      let program = try? ChildProgram(Self.programName, in: cache, environment: environment, advice: "")
    else { return nil }
    self.program = program
    self.store = store
    self.folder = cache
    self.progress = progress
    // Loaders that libvips does not consider safe for untrusted files are blocked. libvips uses one thread, because the build has several.
    self.environment = [
      "PATH": environment["PATH"] ?? "/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
    ]
  }

  /// Returns the file name of the photo for the name of a copy; `nil` if the name does not belong to a copy, or the store has a file of
  /// that name.
  func original(of name: String) -> String? {
    ScaledImageName.photo(of: name).flatMap { isInStore(name) ? nil : $0 }
  }

  private func isInStore(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // not a file name
    return FileSystem.kind(of: path) != .nothing
  }

  /// Returns the conversation with the copies of its photos, and warns of copies that could not be made.
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

  /// Returns whether a copy of one of these photos could not be made. The next build should then try again.
  func lacksCopies(of files: [String]) -> Bool {
    failed.withLock { failed in files.contains { failed.contains($0) } }
  }

  private func complete(_ medium: inout Media) {
    guard medium.kind == .photo, medium.sizes.isEmpty, let file = medium.file,
      let photo = Photo(file, of: store)
    else { return }
    medium.width = medium.width ?? photo.dimensions.width
    medium.height = medium.height ?? photo.dimensions.height
    for width in ScaledImageName.widths where photo.isWorthScaling(to: width) {
      let name = ScaledImageName.name(of: file, photo.type, width: width)
      guard !isInStore(name), isMade(name, of: file, photo, width: width) else { continue }
      medium.sizes.append(MediaSize(file: name, width: width, height: photo.height(at: width)))
    }
  }

  /// Opens a copy, and makes it first if it is not in the cache.
  ///
  /// - Returns: `nil` if the name does not belong to a copy.
  func open(_ name: String) throws(PipelineError) -> OpenFile? {
    guard let file = original(of: name) else { return nil }
    guard let photo = Photo(file, of: store),
      let width = ScaledImageName.widths.first(where: { name.hasBytePrefix("\($0)w-") }),
      isMade(name, of: file, photo, width: width)
    else {
      throw PipelineError(
        .content,
        [
          "\(store.folder)/media/\(file): error: its smaller copy \(name) could not be created. Build again, or remove `scale_images` from site.yml."
        ])
    }
    do {
      return try OpenFile(path(of: name, from: photo))
    } catch {
      throw PipelineError(error, about: .io)
    }
  }

  /// Removes copies of photos that the site no longer shows.
  ///
  /// - Parameter files: the names of photos and copies that the site shows.
  func prune(keeping files: Set<String>) {
    // Nothing can be removed from an unreadable folder.
    for entry in (try? FileSystem.names(in: folder)) ?? [] {
      guard let dot = entry.lastIndex(of: "."), let file = ScaledImageName.photo(of: String(entry[..<dot])),
        !files.contains(file)
      else { continue }
      // If a copy remains, the next build tries again to remove it.
      try? FileSystem.remove("\(folder)/\(entry)")
    }
  }

  /// Returns the path of a copy. It contains the digest of the photo, so a changed photo of the same name gets new copies.
  private func path(of name: String, from photo: Photo) -> String { "\(folder)/\(name).\(photo.digest)" }

  /// Makes a copy unless it exists, and returns whether the copy can be used.
  ///
  /// An empty file is written if the copy would not be smaller in bytes than its photo. A failure is remembered for this build only,
  /// because its cause may be the machine: too little time or memory. Only one failure per photo is reported.
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
        "\(photo.path): warning: no copy of this photo with a width of \(width) pixels could be created: \(problem). Pages show the original."
      ))
    return false
  }

  /// The reason why a photo has no smaller copy.
  private struct Failure: Error {
    let reason: String
  }

  /// Returns the bytes of a copy.
  private func scaled(_ photo: Photo, to width: Int) -> Result<[UInt8], Failure> {
    // The copy has no metadata, and its colors are sRGB.
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
    else { return .failure(Failure(reason: "\(program.name) wrote no image of that width")) }
    return .success(outcome.output)
  }

  /// The time limit; far more than the largest photo needs.
  private static let secondsPerPhoto = 60.0
}

/// A photo of the store that may be published, with all its bytes.
private struct Photo {
  let path: String
  let type: MediaType
  let dimensions: MediaDimensions
  let bytes: [UInt8]
  /// The first 16 bytes of the SHA-256 hash of the photo, in hexadecimal digits.
  let digest: String

  /// Reads a photo; `nil` if it is not a valid JPEG, PNG or WebP. The problem is then reported when the file is published.
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

  /// Returns whether a copy of this width is worthwhile. Its width must be at most four fifths of the photo's width.
  func isWorthScaling(to width: Int) -> Bool { width * 5 <= dimensions.width * 4 }

  /// Returns the height of a copy in pixels, rounded.
  func height(at width: Int) -> Int {
    max(1, (dimensions.height * width + dimensions.width / 2) / dimensions.width)
  }
}
