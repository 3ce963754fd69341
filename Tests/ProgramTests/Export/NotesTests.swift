import Export
import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// Threads as Markdown files for note-taking programs.
@Suite struct NotesTests {
  private let ada = "2021-01-01-ada-begins-1-2-so-on.md"

  private func messages(_ exported: ExportedSite, force: Bool = false) -> String {
    do {
      try exported.export(.markdown, to: "notes") { $0.replacesForeignOutput = force }
      return ""
    } catch {
      return error.messages.joined(separator: "\n")
    }
  }

  @Test func eachThreadIsANoteWithItsMediaBesideIt() throws {
    var media = ExportedSite.media
    media["film.mp4"] = Self.film
    let exported = try ExportedSite(media: media)
    try exported.export(.markdown, to: "notes")
    let tree = try exported.site.folder.tree("notes")
    #expect(
      Set(tree.keys) == [
        ".threadsite-export", "index.md", ada, "2022-01-01-bo-begins-here.md", "2023-01-01-ada-again.md",
        "media/one.png", "media/two.jpg", "media/film.mp4",
      ])
    let note = try exported.site.folder.text("notes/\(ada)")
    let parts = note.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    let matter = try #require(try TypedYAML.read(parts[1]) as? [String: Any])
    #expect(matter["title"] as? String == "Ada begins: 1 < 2 & \"so\" on")
    #expect(note.contains("](media/one.png)") && note.contains("](media/film.mp4"))
    #expect(note.contains("](2022-01-01-bo-begins-here.md#post-2001)"))
    #expect(!note.contains("hidden word"))
    let list = try exported.site.folder.text("notes/index.md")
    #expect(
      list.contains("## 2022\n\n- [Bo begins here](2022-01-01-bo-begins-here.md) · Bo · 1 January 2022\n"))
  }

  /// As Hugo and Zola expect it: URLs relative to `index.md` are also relative to the page's URL.
  @Test func eachThreadIsAPageForOtherSiteGenerators() throws {
    var media = ExportedSite.media
    media["film.mp4"] = Self.film
    let exported = try ExportedSite(media: media)
    try exported.site.save(
      ExportedSite.conversation(
        [
          ExportedSite.post(
            6001, by: ExportedSite.ada, "Go says {{< figure >}} and {{% raw %}}, Zola {% x() %}", year: 2024)
        ], by: ExportedSite.ada))
    try exported.export(.markdown, to: "posts", isFlat: false)
    let name = String(ada.dropLast(3))
    let files = Set(try exported.site.folder.tree("posts").keys)
    #expect(
      files.filter { $0.hasPrefix(name) } as Set == [
        "\(name)/index.md", "\(name)/one.png", "\(name)/two.jpg", "\(name)/film.mp4",
      ])
    // A list named index.md would make the folder a single page of Hugo.
    #expect(!files.contains("index.md") && files.contains("2022-01-01-bo-begins-here/index.md"))
    let note = try exported.site.folder.text("posts/\(name)/index.md")
    let parts = note.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    let matter = try #require(try TypedYAML.read(parts[1]) as? [String: Any])
    #expect(matter["slug"] as? String == name)
    #expect(note.contains("](one.png)") && note.contains("](../2022-01-01-bo-begins-here/#post-2001)"))
    // Layouts show the title of the front matter.
    #expect(!note.contains("\n# "))
    let codes = try #require(files.first { $0.hasPrefix("2024") })
    let text = try exported.site.folder.text("posts/\(codes)")
      .split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)[2]
    #expect(!text.contains("{{<") && !text.contains("{{%") && !text.contains("{% x"))
    // A removed thread takes its folder with it, but not a file of the owner.
    try exported.site.folder.write("mine", to: "posts/\(name)/mine.txt")
    for file in ["11/1001", "ada/1001"] where exported.site.folder.exists("threads/x/\(file).json") {
      try exported.site.folder.remove("threads/x/\(file).json")
    }
    try exported.site.folder.write("title: Kept\n", to: "site.yml")
    try exported.export(.markdown, to: "posts", isFlat: false)
    #expect(
      try exported.site.folder.tree("posts").keys.filter { $0.hasPrefix(name) }.sorted() == [
        "\(name)/mine.txt"
      ])
  }

  @Test func removesTheTemporaryFileOfAKilledExport() throws {
    let exported = try ExportedSite(media: ExportedSite.media)
    try exported.export(.markdown, to: "notes")
    let left = "notes/..threadsite-export.999999-0.tmp"
    try exported.site.folder.write("x", to: left)
    try exported.export(.markdown, to: "notes")
    #expect(!exported.site.folder.exists(left))
  }

  /// The part of a video that is read: the brands, and the size of one track.
  private static let film: Data = {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = UInt32(content.count + 8)
      return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
    }
    var track = [UInt8](repeating: 0, count: 84)
    (track[77], track[81]) = (20, 15)
    let handler = box(
      "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("vide".utf8) + [UInt8](repeating: 0, count: 13))
    var header = [UInt8](repeating: 0, count: 100)
    (header[15], header[19]) = (1, 1)
    return Data(
      box("ftyp", Array("isom".utf8) + [0, 0, 0, 0] + Array("isom".utf8))
        + box("moov", box("mvhd", header) + box("trak", box("tkhd", track) + box("mdia", handler))))
  }()

  @Test func secondExportChangesNothing() throws {
    let exported = try ExportedSite()
    #expect(messages(exported).isEmpty)
    let first = try exported.site.folder.tree("notes")
    #expect(messages(exported).isEmpty)
    #expect(try exported.site.folder.tree("notes") == first)
  }

  @Test func keepsFilesOfTheUser() throws {
    let exported = try ExportedSite()
    #expect(messages(exported).isEmpty)
    let folder = exported.site.folder
    // A note that the user wrote is not a file of the export.
    try folder.write("My own", to: "notes/mine.md")
    try folder.write("{}", to: "notes/.obsidian/app.json")
    try exported.site.save(
      ExportedSite.conversation(
        [ExportedSite.post(6001, by: ExportedSite.bo, "One more", year: 2023)], by: ExportedSite.bo))
    #expect(messages(exported).isEmpty)
    #expect(folder.exists("notes/2023-01-01-one-more.md"))
    #expect(try folder.text("notes/mine.md") == "My own" && folder.exists("notes/.obsidian/app.json"))
    // If the user edited an exported note, the next export stops and changes nothing.
    let note = try folder.text("notes/\(ada)")
    try folder.write(note + "My thoughts", to: "notes/\(ada)")
    try folder.remove("threads/x/bo/6001.json")
    let before = try folder.tree("notes")
    let said = messages(exported)
    #expect(said.contains(ada) && said.contains("--force") && !said.contains("mine.md"))
    #expect(try folder.tree("notes") == before)
    #expect(messages(exported, force: true).isEmpty)
    #expect(try folder.text("notes/\(ada)") == note)
    #expect(!folder.exists("notes/2023-01-01-one-more.md") && folder.exists("notes/mine.md"))
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: exported.site.path)) == [
        "site.yml", "threads", "notes",
      ])
  }

  /// Anyone may write to the folder, so its list cannot name files elsewhere.
  @Test func forgedListRemovesNothingElsewhere() throws {
    let exported = try ExportedSite()
    #expect(messages(exported).isEmpty)
    let list = try exported.site.folder.text("notes/.threadsite-export")
    let forged = ["../site.yml", "media/../../site.yml", "/etc/hosts", "media/..", "a/b.md"]
      .map { "0 \($0)\n" }.joined()
    try exported.site.folder.write(list + forged, to: "notes/.threadsite-export")
    #expect(messages(exported).isEmpty)
    #expect(exported.site.folder.exists("site.yml"))
    #expect(try exported.site.folder.text("notes/.threadsite-export") == list)
  }

  @Test func threadsWithTheSameNameAreTwoNotes() throws {
    let site = try TemporarySite()
    for id in [1001, 2001] {
      try site.save(
        ExportedSite.conversation(
          [ExportedSite.post(id, by: ExportedSite.ada, id == 1001 ? "Same Words" : "same words", year: 2021)],
          by: ExportedSite.ada))
    }
    let exported = try ExportedSite(site: site)
    #expect(messages(exported).isEmpty)
    let notes = try site.folder.tree("notes").keys.filter { $0.hasSuffix(".md") && $0 != "index.md" }
    #expect(notes.count == 2)
    #expect(notes.contains { $0.hasPrefix("2021-01-01-same-words-x-1001-") })
  }
}
