package import Basics
package import ThreadStore

/// Why bytes are not kept as media.
package enum MediaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are of no type that is kept: what they look like, such as `a file of markup, such as HTML or SVG`.
  case notMedia(String)
  /// A video where a picture is wanted, a picture where a sound is.
  case wrongFamily(MediaType)
  /// The name ends like that of another type, which a server would tell browsers.
  case misnamed(MediaType)
  /// The header is cut short, or says what cannot be.
  case damaged(MediaType)
  /// More bytes than this many.
  case tooLarge(limit: Int)
  /// Pixels: so many that to show it would cost a reader's machine all its memory.
  case tooManyPixels(width: Int, height: Int)
  case file(FileError)
  case store(ThreadStoreError)

  /// A clause without a full stop, for a list of what was left out; the last two are whole messages.
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
