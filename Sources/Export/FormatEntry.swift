import ExportFormats
import SiteBuild
import SiteWorkspace

/// The description of a format of exports in the help, and the function that writes it.
struct FormatEntry {
  typealias Writing<Path> = (ExportWork, Path) throws(PipelineError) -> ExportSummary

  enum Output {
    /// A file or, without a path, standard output.
    case stream(Writing<String?>)
    /// A file that is written in place.
    case file(Writing<String>)
    case folder(Writing<String>)

    static func records<Writer: RecordsWriter & ~Copyable>(_ writer: Writer.Type) -> Output
    where Writer.Path == String {
      .file { (work, path) throws(PipelineError) in try work.writeRecords(writer, to: path) }
    }

    static func blog<Writer: BlogWriter & ~Copyable>(_ writer: Writer.Type, for format: ExportFormat)
      -> Output
    {
      .stream { (work, output) throws(PipelineError) in
        try work.writeBlog(writer, for: format, to: output)
      }
    }

    static func records<Writer: RecordsWriter & ~Copyable>(_ writer: Writer.Type) -> Output
    where Writer.Path == String? {
      .stream { (work, output) throws(PipelineError) in try work.writeRecords(writer, to: output) }
    }
  }

  /// A phrase without a full stop.
  let summary: String
  /// The name of the output if the user specifies none.
  let defaultName: String
  /// Whether the output loads nothing from other files or hosts.
  let isSelfContained: Bool
  let output: Output
}
