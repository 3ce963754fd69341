import Basics
import SiteOutput

/// The links of a page of the site, and the anchors in it.
struct PageScan: Sendable {
  /// A link as written in the page, and whether a reader may follow it. Other URLs only describe the page and are not requested.
  struct Link: Sendable {
    let address: String
    let element: String
    let isFollowed: Bool
  }

  private(set) var links: [Link] = []
  private(set) var anchors: Set<String> = []
  /// Whether the page was not read completely.
  private(set) var isCut = false

  /// - Returns: `nil` if the page is too large.
  init?(page bytes: [UInt8]) {
    guard let document = HTMLDocument(page: bytes) else { return nil }
    take(document)
  }

  /// Reads a piece of HTML, such as an entry of a feed.
  init?(fragment: String) {
    guard let document = HTMLDocument(fragment) else { return nil }
    take(document)
  }

  private mutating func take(_ document: borrowing HTMLDocument) {
    isCut = document.isCut
    var scan = self
    var isStyle = false
    document.walk { event in
      switch event {
      case .enter(let element):
        isStyle = element.name == "style"
        scan.take(element)
      case .text(let text):
        if isStyle { scan.links += Self.links(inStyleSheet: Array(text.utf8)) }
      case .leave: isStyle = false
      }
      return true
    }
    self = scan
  }

  private mutating func take(_ element: HTMLElement) {
    let name = element.name
    if let id = element["id"] { anchors.insert(id) }
    if let style = element["style"] { links += Self.links(inStyleSheet: Array(style.utf8)) }
    switch name {
    case "a", "area":
      if name == "a", let old = element["name"] { anchors.insert(old) }
      add(element["href"], name)
    case "link":
      let kinds = element.words(of: "rel").map { $0.lowercased() }
      // An endpoint for webmentions answers only POST requests.
      guard !kinds.contains("preconnect"), !kinds.contains("dns-prefetch"), !kinds.contains("webmention")
      else { return }
      add(element["href"], name, isFollowed: kinds.contains("stylesheet") || kinds.contains("icon"))
    case "img", "source":
      add(element["src"], name)
      for address in Self.addresses(inSourceSet: element["srcset"] ?? "") { add(address, name) }
    case "video":
      add(element["src"], name)
      add(element["poster"], name)
    case "audio", "iframe", "track", "embed", "input": add(element["src"], name)
    case "script":
      add(element["src"], name)
      // The file that the head's script of every theme requests.
      add(element["data-src"], name)
    case "object": add(element["data"], name)
    case "form": add(element["action"], name, isFollowed: false)
    case "meta":
      let property = element["property"] ?? element["name"] ?? ""
      if ["og:image", "og:url", "og:video", "og:audio", "twitter:image"].contains(property) {
        add(element["content"], name, isFollowed: false)
      }
      if element["http-equiv"]?.lowercased() == "refresh", let content = element["content"],
        let url = content.firstRange(of: "url=")
      {
        add(String(content[url.upperBound...]), name)
      }
    default: break
    }
  }

  /// Returns the URLs in a style sheet, relative to the style sheet's place.
  static func links(inStyleSheet bytes: [UInt8]) -> [Link] {
    StyleSheetReferences.find(in: bytes).compactMap { reference in
      let address = StyleSheetReferences.unescaped(reference.target)
      // A fragment is a part of the page that uses the style sheet, such as a filter.
      guard !address.isEmpty, !address.hasBytePrefix("#") else { return nil }
      return Link(address: address, element: reference.isImport ? "@import" : "url()", isFollowed: true)
    }
  }

  private mutating func add(_ address: String?, _ element: String, isFollowed: Bool = true) {
    guard let address, !address.isEmpty || element == "a" else { return }
    links.append(Link(address: address, element: element, isFollowed: isFollowed))
  }

  /// Returns the URLs of a `srcset` (HTML, 4.8.4.2.1): each may be followed by white space and its width.
  static func addresses(inSourceSet text: String) -> [String] {
    var addresses: [String] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty else { return addresses }
      let address = rest.prefix { !$0.isWhitespace }
      rest = rest.dropFirst(address.count)
      if address.hasSuffix(",") {
        addresses.append(String(address.dropLast()))
      } else {
        addresses.append(String(address))
        rest = rest.drop { $0 != "," }
      }
    }
  }
}
