import Basics
import ExportFormats
import MediaMirror
import SiteBuild
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports threads as a folder of Markdown files with their media.
extension ExportWork {
  /// The files of one format.
  struct FolderLayout {
    /// The links between the files.
    let links: ExportLinks
    /// The name of the folder in messages, such as "a folder of notes".
    let name: String
    /// Returns the path and the text of the file of the thread with a number.
    let file: (_ number: Int, ThreadWorker.Rendered) -> (path: String, text: [UInt8])
    /// Returns the paths of a media file of the thread with a number.
    let mediaPaths: (_ file: String, _ number: Int, MediaType?) -> [String]
  }

  /// - Parameter finish: writes the files about the whole export.
  func writeFolder(
    _ folder: String, _ layout: FolderLayout, finish: (NotesFolder) throws(ExportFormatError) -> Void
  ) throws(PipelineError) -> ExportSummary {
    let store = site.threadStore
    let media = ExportedMedia(store, taking: Set(MediaType.allCases), into: layout.name)
    let links = layout.links
    var summary = ExportSummary()
    var shown: Set<String> = []
    var copied: Set<String> = []
    let folder = try writing { () throws(ExportFormatError) in
      try NotesFolder(folder, replacesForeign: options.replacesForeignOutput)
    }
    try forEachThread(
      prepare: { media.taken($0, [.image, .video, .audio]) }, place: { _ in links }
    ) { (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      let (path, text) = layout.file(number, rendered)
      try writing { () throws(ExportFormatError) in try folder.write(text, to: path) }
      for file in rendered.thread.mediaFiles {
        shown.insert(file)
        let paths = layout.mediaPaths(file, number, media.type(of: file)).filter {
          copied.insert($0).inserted
        }
        guard !paths.isEmpty else { continue }
        let content = try PublishedMedia.open(file, of: store)
        try writing { () throws(ExportFormatError) in
          for path in paths { try folder.copy(content, to: path) }
        }
      }
    }
    try writing { () throws(ExportFormatError) in
      try finish(folder)
      try folder.finish()
    }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }
}
