import Basics
import ExportFormats
import MediaMirror
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports threads as posts of another site generator.
extension ExportWork {
  func writePosts(to folder: String, for preset: GeneratorPreset) throws(PipelineError) -> ExportSummary {
    // Jekyll ignores posts whose name does not begin with a day.
    let names = zip(noteNames, chosen.threads).map { name, thread in
      thread.summary.published == nil ? "1970-01-01-" + name : name
    }
    var links = links(mediaPrefix: preset.mediaPrefix) { "../\(names[$0])/" }
    links.isPost = true
    let place = links
    let store = site.threadStore
    let media = ExportedMedia(
      store, taking: Set(MediaType.allCases), into: "a folder for \(options.format.rawValue)")
    var summary = ExportSummary()
    var shown: Set<String> = []
    let folder = try writing { () throws(ExportFormatError) in
      try NotesFolder(folder, replacesForeign: options.replacesForeignOutput)
    }
    try forEachThread(
      prepare: { media.taken($0, [.image, .video, .audio]) }, place: { _ in place }
    ) { (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      let name = names[number]
      let page = rendered.thread.page
      let post = GeneratorPost(name: name, summary: page.summary, source: page.sourceURL)
      try writing { () throws(ExportFormatError) in
        try folder.write(
          PostMarkdown.text(rendered.markdown.bytes, of: post, for: preset), to: preset.path(of: name))
      }
      for file in rendered.thread.mediaFiles {
        shown.insert(file)
        let content = try PublishedMedia.open(file, of: store)
        for path in preset.paths(of: file, in: name, isPicture: media.type(of: file)?.family == .image) {
          try writing { () throws(ExportFormatError) in try folder.copy(content, to: path) }
        }
      }
    }
    let extra = preset.extraFile(title: title)
    try writing { () throws(ExportFormatError) in
      if let extra { try folder.writeUnlessForeign(Array(extra.text.utf8), to: extra.path) }
      try folder.finish()
    }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }
}
