import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// The programs of libvips.
private enum Vips {
  static let isInstalled = ["vips", "vipsthumbnail", "vipsheader"].allSatisfy { program in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }
}

/// Smaller copies, made by libvips, of photos whose network offers none.
@Suite(
  "Scaled images",
  .enabled(
    if: Vips.isInstalled, "libvips' programs are not installed: apt-get install libvips-tools"))
struct ScaledImagesTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write("", to: "threads/media/.keep")
  }

  /// Runs a program of libvips on files, unlike the product.
  @discardableResult
  private func vips(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = ProcessLauncher.makePipe()
    process.standardOutput = output
    try ProcessLauncher.start(process)
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Writes a photo of noise, which no format compresses well.
  private func photo(_ name: String, _ width: Int, _ height: Int, sigma: Int = 40, options: String = "")
    throws
  {
    try vips(
      "vips", "gaussnoise", "\(site.path)/threads/media/\(name)\(options)", "\(width)", "\(height)", "--mean",
      "128",
      "--sigma", "\(sigma)")
  }

  private func save(_ photos: String..., id: String = "1001", change: (inout Media) -> Void = { _ in }) throws
  {
    let id = PostID(id, on: .x)
    let author = AuthorID("7", on: .x)
    var conversation = Conversation(id: id, authorID: author)
    var facts = Post(id: id, authorID: author, text: InlineText("Noise.")).facts
    facts.media = photos.map { name in
      var medium = Media(id: name, kind: .photo, url: "https://pictures.example/\(name)")
      medium.file = name
      change(&medium)
      return medium
    }
    conversation.posts = [Post(facts)]
    try site.save(conversation)
  }

  private func build(_ settings: String = "") throws {
    try site.folder.write("title: A\nbase_url: https://a.example/\n\(settings)", to: "site.yml")
    try waitUntilFilesAreSettled()
    try site.build()
    // An incremental build gives the same site as a full one.
    try site.build(output: site.path + "/fresh", usesCache: false)
    #expect(try site.tree() == site.folder.tree("fresh"))
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(site.path)/\(folder)").sorted()
  }

  /// The start tags of a thread's page.
  private func tags(of id: String = "1001") throws -> [HTMLStartTag] {
    let page = try #require(
      try site.tree().first { $0.key.hasPrefix("x/") && $0.key.hasSuffix("\(id)/index.html") }?.value)
    return try HTMLTokens(String(decoding: page, as: UTF8.self)).startTags
  }

  /// The sources that a thread's page offers, narrowest first: URLs and widths.
  private func sources(of id: String = "1001") throws -> [[Substring]] {
    try tags(of: id).filter { $0.name == "img" }
      .compactMap { $0["srcset"] }.map { $0.split(separator: ", ") }
  }

  /// The program on a machine with or without libvips.
  private func program(hasLibvips: Bool) -> Program {
    Program(
      folder: site.path,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "PATH": hasLibvips ? "/usr/bin:/bin" : "/nowhere",
      ])
  }

  private func size(_ file: String) throws -> [String] {
    try ["width", "height"].map { try vips("vipsheader", "-f", $0, "\(site.path)/site/media/\(file)") }
  }

  /// Each copy is made by a process whose pipes are closed when it ends. A site may have more photos than a
  /// process may have open files.
  @Test func manyPhotosNeedFewOpenFiles() throws {
    let photos = (1...40).map { "\($0).jpg" }
    // Small, and so narrow that each has one copy.
    try photo(photos[0], 600, 80)
    for name in photos.dropFirst() {
      try FileManager.default.copyItem(
        atPath: "\(site.path)/threads/media/\(photos[0])", toPath: "\(site.path)/threads/media/\(name)")
    }
    for (number, name) in photos.enumerated() { try save(name, id: "\(1001 + number)") }
    try site.folder.write("title: A\nscale_images: true\n", to: "site.yml")
    var program = Program(folder: site.path)
    let threadsite = try #require(Program.executable)
    program.executable = URL(filePath: "/bin/bash")
    // Files inherited from the parent of the tests may have numbers above the limit.
    let close = "for file in /dev/fd/*; do n=${file##*/}; [ \"$n\" -gt 2 ] && eval \"exec $n>&-\"; done"
    let outcome = try program.run(["-c", "\(close); ulimit -n 64; exec \"$0\" build", threadsite.path])
    #expect(outcome.code == 0 && !outcome.errors.contains("warning"), "\(outcome.errors)")
    let copies = try names(in: "site/media").filter { $0.hasPrefix("340w-") }
    #expect(copies.count == 40, "\(copies)")
  }

  @Test func narrowScreenLoadsLess() throws {
    try photo("a.jpg", 2000, 200)
    try photo("b.png", 1000, 100, sigma: 4)
    try save("a.jpg", "b.png")
    try build()
    #expect(
      try names(in: "site/media") == [
        "1360w-a.jpg", "340w-a.jpg", "340w-b.png.webp", "680w-a.jpg", "680w-b.png.webp", "a.jpg", "b.png",
      ])
    let sources = try sources()
    try #require(sources.count == 2)
    #expect(
      sources[0].map { $0.drop { !$0.isNumber } } == [
        "340w-a.jpg 340w", "680w-a.jpg 680w", "1360w-a.jpg 1360w", sources[0][3].drop { !$0.isNumber },
      ])
    #expect(sources[0][3].hasSuffix("media/a.jpg 2000w"))
    #expect(sources[1].map { $0.suffix(4) } == ["340w", "680w", "000w"])
    #expect(try size("680w-a.jpg") == ["680", "68"])
    #expect(try size("340w-b.png.webp") == ["340", "34"])
    for file in ["340w-a.jpg", "680w-a.jpg", "1360w-a.jpg"] {
      let bytes = try Data(contentsOf: URL(filePath: "\(site.path)/site/media/\(file)"))
      #expect(bytes.count < (try Data(contentsOf: URL(filePath: "\(site.path)/threads/media/a.jpg"))).count)
    }
    // Lists show a copy that is large enough for a column.
    #expect(try site.page("index.html").contains("media/680w-a.jpg"))
    try SiteChecks(site).checkAll()

    // With `false`, all copies are deleted.
    try build("scale_images: false\n")
    #expect(try names(in: "site/media") == ["a.jpg", "b.png"])
    #expect(try self.sources().isEmpty)
    #expect(!site.folder.exists(".threadsite/images"))
  }

  @Test func keepsCopiesAndUpdatesThemWithTheirPhoto() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try build()
    let kept = try names(in: ".threadsite/images")
    #expect(kept.count == 3, "two copies and the average color: \(kept)")
    let first = try site.tree()["media/680w-a.jpg"]

    // Missing copies are made again, also if the site has lost them.
    try FileManager.default.removeItem(atPath: site.path + "/.threadsite/images")
    try FileManager.default.removeItem(atPath: site.path + "/site/media/340w-a.jpg")
    try build()
    #expect(try names(in: ".threadsite/images") == kept)
    #expect(try site.tree()["media/680w-a.jpg"] == first)

    // Another photo under the same name.
    try photo("a.jpg", 1000, 250)
    try build()
    #expect(try site.tree()["media/680w-a.jpg"] != first)
    #expect(try size("680w-a.jpg") == ["680", "170"])

    // A photo that is no longer shown.
    try photo("b.jpg", 1000, 500)
    try save("b.jpg") { $0.id = "b" }
    try FileManager.default.removeItem(atPath: site.path + "/threads/x")
    try save("b.jpg")
    try build()
    #expect(try names(in: ".threadsite/images").allSatisfy { $0.contains("-b.jpg.") })
    #expect(try names(in: "site/media") == ["340w-b.jpg", "680w-b.jpg", "b.jpg"])
  }

  @Test func networksCopiesAreEnough() throws {
    try photo("a.jpg", 2000, 200)
    try photo("small.jpg", 500, 50)
    try photo("narrow.jpg", 400, 40)
    try save("a.jpg") {
      ($0.width, $0.height) = (2000, 200)
      $0.sizes = [MediaSize(file: "small.jpg", width: 500, height: 50)]
    }
    try build()
    #expect(try names(in: "site/media") == ["a.jpg", "small.jpg"])
    // A photo only slightly wider than a copy gets none.
    try save("narrow.jpg") { $0.id = "c" }
    try FileManager.default.removeItem(atPath: site.path + "/threads/x")
    try save("narrow.jpg")
    try build()
    #expect(try names(in: "site/media") == ["narrow.jpg"])
  }

  /// A file that begins like a photo but is invalid is published unchanged, with a warning.
  @Test func warnsAboutADamagedPhoto() throws {
    try site.folder.write(
      SampleMedia.jpeg(width: 1000, height: 500) + [UInt8](repeating: 0, count: 20_000),
      to: "threads/media/a.jpg")
    try save("a.jpg")
    try build()
    #expect(try names(in: "site/media") == ["a.jpg"])
    #expect(
      site.warnings.contains {
        $0.hasPrefix(
          "SITE/threads/media/a.jpg: warning: no copy of this photo with a width of 340 pixels could ")
      }, "\(site.warnings)")
    #expect(!site.folder.exists(".threadsite/images"), "the failure was cached")
  }

  /// The machine may have caused the failure, so the next build with any work tries again. Each photo is
  /// reported once.
  @Test func retriesAfterAFailure() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\nbase_url: https://a.example/\nscale_images: true\n", to: "site.yml")
    // A file takes the place of the copies' folder.
    try site.folder.write("", to: ".threadsite/images")
    try waitUntilFilesAreSettled()
    try site.build()
    #expect(site.warnings.count { $0.contains("no copy of this photo") } == 1, "\(site.warnings)")
    #expect(try names(in: "site/media") == ["a.jpg"])
    try FileManager.default.removeItem(atPath: site.path + "/.threadsite/images")
    try build("description: Another.\n")
    #expect(try names(in: "site/media") == ["340w-a.jpg", "680w-a.jpg", "a.jpg"])
  }

  /// Files of the store keep their names.
  @Test func fileOfTheStoreIsNotMistakenForACopy() throws {
    try photo("a.jpg", 1000, 500)
    try photo("340w-a.jpg", 300, 300)
    try save("a.jpg", "340w-a.jpg")
    try build()
    #expect(try names(in: "site/media") == ["340w-a.jpg", "680w-a.jpg", "a.jpg"])
    #expect(try size("340w-a.jpg") == ["300", "300"])
  }

  @Test func reportsAMissingProgram() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\nscale_images: true\n", to: "site.yml")
    let outcome = try program(hasLibvips: false).run(["build"])
    #expect(outcome.code != 0)
    #expect(
      outcome.errors.contains(
        "site.yml:2:15: error: scale_images: vipsthumbnail, which makes the copies, is not installed"),
      "\(outcome.errors)")
    #expect(!site.folder.exists("site"))
  }

  @Test func checkSuggestsCopies() throws {
    try photo("a.jpg", 1000, 500)
    try photo("small.jpg", 300, 150, sigma: 1)
    try save("a.jpg", "small.jpg")
    func check(hasLibvips: Bool = false) throws -> String {
      let outcome = try program(hasLibvips: hasLibvips).run([
        "check", "--kind", "unscaled-photos", "--verbose",
      ])
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.output + outcome.errors
    }
    try site.folder.write("title: A\n", to: "site.yml")
    #expect(try program(hasLibvips: false).run(["build"]).code == 0)
    let report = try check()
    #expect(report.contains("1 photo (") && report.contains("libvips-tools"), "\(report)")
    #expect(try !check(hasLibvips: true).contains("1 photo"))
    try site.folder.write("title: A\nscale_images: false\n", to: "site.yml")
    #expect(try !check().contains("1 photo"))
  }

  /// Without the key, copies are made if libvips is installed. A build with another set of programs is a build with other inputs.
  @Test func installationDecides() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\n", to: "site.yml")
    let (with, without) = (program(hasLibvips: true), program(hasLibvips: false))
    #expect(try without.run(["build"]).code == 0)
    #expect(try names(in: "site/media") == ["a.jpg"])
    let first = try with.run(["build"])
    #expect(first.errors.contains("Made smaller copies of 1 photo"), "\(first.errors)")
    #expect(try names(in: "site/media") == ["340w-a.jpg", "680w-a.jpg", "a.jpg"])
    // The copies are announced once.
    try site.folder.write("title: B\n", to: "site.yml")
    let second = try with.run(["build"])
    #expect(second.code == 0 && !second.errors.contains("smaller copies"), "\(second.errors)")
  }

  /// A manifest names the version of libvips that made copies. A site without copies is verified without any, whether libvips is
  /// installed or not.
  @Test func manifestNamesTheProgram() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\n", to: "site.yml")
    let (with, without) = (program(hasLibvips: true), program(hasLibvips: false))
    for (builder, name) in [(without, "plain.json"), (with, "copies.json")] {
      #expect(try builder.run(["build", "--manifest", name]).code == 0)
    }
    #expect(try !site.folder.text("plain.json").contains("libvips"))
    #expect(try site.folder.text("copies.json").contains(#""libvips": "8."#))
    func verify(_ name: String, by program: Program) throws -> Program.Outcome {
      try program.run(["check", "--kind", "manifest", "--manifest", name])
    }
    #expect(try verify("plain.json", by: without).code == 0)
    #expect(try verify("plain.json", by: with).code == 0)
    #expect(try verify("copies.json", by: with).code == 0)
    let outcome = try verify("copies.json", by: without)
    #expect(outcome.code != 0)
    #expect(
      (outcome.output + outcome.errors).contains("this machine has no libvips"),
      "\(outcome.output) \(outcome.errors)")
  }

  /// A change of a text alone keeps the copies.
  @Test func textUpdateKeepsCopies() throws {
    try photo("a.jpg", 1000, 500)
    for number in 0..<8 { try save("a.jpg", id: "\(1001 + number)") }
    try build()
    let before = try site.tree()
    try save("a.jpg", id: "1003") { $0.altText = "Noise, described." }
    try build()
    #expect(try site.tree()["media/680w-a.jpg"] == before["media/680w-a.jpg"])
    #expect(try tags(of: "1003").contains { $0["alt"] == "Noise, described." })
    #expect(try sources(of: "1003").first?.count == 3)
  }

  /// Small files get no copies, which would save little.
  @Test func smallFilesHaveNoCopies() throws {
    try vips("vips", "black", "\(site.path)/threads/media/a.jpg", "1000", "500")
    try save("a.jpg")
    try build()
    #expect(try names(in: "site/media") == ["a.jpg"])
  }

  /// Browsers choose a format and a width from the `picture` element. All others show the `img`.
  @Test(arguments: ["avif", "webp"]) func offersFormats(_ format: String) throws {
    try photo("a.jpg", 1500, 300, options: "[Q=98]")
    try photo("b.png", 800, 200, sigma: 4)
    try save("a.jpg", "b.png")
    try build("image_formats: [\(format)]\n")
    let tags = try tags()
    let offered = tags.filter { $0.name == "source" }
    // The smaller copies of the PNG are WebP anyway.
    #expect(offered.count == (format == "avif" ? 2 : 1))
    #expect(tags.count { $0.name == "picture" } == offered.count)
    let first = try #require(offered.first)
    #expect(first["type"] == "image/\(format)")
    #expect(
      first["srcset"]?.split(separator: ", ").map { $0.drop { $0 != "m" } } == [
        "media/340w-a.jpg.\(format) 340w", "media/680w-a.jpg.\(format) 680w",
        "media/1500w-a.jpg.\(format) 1500w",
      ])
    #expect(first["sizes"] == tags.first { $0.name == "img" && $0["srcset"] != nil }?["sizes"])
    #expect(try size("680w-a.jpg.\(format)") == ["680", "136"])
    try SiteChecks(site).checkAll()
    // Feeds offer the usual formats only.
    #expect(!(try site.page("feed.xml")).contains("picture"))
  }

  /// The average color, measured by libvips in another way: a photo of one color.
  @Test func knowsTheAverageColor() throws {
    try vips("vips", "black", "\(site.path)/black.v", "1000", "500", "--bands", "3")
    try vips("vips", "linear", "\(site.path)/black.v", "\(site.path)/plain.v", "1 1 1", "200 100 50")
    try vips(
      "vips", "gaussnoise", "\(site.path)/noise.v", "1000", "500", "--mean", "0", "--sigma", "20")
    try vips("vips", "add", "\(site.path)/plain.v", "\(site.path)/noise.v", "\(site.path)/sum.v")
    try vips("vips", "cast", "\(site.path)/sum.v", "\(site.path)/bytes.v", "uchar")
    try vips(
      "vips", "copy", "\(site.path)/bytes.v", "\(site.path)/threads/media/a.jpg", "--interpretation", "srgb")
    try save("a.jpg")
    try build()
    let color = try #require(try tags().lazy.compactMap { $0["data-color"] }.first)
    let channels = try stride(from: 1, to: 7, by: 2).map { start in
      try #require(Int(color.dropFirst(start).prefix(2), radix: 16))
    }
    for (found, expected) in zip(channels, [200, 100, 50]) { #expect(abs(found - expected) < 3, "\(color)") }
    // Nor do the copies change the colors.
    try vips("vips", "extract_band", "\(site.path)/site/media/340w-a.jpg", "\(site.path)/red.v", "0")
    let red = try #require(Double(try vips("vips", "avg", "\(site.path)/red.v")))
    #expect(abs(red - 199.5) < 1.5)
  }

  @Test func formatsNeedCopies() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\nscale_images: false\nimage_formats: [avif]\n", to: "site.yml")
    let outcome = try Program(folder: site.path).run(["build"])
    #expect(
      outcome.code != 0 && outcome.errors.contains("site.yml:3:16: error: image_formats: needs copies"),
      "\(outcome.errors)")
  }

  /// A program in the place of libvips attacks. It can reach nothing but the files of the system.
  @Test(.enabled(if: Self.hasLimits, "the system has no Landlock")) func decoderIsConfined() throws {
    try photo("a.jpg", 1000, 500)
    try save("a.jpg")
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write("secret", to: "outside/secret")
    try site.folder.write(
      """
      #!/bin/bash
      result=""
      cat "\(site.path)/outside/secret" >/dev/null 2>&1 && result="$result read"
      (echo planted >"\(site.path)/outside/planted") 2>/dev/null && result="$result write"
      (exec 3<>/dev/udp/127.0.0.1/9) 2>/dev/null && result="$result socket"
      cat /etc/passwd >/dev/null 2>&1 && result="$result users"
      ls /usr >/dev/null 2>&1 || result="$result confined too much"
      echo "attacks:$result." >&2
      exit 1
      """, to: "tools/vipsthumbnail")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: site.path + "/tools/vipsthumbnail")
    let environment = [
      "PATH": "\(site.path)/tools:/usr/bin:/bin", "THREADSITE_SHARE": ProjectFolders.repository.path,
    ]
    let outcome = try Program(folder: site.path, environment: environment).run(["build"])
    #expect(outcome.errors.contains("attacks:."), "\(outcome.errors)")
    #expect(!site.folder.exists("outside/planted"))
    // The same attacks succeed without the limit.
    let script = Process()
    script.executableURL = URL(filePath: site.path + "/tools/vipsthumbnail")
    let errors = ProcessLauncher.makePipe()
    script.standardError = errors
    try ProcessLauncher.start(script)
    let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    script.waitUntilExit()
    #expect(said.contains("attacks: read write socket users."), "\(said)")
  }

  private static var hasLimits: Bool {
    do {
      return try Confinement() != nil
    } catch {
      return false
    }
  }
}
