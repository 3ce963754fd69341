import Basics
import Foundation
import MediaMirror
import SiteConfig
import SiteWorkspace
import Synchronization
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Copies of the store's photos in smaller widths and newer formats, for narrow screens and lists. libvips makes the copies.
///
/// Smaller copies are made of photos whose network offers no smaller sizes. Copies in the formats of the key `image_formats` are made of
/// all photos.
///
/// Photos are untrusted, so a separate program decodes them. It receives the bytes of the photo and no file name, can reach no files but
/// those of the system, and its output is accepted only if it is a valid picture of the right width. Copies are cached by the content of the photo, beside the build's cache.
package final class ScaledImages: Sendable {
  /// A program of libvips.
  static let programName = "vipsthumbnail"
  /// Completes "install …" in messages.
  static let installation =
    "libvips with its programs (Debian, Ubuntu: libvips-tools; Fedora: vips-tools; Homebrew: vips)"

  private let program: ConfinedProgram
  private let environment: [String: String]
  private let store: ThreadStore
  private let folder: String
  private let formats: [MediaType]
  private let progress: ProgressHandler
  private let counts = Mutex(Counts())

  private struct Counts {
    /// Names of photos of which this build could not make a copy.
    var failed: Set<String> = []
    /// Names of photos of which this build made a copy.
    var scaled: Set<String> = []
  }

  /// - Parameters:
  ///   - formats: the formats of additional copies, for browsers that support them; the first is preferred.
  ///   - cache: the folder of the copies, which is created when needed.
  /// - Returns: `nil` if the libvips program is not installed.
  init?(
    of store: ThreadStore, formats: [MediaType] = [], cache: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    progress: @escaping ProgressHandler
  ) {
    // The caller reports a missing program at the key of site.yml that requests copies.
    guard let program = Self.program(environment) else { return nil }
    self.program = program
    self.store = store
    self.formats = formats
    self.folder = cache
    self.progress = progress
    // Loaders that libvips does not consider safe for untrusted files are blocked. libvips uses one thread, because the build has several.
    self.environment = [
      "PATH": environment["PATH"] ?? "/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
    ]
  }

  /// Returns the object that makes copies of photos; `nil` if site.yml excludes copies, or if it leaves the choice to the program and
  /// libvips is not installed.
  ///
  /// - Throws: a configuration error if site.yml requires copies and libvips is not installed.
  static func wanted(
    by site: SiteFolder, _ options: SiteBuild.Options, progress: @escaping ProgressHandler
  ) throws(PipelineError) -> ScaledImages? {
    let cache = site.path + "/.threadsite/images"
    let (mode, formats) = (site.config.scaleImages, site.config.imageFormats)
    guard mode != .never || formats.isEmpty else {
      throw site.error(
        at: "image_formats", "needs copies of photos, but `scale_images` is false; remove one of the two keys"
      )
    }
    guard mode != .never, site.mediaMode != .none else {
      do throws(FileError) {
        // Copies of photos that the site no longer shows should not stay in the cache.
        try FileSystem.remove(cache)
      } catch {
        progress(.warning("\(error) Smaller copies of photos from earlier builds remain."))
      }
      return nil
    }
    let types = formats.indices.filter { !formats[..<$0].contains(formats[$0]) }.map { formats[$0].type }
    guard mode != .auto || options.copiesPhotos || !types.isEmpty else { return nil }
    let images = ScaledImages(of: site.threadStore, formats: types, cache: cache, progress: progress)
    guard images != nil || (mode == .auto && formats.isEmpty) else {
      throw site.error(
        at: mode == .always ? "scale_images" : "image_formats",
        "\(programName), which makes the copies, is not installed; install \(installation), or remove the key"
      )
    }
    return images
  }

  /// Whether the libvips program is installed.
  static func isInstalled(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    program(environment) != nil
  }

  /// Returns the version of libvips, such as `8.14.1`; `nil` if it is not installed. Other versions may make other copies.
  static func version(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    // A program that cannot be started makes no copies either.
    guard
      let outcome = try? program(environment)?.run(
        ["--version"], environment: [:], input: [], timeLimit: secondsPerPhoto), outcome.code == 0
    else { return nil }
    return String(decoding: outcome.output, as: UTF8.self).split { $0 == "-" || $0.isWhitespace }.last.map(
      String.init)
  }

  private static func program(_ environment: [String: String]) -> ConfinedProgram? {
    ConfinedProgram(programName, searchPath: environment["PATH"] ?? "/usr/bin:/bin")
  }

  /// The number of photos of which this build made copies that were not in the cache.
  var newPhotos: Int { counts.withLock { $0.scaled.count } }

  /// Returns the file name of the photo for the name of a copy; `nil` if the name does not belong to a copy, or the store has a file of
  /// that name.
  func original(of name: String) -> String? {
    ScaledImageName(name).flatMap { isInStore(name) ? nil : $0.photo }
  }

  private func isInStore(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // not a file name
    return FileSystem.kind(of: path) != .nothing
  }

  /// Returns the conversation with the copies of its photos, and warns of copies that could not be made.
  func completing(_ conversation: Conversation) -> Conversation {
    func completing(_ post: Post) -> Post {
      guard post.media.contains(where: isIncomplete) else { return post }
      var facts = post.facts
      for index in facts.media.indices where isIncomplete(facts.media[index]) {
        complete(&facts.media[index])
      }
      return Post(facts)
    }
    var result = conversation
    result.posts = conversation.posts.map(completing)
    result.related = conversation.related.map(completing)
    return result
  }

  private func isIncomplete(_ medium: Media) -> Bool {
    medium.kind == .photo && medium.file != nil && (medium.sizes.isEmpty || !formats.isEmpty)
  }

  /// The size in bytes from which on a photo gets copies. The copies of smaller files would save little.
  private static let minimumBytes = 16 * 1024

  /// Returns the size in bytes of a photo's file if smaller copies of it would be made; otherwise `nil`.
  static func sizeWithoutCopies(of medium: Media, in store: ThreadStore) -> Int? {
    guard medium.kind == .photo, medium.sizes.isEmpty, let file = medium.file,
      ScaledImageName.widths.contains(where: {
        Photo.isWorthScaling(medium.width ?? ScaledImageName.maximumWidth, to: $0)
      }),
      // A missing file is a separate finding.
      let path = try? store.mediaPath(file), let size = FileSystem.size(of: path), size >= minimumBytes
    else { return nil }
    return size
  }

  /// Returns whether a copy of one of these photos could not be made. The next build should then try again.
  func lacksCopies(of files: [String]) -> Bool {
    counts.withLock { counts in files.contains { counts.failed.contains($0) } }
  }

  /// Returns a digest of the contents of photos, on which the copies and the sizes in their threads depend.
  ///
  /// - Parameter files: names of photos and copies.
  func digest(ofPhotosIn files: [String]) -> [UInt8] {
    var writer = ByteWriter()
    for name in Set(files.map { original(of: $0) ?? $0 }).sorted() {
      writer.write(name)
      writer.write(Photo(name, of: store)?.digest)
    }
    return SHA256.hash(writer.bytes)
  }

  private func complete(_ medium: inout Media) {
    guard let file = medium.file, let photo = Photo(file, of: store),
      photo.bytes.count >= Self.minimumBytes
    else { return }
    medium.width = medium.width ?? photo.dimensions.width
    medium.height = medium.height ?? photo.dimensions.height
    if medium.sizes.isEmpty {
      let copies = ScaledImageName.widths.filter(photo.isWorthScaling(to:))
        .map { ScaledImageName(of: file, photo.type, width: $0) }
        .filter { !isInStore($0.file) && isMade($0, of: photo) }
      medium.sizes = copies.map {
        MediaSize(file: $0.file, width: $0.width, height: photo.height(at: $0.width))
      }
      if medium.color == nil, photo.type == .jpeg, let smallest = copies.first {
        medium.color = color(of: photo, from: smallest)
      }
    }
    for format in formats where format != photo.type { medium.sizes += sizes(of: photo, in: format) }
  }

  /// Returns the copies of a photo in a newer format; none without the largest, which replaces the photo itself.
  private func sizes(of photo: Photo, in format: MediaType) -> [MediaSize] {
    let largest = min(photo.dimensions.width, ScaledImageName.maximumWidth)
    let widths = ScaledImageName.widths.filter { $0 * 5 <= largest * 4 } + [largest]
    let names = widths.map { ScaledImageName(of: photo.file, photo.type, width: $0, format: format) }
    // The copies of a PNG are already in this format.
    guard format != ScaledImageName(of: photo.file, photo.type, width: largest).type,
      let last = names.last, !isInStore(last.file), isMade(last, of: photo)
    else { return [] }
    return names.filter { $0 == last || (!isInStore($0.file) && isMade($0, of: photo)) }.map {
      MediaSize(
        file: $0.file, width: $0.width, height: photo.height(at: $0.width), format: format.mimeType)
    }
  }

  /// Opens a copy, and makes it first if it is not in the cache.
  ///
  /// - Returns: `nil` if the name does not belong to a copy.
  func open(_ name: String) throws(PipelineError) -> OpenFile? {
    guard let file = original(of: name), let copy = ScaledImageName(name) else { return nil }
    guard let photo = Photo(file, of: store), copy.width <= photo.dimensions.width,
      isMade(copy, of: photo)
    else {
      throw PipelineError(
        .content,
        [
          "\(store.folder)/media/\(file): error: its copy \(name) could not be created. Build again, or set `scale_images: false` in site.yml."
        ])
    }
    return try withFiles(about: .io) { () throws(FileError) in try OpenFile(path(of: name, from: photo)) }
  }

  /// Removes copies of photos that the site no longer shows.
  ///
  /// - Parameter files: the names of photos and copies that the site shows.
  func prune(keeping files: Set<String>) {
    // Nothing can be removed from an unreadable folder.
    for entry in (try? FileSystem.names(in: folder)) ?? [] {
      guard let photo = Self.photo(ofCached: entry), !files.contains(photo) else { continue }
      // If a copy remains, the next build tries again to remove it.
      try? FileSystem.remove("\(folder)/\(entry)")
    }
  }

  /// Returns the name of the photo to which a file of the cache belongs.
  private static func photo(ofCached entry: String) -> String? {
    guard let dot = entry.lastIndex(of: ".") else { return nil }
    let name = String(entry[..<dot])
    return name.hasBytePrefix(colorPrefix)
      ? String(name.dropFirst(colorPrefix.count)) : ScaledImageName(name)?.photo
  }

  /// Begins the names of files of the cache that contain the average color of a photo.
  private static let colorPrefix = "color-"

  /// Returns the path of a copy. It contains the digest of the photo, so a changed photo of the same name gets new copies.
  private func path(of name: String, from photo: Photo) -> String { "\(folder)/\(name).\(photo.digest)" }

  /// Makes a copy unless it exists, and returns whether the copy can be used.
  ///
  /// An empty file is written if the copy would not be smaller in bytes than its photo. A failure is remembered for this build only,
  /// because its cause may be the machine: too little time or memory. Only one failure per photo is reported.
  private func isMade(_ copy: ScaledImageName, of photo: Photo) -> Bool {
    let path = path(of: copy.file, from: photo)
    if let size = FileSystem.size(of: path) { return size > 0 }
    guard !counts.withLock({ $0.failed.contains(photo.file) }) else { return false }
    let problem: String
    switch scaled(photo, to: copy) {
    case .success(let bytes):
      let isSmaller = bytes.count < photo.bytes.count
      do throws(FileError) {
        try FileSystem.makeFolders(folder)
        try AtomicFile.write(isSmaller ? bytes : [], to: path)
        counts.withLock { _ = $0.scaled.insert(photo.file) }
        return isSmaller
      } catch {
        problem = "\(error)"
      }
    case .failure(let failure):
      problem = failure.reason
    }
    guard counts.withLock({ $0.failed.insert(photo.file).inserted }) else { return false }
    progress(
      .warning(
        "\(photo.path): warning: no copy of this photo with a width of \(copy.width) pixels could be created: \(problem). Pages show the original."
      ))
    return false
  }

  /// The reason why a photo has no copy.
  private struct Failure: Error {
    let reason: String
  }

  /// Returns the bytes of a copy.
  private func scaled(_ photo: Photo, to copy: ScaledImageName) -> Result<[UInt8], Failure> {
    // The copy has no metadata, and its colors are sRGB.
    let format =
      switch copy.type {
      case .jpeg: ".jpg[Q=80,strip,optimize_coding,interlace]"
      case .avif: ".avif[Q=55,effort=4,strip]"
      default: ".webp[Q=80,strip]"
      }
    let result = output(
      of: photo.bytes, size: "\(copy.width)x", format, hasProfile: photo.hasColorProfile)
    return result.flatMap { bytes in
      guard MediaType(head: Array(bytes.prefix(MediaType.headLength))) == copy.type,
        let dimensions = MediaDimensions(copy.type, of: bytes), dimensions.width == copy.width
      else { return .failure(Failure(reason: "\(Self.programName) wrote no image of that width")) }
      return .success(bytes)
    }
  }

  /// Returns the output of libvips for a picture.
  ///
  /// - Parameter hasProfile: whether the picture contains a color profile. libvips 8.14 darkens a picture without one if it is to convert its
  ///   colors to sRGB, which they already are.
  private func output(
    of picture: [UInt8], size: String, _ format: String, hasProfile: Bool = false
  ) -> Result<[UInt8], Failure> {
    let outcome: ConfinedProgram.Outcome
    do throws(FileError) {
      outcome = try program.run(
        ["stdin", "--size", size, "-o", format] + (hasProfile ? ["--export-profile", "srgb"] : []),
        environment: environment, input: picture, timeLimit: Self.secondsPerPhoto)
    } catch {
      return .failure(Failure(reason: "\(error)"))
    }
    guard outcome.code == 0 else {
      let said = outcome.errors.split(separator: UInt8(ascii: "\n")).first.map {
        TextControls.shownOnOneLine(String(decoding: $0, as: UTF8.self))
      }
      return .failure(Failure(reason: said ?? "\(Self.programName) ended with code \(outcome.code)"))
    }
    return .success(outcome.output)
  }

  /// The time limit; far more than the largest photo needs.
  private static let secondsPerPhoto = 60.0

  /// Returns the average color of a photo, from its smallest copy; `nil` if it cannot be determined. The page then has no placeholder.
  private func color(of photo: Photo, from copy: ScaledImageName) -> String? {
    let path = path(of: Self.colorPrefix + photo.file, from: photo)
    if let known = try? FileBytes.read(path) { return Self.color(known) }
    guard let bytes = try? FileBytes.read(self.path(of: copy.file, from: photo)),
      case .success(let pixel) = output(of: bytes, size: "1x1!", ".ppm"),
      let color = Self.color(ofPixmap: pixel)
    else { return nil }
    // Without the file, the next build determines the color again.
    try? AtomicFile.write(Array(color.utf8), to: path)
    return color
  }

  /// Returns a color from the cache; `nil` if the text is not a color.
  private static func color(_ bytes: [UInt8]) -> String? {
    let digits = bytes.dropFirst()
    return bytes.first == UInt8(ascii: "#") && digits.count == 6
      && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns the color of the last pixel of a picture in binary PPM or PGM format with 256 values per channel
  /// (https://netpbm.sourceforge.net/doc/ppm.html).
  private static func color(ofPixmap bytes: [UInt8]) -> String? {
    if bytes.starts(with: "P6".utf8), bytes.count > 10 {
      return "#" + Hexadecimal.digits(bytes.suffix(3))
    }
    if bytes.starts(with: "P5".utf8), bytes.count > 8, let gray = bytes.last {
      return "#" + Hexadecimal.digits([gray, gray, gray])
    }
    return nil
  }
}

/// A photo of the store that may be published, with all its bytes.
private struct Photo {
  /// The name in the store's media folder.
  let file: String
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
    self.file = file
    self.path = opened.path
    self.type = type
    self.dimensions = dimensions
    self.bytes = bytes
    digest = Hexadecimal.digits(SHA256.hash(bytes).prefix(16))
  }

  /// Whether the file contains a color profile, in the segment or chunk of its format for profiles (ICC.1:2022, annex B; WebP container
  /// specification), which precedes the picture.
  var hasColorProfile: Bool {
    let mark =
      switch type {
      case .jpeg: "ICC_PROFILE"
      case .png: "iCCP"
      default: "ICCP"
      }
    return bytes.prefix(1 << 18).firstRange(of: Array(mark.utf8)) != nil
  }

  /// Returns whether a copy of this width is worthwhile. Its width must be at most four fifths of the photo's width.
  func isWorthScaling(to width: Int) -> Bool { Self.isWorthScaling(dimensions.width, to: width) }

  /// - Parameters:
  ///   - width: the photo's width in pixels.
  ///   - target: the width of the copy.
  static func isWorthScaling(_ width: Int, to target: Int) -> Bool { target * 5 <= width * 4 }

  /// Returns the height of a copy in pixels, rounded.
  func height(at width: Int) -> Int {
    max(1, (dimensions.height * width + dimensions.width / 2) / dimensions.width)
  }
}

extension ImageFormat {
  /// The format's media type.
  var type: MediaType {
    switch self {
    case .avif: .avif
    case .webp: .webp
    }
  }
}
