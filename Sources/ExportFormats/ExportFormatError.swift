package import Basics

/// The reason why an export could not be written.
package enum ExportFormatError: Error, CustomStringConvertible {
  case file(FileError)
  /// An error of zlib, whose only possible cause is a lack of memory.
  case compression(code: Int32)
  /// An entry larger than this program's zip files support.
  case tooLarge(String)
  /// A picture that was changed after it was examined.
  case changed(String)
  case database(String)
  case notes(String)
  /// The program that typesets a book is missing.
  case missingTypesetter(String)
  /// The program that typesets a book failed.
  case typesetter(String)

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .compression(let code):
      "error: zlib could not compress a part of the book (code \(code)); is there enough memory?"
    case .tooLarge(let name):
      "error: \(name) is too large for a book; leave its thread out, or export fewer threads."
    case .changed(let name):
      "\(name): error: this image was changed or removed during the export; export again."
    case .database(let message), .notes(let message), .missingTypesetter(let message),
      .typesetter(let message):
      message
    }
  }
}

/// Does work on files, and converts its errors.
func withFiles<Result: ~Copyable>(
  _ work: () throws(FileError) -> Result
) throws(ExportFormatError) -> Result {
  do {
    return try work()
  } catch {
    throw .file(error)
  }
}
