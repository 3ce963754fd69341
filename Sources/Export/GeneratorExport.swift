import Basics
import ExportFormats
import MediaMirror
import SiteBuild
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel

/// Exports threads as posts of another site generator.
extension ExportWork {
  /// - Parameter name: the name of the generator.
  func writePosts(
    to folder: String, for preset: GeneratorPreset, called name: String
  ) throws(PipelineError) -> ExportSummary {
    // Jekyll ignores posts whose name does not begin with a day.
    let names = zip(noteNames, chosen.threads).map { name, thread in
      thread.summary.published == nil ? "1970-01-01-" + name : name
    }
    var links = links(mediaPrefix: preset.mediaPrefix) { "../\(names[$0])/" }
    links.isPost = true
    let layout = FolderLayout(
      links: links, name: "a folder for \(name)",
      file: { number, rendered in
        let page = rendered.thread.page
        let post = GeneratorPost(name: names[number], summary: page.summary, source: page.sourceURL)
        return (
          preset.path(of: post.name), PostMarkdown.text(rendered.markdown.bytes, of: post, for: preset)
        )
      },
      mediaPaths: { file, number, type in
        preset.paths(of: file, in: names[number], isPicture: type?.family == .image)
      })
    return try writeFolder(folder, layout) { (folder) throws(ExportFormatError) in
      guard let extra = preset.extraFile(title: title) else { return }
      try folder.writeUnlessForeign(Array(extra.text.utf8), to: extra.path)
    }
  }
}
