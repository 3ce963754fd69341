import Basics
import Foundation
import TestSupport
import Testing

/// The allowed elements and attributes of a site. Anything else is a vulnerability.
struct HarmlessHTML {
  let elements: Set<String>
  let attributes: Set<String>

  /// A thread's body, as in feeds.
  static let body = HarmlessHTML(
    elements: [
      "a", "article", "audio", "b", "blockquote", "br", "code", "div", "em", "figcaption", "figure", "footer",
      "h1",
      "h2", "h3", "h4",
      "h5", "h6",
      "header", "hr", "img", "li", "meter", "ol", "p", "pre", "section", "source", "span", "strong", "track",
      "ul",
      "video",
    ],
    attributes: [
      "alt", "aria-hidden", "aria-label", "class", "controls", "decoding", "dir", "fetchpriority", "height",
      "href", "id",
      "lang", "loading",
      "loop", "max", "min", "muted", "playsinline", "poster", "preload", "rel", "role", "src", "start",
      "kind", "label", "sizes", "srclang", "srcset", "title", "type",
      "value", "width",
    ])

  /// A whole page.
  static let page = HarmlessHTML(
    elements: body.elements.union([
      "bdi", "body", "button", "data", "details", "head", "html", "input", "label", "link", "main", "meta",
      "nav", "picture", "script", "span",
      "summary", "time", "title",
    ]),
    attributes: body.attributes.union([
      "data-pagefind-body", "data-pagefind-filter", "data-pagefind-ignore", "data-pagefind-meta", "data-src",
      "aria-current", "charset", "content", "data-choices", "data-color", "data-done", "data-words",
      "datetime",
      "hidden",
      "http-equiv", "media",
      "name",
      "popover",
      "popovertarget", "property", "tabindex",
    ]))

  /// The search page, the only one with a form; its script is the site's own.
  static let searchPage = HarmlessHTML(
    elements: page.elements.union(["button", "form", "input", "label", "noscript"]),
    attributes: page.attributes.union([
      "action", "aria-describedby", "aria-live", "autocapitalize", "autocomplete", "data-authors",
      "data-corrected", "data-failed", "data-more", "data-none", "for", "hidden", "placeholder",
      "spellcheck",
    ]).union(forms.map { "data-" + $0 }).union(forms.map { "data-partly-" + $0 }))

  /// The plural forms of a number.
  private static let forms = ["zero", "one", "two", "few", "many", "other"]

  /// The home page. Its script is the site's own and does nothing until the reader uses it.
  static let homePage = HarmlessHTML(
    elements: page.elements.union(["aside", "button"]),
    attributes: page.attributes.union([
      "aria-live", "data-archive", "data-day", "data-nothing", "data-random", "hidden",
    ]))

  /// Pages of statistics with their images and tables.
  static let statisticsPage = HarmlessHTML(
    elements: page.elements.union([
      "circle", "details", "g", "path", "summary", "svg", "table", "td", "text", "th", "tr",
    ]),
    attributes: page.attributes.union([
      "cx", "cy", "d", "dx", "fill", "fill-opacity", "font-size", "r", "scope", "stroke", "stroke-dasharray",
      "stroke-opacity",
      "stroke-width", "text-anchor", "transform", "viewBox", "viewbox", "x", "y",
    ]))

  /// The kind of page of a file of the site.
  static func page(_ file: String) -> HarmlessHTML {
    if file == "search/index.html" { return searchPage }
    if file == "index.html" { return homePage }
    return file.hasSuffix("statistics/index.html") ? statisticsPage : page
  }

  /// The inline script of pages, which equals the themes' file byte for byte.
  static let headScript = Result {
    try String(
      contentsOf: ProjectFolders.repository.appending(path: "themes/paper/head.js"), encoding: .utf8
    ).trimmingCharacters(in: .newlines)
  }

  /// Its digest, as in the policies of pages.
  static var headScriptSource: String {
    get throws {
      let digest = SHA256.hash(Array(try headScript.get().utf8))
      return "'sha256-\(Data(digest).base64EncodedString())'"
    }
  }

  static func check(_ html: HTMLTokens, allowed: HarmlessHTML, _ file: String) {
    var script: HTMLStartTag?
    var inlineScripts = 0
    for token in html.tokens {
      switch token {
      case .startTag(let tag):
        check(tag, allowed: allowed, file)
        script = tag.name == "script" ? tag : nil
        if tag.name == "script", isHeadScript(tag) { inlineScripts += 1 }
      case .endTag:
        script = nil
      case .text(let text) where script.map(isHeadScript) == true:
        #expect((try? headScript.get()) == text, "\(file): unexpected script")
      case .text(let text) where script != nil:
        checkData(text, file)
      case .comment(let text):
        Issue.record("\(file): unexpected comment: \(text)")
      case .text, .doctype:
        break
      }
    }
    #expect(inlineScripts <= 1, "\(file): more than one inline script")
  }

  /// Whether a script is the inline one, whose only attribute is the URL of the site's script of the reading controls.
  private static func isHeadScript(_ tag: HTMLStartTag) -> Bool {
    tag.attributes.count == 1 && isReadingControls(tag["data-src"])
  }

  private static func isReadingControls(_ url: String?) -> Bool {
    url?.wholeMatch(of: #/((\.\./|\./)*|/([^/?#:]+/)*)assets/look\.[0-9a-f]+\.js/#) != nil
  }

  private static func isOwnSheet(_ url: String?) -> Bool {
    url?.wholeMatch(of: #/((\.\./|\./)*|/([^/?#:]+/)*)assets/style\.[0-9a-f]+\.css/#) != nil
  }

  private static func check(_ tag: HTMLStartTag, allowed: HarmlessHTML, _ file: String) {
    #expect(allowed.elements.contains(tag.name), "\(file): <\(tag.name)>")
    if tag.name == "script" {
      let isOwn =
        file == "search/index.html"
        && tag["src"]?.wholeMatch(of: #/\.\./assets/search\.[0-9a-f]+\.js/#) != nil
        || file == "index.html"
          && tag["src"]?.wholeMatch(of: #/\./assets/wander\.[0-9a-f]+\.js/#) != nil
      // Its content is checked where it is read.
      #expect(
        isOwn || isHeadScript(tag) && allowed.elements.contains("head")
          || tag["type"] == "application/ld+json" && tag["src"] == nil,
        "\(file): unexpected script")
    }
    if tag.name == "link" {
      let isPreloadedSheet = tag["rel"] == "preload" && tag["as"] == "style" && isOwnSheet(tag["href"])
      #expect(
        isPreloadedSheet || !["import", "preload", "modulepreload"].contains(tag["rel"] ?? ""),
        "\(file): unexpected link")
      #expect(tag["as"] == nil || isPreloadedSheet, "\(file): <link as>")
    }
    if tag.name == "meta", let name = tag["http-equiv"] {
      #expect(name == "Content-Security-Policy", "\(file): \(name)")
    }
    if let property = tag["property"], ["og:url", "og:image"].contains(property) {
      #expect(isHarmless(tag["content"] ?? ""), "\(file): \(property)")
    }
    for attribute in tag.attributes {
      #expect(
        allowed.attributes.contains(attribute.name) || tag.name == "link" && attribute.name == "as",
        "\(file): <\(tag.name) \(attribute.name)>")
      if ["href", "src", "poster"].contains(attribute.name) {
        #expect(isHarmless(attribute.value), "\(file): \(attribute.name)=\"\(attribute.value)\"")
      }
    }
  }

  /// Checks JSON-LD: one object with harmless URLs.
  private static func checkData(_ text: String, _ file: String) {
    guard case .object(let members)? = try? JSONValue(parsing: Array(text.utf8)) else {
      Issue.record("\(file): a script is not a JSON object")
      return
    }
    var addresses = ["url", "sameAs", "image", "mainEntityOfPage"].compactMap { members[$0] }
    if case .object(let author)? = members["author"], let url = author["url"] { addresses.append(url) }
    for case .string(let address) in addresses { #expect(isHarmless(address), "\(file): \(address)") }
  }

  /// Reads a URL like a browser, which ignores surrounding blanks and controls, and tabs and line breaks
  /// inside.
  static func isHarmless(_ address: String) -> Bool {
    let scalars = address.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) }
    let trimmed = scalars.drop { $0.value <= 0x20 }
    let scheme = trimmed.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    guard scheme.count < trimmed.count, trimmed[scheme.endIndex] == ":" else { return true }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scheme)
    return ["http", "https", "mailto"].contains(String(name).lowercased())
  }
}
