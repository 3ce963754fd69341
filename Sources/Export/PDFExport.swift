import Basics
import ExportFormats
import SiteBuild
import SiteWorkspace

/// Exports threads as a printed book.
extension ExportWork {
  /// - Parameters:
  ///   - output: the path of the file; `nil` for standard output.
  ///   - environment: the environment variables.
  func writePDF(to output: String?, environment: [String: String]) throws(PipelineError) -> ExportSummary {
    // Found first, so that a missing program is reported at once.
    let typesetter = try writing { () throws(ExportFormatError) in try PDFTypesetter(environment: environment)
    }
    let book = try book()
    let (summary, page) = try writePage(of: book, to: .printedBook, called: "a book")
    progress(.note("Typesetting the book."))
    let document = try writing { () throws(ExportFormatError) in
      try typesetter.typeset(page, identifier: book.identifier)
    }
    do throws(FileError) {
      var file = try OutgoingFile(output)
      try file.write(document)
      try file.finish()
    } catch {
      throw PipelineError(.io, error)
    }
    return summary
  }
}
