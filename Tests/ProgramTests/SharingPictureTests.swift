import Foundation
import SiteWorkspace
import TestSupport
import Testing

/// The image that other sites show for pages.
@Suite("The sharing image")
struct SharingPictureTests {
  private let site: TemporarySite

  init() throws { site = try TemporarySite("defaults") }

  /// A PNG file up to the end of its header.
  private func png(_ width: UInt16, _ height: UInt16) -> Data {
    func bytes(_ number: UInt16) -> [UInt8] { [0, 0, UInt8(number >> 8), UInt8(number & 0xFF)] }
    return Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + bytes(width) + bytes(height) + [8, 2, 0, 0, 0])
  }

  private func build(_ text: String) throws {
    try site.folder.write("title: A\nbase_url: https://a.example/\n\(text)", to: "site.yml")
    try waitUntilFilesAreSettled()
    try site.build()
    // An incremental build gives the same site as a full one.
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  private func tags(_ page: String) throws -> [String] {
    try site.page(page).split(separator: "\n").filter {
      $0.contains("og:image") || $0.contains("twitter:")
    }.map(String.init)
  }

  private let thread = "x/ada/three-things-about-clocks-1001/index.html"

  @Test func representsPagesWithoutAnImage() throws {
    try site.folder.write(png(1200, 630), to: "static/share/a card.png")
    try build("image: { file: static/share/a card.png, alt: 'A clock & a \"key\"' }\n")
    let expected = [
      #"<meta property="og:image" content="https://a.example/share/a%20card.png">"#,
      #"<meta property="og:image:width" content="1200">"#,
      #"<meta property="og:image:height" content="630">"#,
      #"<meta property="og:image:alt" content="A clock &amp; a &quot;key&quot;">"#,
      #"<meta name="twitter:image:alt" content="A clock &amp; a &quot;key&quot;">"#,
      #"<meta name="twitter:card" content="summary_large_image">"#,
    ]
    for page in ["index.html", thread, "archive/index.html"] {
      #expect(try tags(page) == expected, "\(page)")
    }

    // A new size appears on every page. A small image gives a small preview.
    try site.folder.write(png(200, 200), to: "static/share/a card.png")
    try build("image: { file: static/share/a card.png, alt: 'A clock & a \"key\"' }\n")
    for page in ["index.html", thread] {
      let tags = try tags(page)
      #expect(tags.contains(#"<meta property="og:image:width" content="200">"#))
      #expect(tags.last == #"<meta name="twitter:card" content="summary">"#)
    }
    try build("image: static/share/a card.png\n")
    #expect(try tags(thread).count == 4)
    try build("")
    #expect(try tags(thread) == [#"<meta name="twitter:card" content="summary">"#])
  }

  @Test(arguments: [
    ("image: static/no.png", "site.yml:3:8: error: image: there is no "),
    ("image: { alt: A clock, file: static/words.png }", "site.yml:3:30: error: image.file: "),
    ("image: card.png", #"site.yml:3:8: error: image: "card.png" is not in static/"#),
    ("image: card.png", #"did you mean "static/card.png"?"#),
    ("image: ../card.png", "put the image there"),
    ("image: static/card.jpg", "Use the extension .png."),
    ("image: static/link.png", "link"),
  ])
  func reportsAnInvalidImageWithItsPlace(text: String, message: String) throws {
    try site.folder.write("words", to: "static/words.png")
    try site.folder.write(png(1200, 630), to: "static/card.png")
    try site.folder.write(png(1200, 630), to: "static/card.jpg")
    if text.contains("link") {
      try FileManager.default.createSymbolicLink(
        atPath: site.path + "/static/link.png", withDestinationPath: site.path + "/static/card.png")
    }
    let error = try #require(throws: PipelineError.self) { try build(text + "\n") }
    #expect(error.messages.contains { $0.contains(message) }, "\(error.messages)")
    #expect(!site.folder.exists("site"))
  }
}
