import ArgumentParser
import Basics
import Foundation
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The values of a site that shells complete: its threads, collections and authors.
///
/// They are read from names of files and from site.yml, because opening every thread at each press of a key would take too long.
enum SiteCompletions {
  /// Pages of threads, and the files of threads that have no page yet.
  static let threads = CompletionKind.custom { arguments, _, prefix in
    guard let site = site(of: arguments) else { return [] }
    // Without a readable record of pages, only files are offered.
    let pages = (try? site.threadStore.permalinks())?.adding(site.builtPermalinks ?? Permalinks())
    return matches((try? site.threadStore.list()) ?? [], prefix) { pages?[$0.stem]?.text ?? $0.path }
  }

  /// The slugs of site.yml's collections.
  static let collections = CompletionKind.custom { arguments, _, prefix in
    guard let site = site(of: arguments) else { return [] }
    return matches(site.config.collections, prefix) { $0.slug }
  }

  /// The folders of authors in the store, such as `ada` in `x/ada/`.
  static let authors = CompletionKind.custom { arguments, _, prefix in
    guard let site = site(of: arguments) else { return [] }
    return matches((try? site.threadStore.list()) ?? [], prefix) { file in
      file.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
    }
  }

  private static func matches<Value>(
    _ values: [Value], _ prefix: String, _ name: (Value) -> String
  ) -> [String] {
    Set(values.map(name).filter { !$0.isEmpty && $0.hasPrefix(prefix) }).sorted()
  }

  /// The site of an unfinished command line; `nil` outside of all sites and for an unreadable site, because nothing can be reported here.
  private static func site(of arguments: [String]) -> SiteFolder? {
    let rest = (try? FolderOptions.enter(arguments)) ?? arguments
    let config = rest.indices.dropLast().first { rest[$0] == "-c" || rest[$0] == "--config" }.map {
      rest[$0 + 1]
    }
    return try? SiteFolder.open(
      configFile: config ?? SiteFolder.nearestConfiguration() ?? "site.yml", isDefault: config == nil,
      progress: { _ in })
  }
}
