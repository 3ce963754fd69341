import Basics
import ExportFormats
import InterfaceText
import MediaMirror
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports threads as Markdown files with their media.
///
/// By default, each thread is a folder with `index.md` and its media: a page bundle, as Hugo and Zola call it. Relative URLs of media then lead to
/// the same files in the folder and on the built site, because the page of `posts/name/index.md` is `posts/name/`. For note-taking programs, which
/// name a note after its file, all notes can be in one folder instead.
extension ExportWork {
  func writeNotes(to folder: String) throws(PipelineError) -> ExportSummary {
    let names = noteNames
    let isFlat = options.isFlat
    var links = links(mediaPrefix: isFlat ? NotesFolder.mediaPrefix : "") {
      isFlat ? names[$0] + ".md" : "../\(names[$0])/"
    }
    links.isPost = !isFlat
    let layout = FolderLayout(
      links: links, name: "a folder of notes",
      file: { number, rendered in
        let name = names[number]
        return isFlat
          ? (name + ".md", rendered.markdown.bytes)
          : ("\(name)/index.md", PostMarkdown.text(rendered.markdown.bytes, slug: name))
      },
      mediaPaths: { file, number, _ in [isFlat ? NotesFolder.mediaPrefix + file : "\(names[number])/\(file)"]
      })
    return try writeFolder(folder, layout) { (folder) throws(ExportFormatError) in
      // Site generators make their own lists.
      if isFlat { try folder.write(noteList(names.map { $0 + ".md" }).bytes, to: Self.listNote) }
    }
  }

  private static let listNote = "index.md"

  /// The names of the notes without `.md`: the day and the words of the title. The thread's id is added if two names would be equal,
  /// ignoring letter case. The names consist of letters, digits and hyphens, which all disks and programs allow.
  var noteNames: [String] {
    let names = chosen.threads.map { thread in
      let summary = thread.summary
      let words = thread.settings.slug ?? Slug.make(from: summary.title)
      let day = summary.published.map(worker.calendar.isoDay)
      return [day, words.isEmpty ? nil : words].compactMap(\.self).joined(separator: "-")
    }
    var uses: [String: Int] = ["index": 2, "": 2]
    for name in names { uses[name.lowercased(), default: 0] += 1 }
    return zip(names, chosen.threads).map { name, thread in
      guard name.isEmpty || uses[name.lowercased(), default: 0] > 1 else { return name }
      let id = "\(thread.summary.id.platform)-\(MarkdownPieces.anchor(thread.summary.id.text))"
        .replacing(":", with: "_")
      // Two authors may have threads in one conversation.
      let author = ContentHash.of(thread.file.stem.utf8).prefix(6)
      return [name, id, String(author)].filter { !$0.isEmpty }.joined(separator: "-")
    }
  }

  /// Returns the note that lists the others by year.
  private func noteList(_ names: [String]) -> UTF8Buffer {
    let hasAuthors = Set(chosen.threads.map(\.summary.author.path)).count > 1
    var note = UTF8Buffer("# ")
    note.appendEscapingMarkdown(title)
    note.append("\n" as StaticString)
    var heading: Int?
    for (name, thread) in zip(names, chosen.threads) {
      let summary = thread.summary
      let year = chosen.collection == nil ? summary.published.map { worker.calendar.civil($0).year } : nil
      if let year, year != heading {
        note.append("\n## " as StaticString)
        note.appendEscapingMarkdown(worker.calendar.format.year(year))
        note.append("\n" as StaticString)
      }
      if year != heading || thread.file.stem == chosen.threads.first?.file.stem {
        note.append("\n" as StaticString)
      }
      heading = year
      note.append("- [" as StaticString)
      note.appendEscapingMarkdown(summary.title)
      note.append("](" as StaticString)
      note.appendLinkDestination(name)
      note.append(")" as StaticString)
      let more = [
        hasAuthors ? summary.author.name : nil, summary.published.map(worker.calendar.day),
      ].compactMap(\.self)
      if !more.isEmpty {
        note.append(" · " as StaticString)
        note.appendEscapingMarkdown(more.joined(separator: " · "))
      }
      note.append("\n" as StaticString)
    }
    return note
  }
}
