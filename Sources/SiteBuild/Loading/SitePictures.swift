import Basics
import MediaMirror
import SiteConfig
import SiteOutput
import SiteWorkspace

/// The pictures in `static/` that site.yml names: the preview image and the icon.
struct SitePictures {
  let site: SiteFolder
  let progress: ProgressHandler

  // MARK: Preview image

  /// Returns the picture that site.yml names for previews of pages without a picture, with its size in pixels.
  ///
  /// The file must be in `static/`, like all files that are published unchanged. So the owner chooses its URL, and no other file can have
  /// it.
  func previewImage() throws(PipelineError) -> PreviewImage? {
    guard let image = site.config.image else { return nil }
    let name = try publishedName(of: image.file) { imageProblem($0) }
    let file = "\(site.staticFolder)/\(name)"
    let shape = try imageShape(file, named: name)
    if site.config.baseURL == nil {
      progress(site.warning(at: "image", "link previews need the full URL of the image; set base_url"))
    }
    return PreviewImage(
      .stored(SitePath(name)), size: PreviewImage.Size(shape.width, by: shape.height),
      altText: image.alt)
  }

  private func imageShape(_ file: String, named name: String) throws(PipelineError) -> MediaDimensions {
    let opened: OpenFile
    do throws(FileError) {
      opened = try OpenFile(file)
    } catch {
      throw imageProblem(
        error.kind == .missing
          ? "there is no \(file); put the image there, or remove the key" : "\(error)")
    }
    let found: StoredMedia
    do throws(MediaError) {
      found = try StoredMedia(
        inspecting: opened, named: String(PathText.name(of: name)).lowercased(), accepting: .image)
    } catch {
      throw imageProblem(
        "\(file) cannot be used for link previews: \(error). \(error.remedy ?? "Use a JPEG, PNG, GIF or WebP.")"
      )
    }
    guard found.type != .avif else {
      throw imageProblem("few apps show AVIF in link previews; use a JPEG or PNG")
    }
    return found.shape
  }

  // MARK: Icons

  /// Returns the icons of the pages.
  ///
  /// `icon` in site.yml replaces the theme's icons. A PNG of the same name beside an SVG is the icon for home screens. `static/favicon.ico`
  /// is always linked, and replaces the installed icons, which would show a different picture.
  func icons(of theme: Theme) throws(PipelineError) -> SiteIcons {
    var icons = theme.icons
    let legacy = "favicon.ico"
    let hasLegacy = FileSystem.kind(of: "\(site.staticFolder)/\(legacy)") == .file
    if let icon = site.config.icon {
      icons = try self.icons(from: icon)
    } else if hasLegacy, !theme.hasIcon(below: site.path) {
      icons = SiteIcons()
    }
    if hasLegacy { icons.legacy = SitePath(legacy) }
    return icons
  }

  private func icons(from icon: String) throws(PipelineError) -> SiteIcons {
    let name = try publishedName(of: icon) { iconProblem($0) }
    let path = SitePath(name)
    if let stem = name.without(byteSuffix: ".svg") {
      let bytes = try iconBytes(name)
      if let problem = Self.problem(ofSVG: bytes) {
        throw iconProblem("static/\(name) is not an SVG: \(problem)")
      }
      let bitmap = "\(stem).png"
      guard FileSystem.kind(of: "\(site.staticFolder)/\(bitmap)") == .file else {
        return SiteIcons(vector: path)
      }
      return SiteIcons(vector: path, bitmap: try self.bitmap(bitmap))
    }
    guard name.hasByteSuffix(".png") else {
      throw iconProblem("\(quoted(icon)) has none of the supported file extensions, .svg and .png")
    }
    return SiteIcons(bitmap: try bitmap(name))
  }

  /// Returns the reason why a file is not an SVG; `nil` if it is one.
  private static func problem(ofSVG bytes: [UInt8]) -> String? {
    do {
      var root: String?
      try XMLDocument(bytes).forEachElement { root = root ?? $0.name }
      return root == "svg" ? nil : "its first element is not <svg>"
    } catch {
      return error.description
    }
  }

  private func bitmap(_ name: String) throws(PipelineError) -> SiteIcons.Bitmap {
    guard let icon = SiteIcons.Bitmap(SitePath(name), try iconBytes(name)) else {
      throw iconProblem("static/\(name) is not a square PNG; use one of 192 by 192 pixels, for example")
    }
    return icon
  }

  private func iconBytes(_ name: String) throws(PipelineError) -> [UInt8] {
    do {
      return try FileBytes.read("\(site.staticFolder)/\(name)", atMost: 10 << 20)
    } catch {
      throw iconProblem(
        error.kind == .missing
          ? "there is no static/\(name); put the icon there, or remove the key" : "\(error)")
    }
  }

  private func iconProblem(_ text: String) -> PipelineError {
    site.error(at: "icon", text)
  }

  // MARK: Files of the site

  /// Returns the path below `static/` of a file that site.yml names.
  ///
  /// - Parameter problem: makes an error from a message.
  /// - Throws: an error if the file would not be published.
  private func publishedName(
    of path: String, _ problem: (String) -> PipelineError
  ) throws(PipelineError) -> String {
    let file = site.absolute(path)
    let folder = site.staticFolder + "/"
    let name =
      file.hasBytePrefix(folder)
      ? String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : ""
    guard !name.isEmpty, !SiteFolder.isLitter(name), HiddenFiles.arePublished(name)
    else {
      let inStatic = FileSystem.kind(of: "\(site.staticFolder)/\(path)") == .file
      throw problem(
        "\(quoted(path)) is not in static/, whose files are published"
          + (inStatic ? "; did you mean \(quoted("static/" + path))?" : ": put the image there"))
    }
    return name
  }

  private func imageProblem(_ text: String) -> PipelineError {
    let key = site.decoded?.locations["image.file"] == nil ? "image" : "image.file"
    return site.error(at: key, text)
  }
}
