package import Basics
import ThreadModel

/// The URLs of other sites' pages that no longer exist, as `threadsite check --external` found them.
///
/// The record is kept in the store and meant to be committed with it, because builds send no requests: a build marks these links from the
/// record alone, so that every machine builds the same site.
package struct DeadLinks: Sendable, Equatable {
  /// The file's name in the store's folder.
  package static let fileName = "dead-links.json"
  /// The only format so far.
  private static let format: Int64 = 1
  /// In bytes: about 200,000 links.
  private static let largestFile = 16 << 20
  /// In bytes. A longer URL is not recorded.
  private static let longestURL = 2_000

  /// As in the HTML of pages, without fragments.
  package private(set) var urls: Set<String> = []

  package init() {}

  /// Records the result of a check. URLs that work again or that are no longer on the site are removed.
  ///
  /// - Parameters:
  ///   - dead: the URLs that were found dead.
  ///   - unverified: the URLs that could not be checked. They stay if they were recorded before.
  package mutating func update(dead: Set<String>, unverified: Set<String>) {
    urls = urls.intersection(unverified).union(dead.filter(Self.isRecordable))
  }

  /// Removes the URLs that do not fulfill a condition.
  package mutating func keep(where isKept: (String) -> Bool) { urls = urls.filter(isKept) }

  private static func isRecordable(_ url: String) -> Bool {
    url.utf8.count <= longestURL && WebAddress.host(of: url) != nil
  }
}

extension DeadLinks {
  /// Loads the record of a store; an empty one if the file is missing.
  package static func load(store: String) throws(PipelineError) -> DeadLinks {
    let path = "\(store)/\(fileName)"
    guard FileSystem.kind(of: path) != .nothing else { return DeadLinks() }
    do {
      return try DeadLinks(JSONValue(parsing: try FileBytes.read(path, atMost: largestFile)), file: path)
    } catch {
      throw PipelineError(converting: error, in: path, advice: advice)
    }
  }

  /// Writes the record; deletes the file if the record is empty.
  ///
  /// - Throws: also if the file would be too large to be read. The file is then unchanged.
  package func save(store: String) throws(PipelineError) {
    let path = "\(store)/\(Self.fileName)"
    do {
      guard !urls.isEmpty else { return try FileSystem.remove(path) }
      let sorted = urls.sorted { $0.precedesInBytes($1) }
      let document: JSONObject = [
        "format": .integer(Self.format), "links": .array(sorted.map { .string($0) }),
      ]
      let bytes = JSONWriter.text(of: .object(document)).bytes
      guard bytes.count <= Self.largestFile else {
        throw PipelineError(
          .content,
          [
            "\(path): error: the \(urls.count) dead links need more than the \(Self.largestFile >> 20) MiB that the file may have, so it was not changed; remove some of these links from the site, or set archived_links: false in site.yml"
          ])
      }
      try AtomicFile.write(bytes, to: path)
    } catch let error as PipelineError {
      throw error
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Reads the record. An unknown member is an error, because a later version may have written it.
  package init(_ value: JSONValue, file: String) throws(PipelineError) {
    guard value["format"]?.integer == Self.format, let links = value["links"]?.array,
      value.object?.count == 2
    else {
      throw PipelineError(
        .content,
        ["\(file): error: this version of threadsite cannot read this list of dead links\(Self.advice)"])
    }
    for link in links {
      guard let url = link.string, Self.isRecordable(url) else {
        throw PipelineError(
          .content, ["\(file): error: every entry of `links` must be an http or https URL\(Self.advice)"])
      }
      urls.insert(url)
    }
  }

  private static let advice =
    "; delete the file, and run `threadsite check --external` to write it again"
}
