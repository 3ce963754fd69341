import TestSupport
import Testing

/// The parts of pages that golden files contain, so that a change of a theme's head, header or footer changes only the files of whole pages.
enum PageParts {
  /// Returns the page's `<main>` element.
  ///
  /// - Parameter abbreviatesLists: whether only the URL of each thread of a list is kept, for pages whose
  ///   lists equal those of other pages.
  static func main(of html: String, abbreviatesLists: Bool = false) throws -> String {
    let elements = try HTMLSource(html).elements { $0.name == "main" }
    try #require(elements.count == 1, "not exactly one main element")
    guard abbreviatesLists else { return elements[0] + "\n" }
    let main = try HTMLSource(elements[0]).replacing {
      $0.name == "article" && $0.classes.contains("h-entry") && !$0.classes.contains("thread")
    } with: { entry in
      "[\(entry.startTags.first { $0.classes.contains("u-url") }?["href"] ?? "no address")]"
    }
    return main + "\n"
  }

  private static let names: Set<String> = [
    "description", "author", "robots", "twitter:card", "twitter:image:alt",
  ]
  private static let relations: Set<String> = ["canonical", "alternate", "me", "stylesheet"]

  /// Returns the values in a page's head that depend on the page, one per line: its title, description,
  /// policy, URLs, feeds, preview and structured data. The golden files of whole pages contain the parts that
  /// all pages share.
  static func headValues(of html: String) throws -> [String] {
    let head = try #require(try HTMLTokens(html).contents { $0.name == "head" }.first)
    let title = try #require(head.contents { $0.name == "title" }.first)
    var values = ["title: \(title.text())"]
    for tag in head.startTags {
      let (content, address) = (tag["content"] ?? "", tag["href"] ?? "")
      if tag["http-equiv"] != nil { values.append("policy: \(content)") }
      if let name = tag["name"], names.contains(name) { values.append("\(name): \(content)") }
      if let property = tag["property"], property != "og:site_name" {
        values.append("\(property): \(content)")
      }
      if let relation = tag["rel"], relations.contains(relation) {
        let type = tag["type"].map { " (\($0), \(tag["title"] ?? ""))" } ?? ""
        values.append("\(relation): \(address)\(type)")
      }
    }
    // The tokens of scripts are raw text, which is what a browser reads as JSON.
    for script in head.contents(where: { $0["type"] == "application/ld+json" }) {
      for case .text(let json) in script.tokens { values.append("json-ld: \(json)") }
    }
    return values.map { $0.replacing("\n", with: "\\n") }
  }
}
