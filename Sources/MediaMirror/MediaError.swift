package import Basics
package import ThreadStore

/// The reason why a file is not accepted as media.
package enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are of no supported type. The string describes their apparent type, such as `a file of markup, such as HTML or SVG`.
  case notMedia(String)
  /// The file has a supported type of the wrong family, such as a video instead of a picture.
  case wrongFamily(MediaType)
  /// The file's extension belongs to a different type. A server would send browsers that wrong type.
  case misnamed(MediaType)
  /// The header is truncated or has impossible values.
  case damaged(MediaType)
  /// The file has more than `limit` bytes.
  case tooLarge(limit: Int)
  /// The picture has so many pixels that showing it would use up the memory of a reader's machine.
  case tooManyPixels(width: Int, height: Int)
  case file(FileError)
  case store(ThreadStoreError)

  /// Advice about the file, as a sentence; `nil` if the description suffices.
  package var remedy: String? {
    switch self {
    case .misnamed(let type): "Use the extension .\(type.fileExtension)."
    case .damaged: "Copy the file again from where it came from."
    case .tooLarge, .tooManyPixels: "Use a smaller version."
    case .notMedia, .wrongFamily, .file, .store: nil
    }
  }

  /// A clause without a full stop, for a list of files that were left out. For `file` and `store`, a whole message.
  package var description: String {
    switch self {
    case .notMedia(let what): "it is \(what)"
    case .wrongFamily(let type): "it is \(type.family.article) (\(type.displayName))"
    case .misnamed(let type):
      "its content is \(type.displayName), but its name does not end in .\(type.fileExtension)"
    case .damaged(let type): "its \(type.displayName) header is damaged or truncated"
    case .tooLarge(let limit): "it is larger than the limit of \(limit >> 20) MB"
    case .tooManyPixels(let width, let height): "it has \(width) × \(height) pixels, which is over the limit"
    case .file(let error): error.description
    case .store(let error): error.description
    }
  }
}

extension MediaType.Family {
  fileprivate var article: String {
    switch self {
    case .image: "a picture"
    case .video: "a video"
    case .audio: "a sound"
    case .captions: "a file of captions"
    }
  }
}
