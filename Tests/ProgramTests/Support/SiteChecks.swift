import Basics
import Foundation
import TestSupport
import Testing

/// Properties of every built site.
struct SiteChecks {
  private let files: [String: Data]
  private let basePath: String

  init(_ site: TemporarySite, basePath: String = "/") throws {
    files = try site.tree()
    self.basePath = basePath
  }

  func checkAll() throws {
    for (file, data) in files.sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: data, as: UTF8.self)
      if file.hasSuffix(".html") { try checkPage(file, text) }
      if file.hasSuffix(".xml") { _ = try XMLTree.parse(Array(data)) }
      if file.hasSuffix(".json") { _ = try JSONValue(parsing: Array(data)) }
    }
    try checkFeedContents()
  }

  /// Checks that a page is well-formed and harmless, and that every link inside the site has a target.
  private func checkPage(_ file: String, _ html: String) throws {
    let tokens = try #require(try? HTMLTokens(html), "\(file) is not strict HTML")
    HarmlessHTML.check(tokens, allowed: .page(file), file)
    #expect(tokens.startTags.filter { $0.name == "h1" }.count == 1, "\(file): not exactly one h1")
    let ids = tokens.startTags.compactMap { $0["id"] }
    #expect(Set(ids).count == ids.count, "\(file): duplicate ids")
    for tag in tokens.startTags {
      for address in [tag["href"], tag["src"], tag["poster"]].compactMap(\.self) {
        if file == "404.html", address.hasPrefix("/") { continue }
        checkLink(address, from: file, ids: ids)
      }
    }
  }

  private func checkLink(_ address: String, from file: String, ids: [String]) {
    if address.hasPrefix("http:") || address.hasPrefix("https:") || address.hasPrefix("mailto:") { return }
    if address.hasPrefix("#") {
      #expect(ids.contains(String(address.dropFirst())), "\(file): \(address) has no target")
      return
    }
    var folders = Self.names(in: file).dropLast()
    let parts = address.split(separator: "#", maxSplits: 1)
    let path = parts.first.map { $0.removingPercentEncoding ?? String($0) } ?? ""
    for part in Self.names(in: path) where part != "." {
      if part == ".." {
        #expect(!folders.isEmpty, "\(file): \(address) leaves the site")
        _ = folders.popLast()
      } else {
        folders.append(part)
      }
    }
    let target = folders.joined(separator: "/")
    let isFolder = path.utf8.last == UInt8(ascii: "/")
    let page = isFolder ? (target.isEmpty ? "index.html" : target + "/index.html") : target
    #expect(files[page] != nil, "\(file): \(address) has no target")
    if parts.count == 2, let data = files[page] {
      #expect(
        String(decoding: data, as: UTF8.self).contains("id=\"\(parts[1])\""),
        "\(file): \(address) has no target")
    }
  }

  /// Splits a path by bytes, as a server does.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private func checkFeedContents() throws {
    guard let data = files["feed.xml"] else { return }
    for entry in try XMLTree.parse(Array(data))["entry"] {
      HarmlessHTML.check(try HTMLTokens(entry.text("content") ?? ""), allowed: .body, "feed.xml")
    }
  }
}
