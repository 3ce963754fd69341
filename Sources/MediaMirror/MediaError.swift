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

  /// A clause without a full stop, for a list of files that were left out. For `file` and `store`, a whole message.
  package var description: String {
    switch self {
    case .notMedia(let what): "it is \(what)"
    case .wrongFamily(let type): "it is \(type.family.article) (\(type.rawValue))"
    case .misnamed(let type): "it is \(type.rawValue), and its name does not end in .\(type.fileExtension)"
    case .damaged(let type): "its \(type.rawValue) header is damaged or cut short"
    case .tooLarge(let limit): "it is larger than \(limit >> 20) MB"
    case .tooManyPixels(let width, let height): "its \(width) × \(height) pixels are too many"
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
