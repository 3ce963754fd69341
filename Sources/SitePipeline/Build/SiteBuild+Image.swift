import Files
import MediaMirror
import SiteConfig
import SiteOutput
import UTF8Text

extension SiteBuild {
  /// The picture that site.yml names for pages which have none of their own, measured.
  ///
  /// It lies in `static/`, as all that is published as it is: so it has the address that its owner gave it, and no other file can take that.
  func siteImage() throws(PipelineError) -> PreviewImage? {
    guard let image = site.config.image else { return nil }
    let file = site.absolute(image.file)
    let folder = site.staticFolder + "/"
    let name =
      file.hasBytePrefix(folder)
      ? String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : ""
    guard !name.isEmpty, !Self.isLitter(name)
    else {
      let inStatic = FileSystem.kind(of: "\(site.staticFolder)/\(image.file)") == .file
      throw imageProblem(
        "\(quoted(image.file)) is not in static/, from where files are published"
          + (inStatic ? "; did you mean \(quoted("static/" + image.file))?" : ": put the picture there"))
    }
    let shape = try imageShape(file, named: name)
    if site.config.baseURL == nil {
      progress(
        .warning(
          configProblem(
            "image", "previews look for a picture at its full address, which needs base_url; there is none",
            severity: .warning)))
    }
    return PreviewImage(
      .stored(SitePath(name)), size: PreviewImage.Size(width: shape.width, height: shape.height),
      altText: image.alt)
  }

  private func imageShape(_ file: String, named name: String) throws(PipelineError) -> MediaDimensions {
    let opened: OpenFile
    do throws(FileError) {
      opened = try OpenFile(file)
    } catch {
      throw imageProblem(
        error.kind == .missing
          ? "there is no \(file); put the picture there, or take the key out" : "\(error)")
    }
    let found: StoredMedia
    do throws(MediaError) {
      found = try StoredMedia(
        inspecting: opened, named: String(PathText.name(of: name)).lowercased(), accepting: .image)
    } catch {
      throw imageProblem(
        "\(file) is none of the pictures that previews show, as \(error): use a JPEG, PNG, GIF or WebP, under a name that says so"
      )
    }
    guard found.type != .avif else {
      throw imageProblem("few programs show AVIF in previews; use a JPEG or a PNG")
    }
    return found.shape
  }

  private func imageProblem(_ text: String) -> PipelineError {
    let key = site.decoded?.locations["image.file"] == nil ? "image" : "image.file"
    return PipelineError(.configuration, [configProblem(key, text)])
  }
}
