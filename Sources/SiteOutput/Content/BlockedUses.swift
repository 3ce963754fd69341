import Basics
import SiteConfig

/// Finds what the HTML and the style sheets of an owner use although the policy of the pages blocks it. A browser would only report it in
/// its console.
package struct BlockedUses: Sendable {
  private let additions: ContentSecurityPolicy.Additions

  package init(_ additions: ContentSecurityPolicy.Additions) { self.additions = additions }

  /// Returns a sentence about each blocked use, each once, in order.
  ///
  /// - Parameter html: a page's HTML or a template. Values in braces are not known and are not reported.
  package func inHTML(_ html: String) -> [String] {
    guard let document = HTMLDocument(html) else { return [] }
    var found: [String] = []
    func add(_ problem: String?) {
      if let problem, !found.contains(problem) { found.append(problem) }
    }
    var script: String?
    document.walk { event in
      switch event {
      case .enter(let element):
        if element.name == "script", element["src"] == nil, Self.isProgram(element["type"]) { script = "" }
        for problem in uses(of: element) { add(problem) }
      case .text(let text): script? += text
      case .leave(let element):
        guard element.name == "script", let text = script else { return true }
        script = nil
        if !Self.isPlaceholder(text) { add(Self.inlineScript) }
      }
      return true
    }
    return found
  }

  /// Returns a sentence about each blocked reference to another host, each once, in order.
  package func inStyleSheet(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    for reference in StyleSheetReferences.find(in: bytes) {
      let target = StyleSheetReferences.unescaped(reference.target)
      let path = target.prefix { $0 != "?" && $0 != "#" }.lowercased()
      let isFont = Theme.fontExtensions.contains { path.hasSuffix($0) }
      let problem =
        reference.isImport
        ? blocked("the style sheet", target, "style", \.style)
        : isFont
          ? blocked("the font", target, "font", \.font) : blocked("the image", target, "image", \.image)
      if let problem, !found.contains(problem) { found.append(problem) }
    }
    return found
  }

  private static let inlineScript =
    "an inline script is blocked; move it to a file in static/, refer to it with src, and set `security: {allow: {script: [self]}}` in site.yml"

  private func uses(of element: HTMLElement) -> [String?] {
    let handlers = ["onclick", "onload", "onchange", "onsubmit", "oninput", "onerror"].filter {
      element[$0] != nil
    }
    var problems: [String?] = handlers.map {
      "the attribute \($0) is blocked, because it contains a script; move the script to a file in static/"
    }
    if element["style"] != nil || element.name == "style" {
      problems.append("inline styles are blocked; use a class, and a rule in the theme's style sheet")
    }
    switch element.name {
    case "script":
      problems.append(
        element["src"].flatMap { blocked("the script", $0, "script", \.script, ownIsAllowed: false) })
    case "iframe", "frame":
      problems.append(
        element["src"].flatMap { blocked("the frame", $0, "frame", \.frame, ownIsAllowed: false) })
    case "img": problems.append(element["src"].flatMap { blocked("the image", $0, "image", \.image) })
    case "video", "audio", "source", "track":
      problems.append(element["src"].flatMap { blocked("the media file", $0, "media", \.media) })
    case "link":
      let kinds = element.words(of: "rel").map { $0.lowercased() }
      guard let target = element["href"] else { break }
      if kinds.contains("stylesheet") {
        problems.append(blocked("the style sheet", target, "style", \.style))
      }
      if kinds.contains("preload"), element["as"] == "font" {
        problems.append(blocked("the font", target, "font", \.font))
      }
    // The policy of the search page allows its form.
    case "form" where element["role"] != "search":
      problems.append(
        element["action"].flatMap { blocked("the form to", $0, "form", \.form, ownIsAllowed: false) })
    case "object", "embed":
      problems.append("the element \(element.name) is blocked; link to the file instead")
    default: break
    }
    return problems
  }

  /// - Parameter ownIsAllowed: whether pages may use the site's own files in this way without permission.
  private func blocked(
    _ what: String, _ address: String, _ key: String, _ allowed: KeyPath<AllowedSources, [PolicySource]>,
    ownIsAllowed: Bool = true
  ) -> String? {
    // The value of a template's tag is not known.
    guard !address.contains("{{"), !address.lowercased().hasPrefix("data:") else { return nil }
    let sources = additions.sources[keyPath: allowed].map(\.description)
    let address = address.hasPrefix("//") ? "https:" + address : address
    guard let scheme = address.firstRange(of: "://") else {
      if ownIsAllowed || sources.contains("'self'") { return nil }
      return
        "\(what) \(quoted(address)) is blocked; allow it with `security: {allow: {\(key): [self]}}` in site.yml"
    }
    let host = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let origin = (address[..<scheme.upperBound] + host).lowercased()
    if sources.contains(origin) { return nil }
    return
      "\(what) \(quoted(address)) is blocked; allow its host with `security: {allow: {\(key): [\"\(origin)\"]}}` in site.yml"
  }

  /// Whether a script's type is that of a program, and not of data (HTML, 4.12.1).
  private static func isProgram(_ type: String?) -> Bool {
    guard let type = type?.lowercased(), !type.isEmpty else { return true }
    return type == "module" || type.hasSuffix("javascript") || type.hasSuffix("ecmascript")
  }

  /// Whether a script is only the place of the theme's script, which the policy allows by its digest.
  private static func isPlaceholder(_ text: String) -> Bool {
    let text = text.filter { !$0.isWhitespace }
    return text.isEmpty || text == "{{{theme.head_script}}}"
  }
}
