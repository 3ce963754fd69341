import UTF8Text

extension SiteConfig {
  /// Why a site may not be written to ``output``; `nil` where it may.
  ///
  /// Building replaces the output folder, so it is never the site's own folder or one around it, and it and the store,
  /// the folders of the owner's own files are apart. Paths are compared as text: what symbolic links make of them is for the stage
  /// that writes.
  ///
  /// - Parameter folder: the site's folder, absolute, where it is known; without it an absolute output is compared with
  ///   nothing but an absolute store.
  package func outputProblem(inFolder folder: String? = nil) -> String? {
    let site = folder.map { Self.resolved($0, in: "/") } ?? ResolvedPath(isAbsolute: false, parts: [])
    func resolve(_ path: String) -> ResolvedPath { Self.resolved(path, in: folder) }
    let target = resolve(output)
    if target == site {
      return "the output folder may not be the site's own folder, which building would replace"
    }
    if target.contains(site) {
      return "the output folder \(quoted(output)) holds the site's own folder, which building would replace"
    }
    let own = ["templates", "themes", "pages", "static"].map { ($0, $0) }
    for (name, path) in [("store", store)] + own {
      let other = resolve(path)
      if target == other || target.contains(other) || other.contains(target) {
        return "the output folder \(quoted(output)) and the \(name) folder \(quoted(path)) must be apart"
      }
    }
    return nil
  }

  private struct ResolvedPath: Equatable {
    let isAbsolute: Bool
    /// Without `.`; `..` only at the beginning of a relative path.
    let parts: [Substring]

    /// Whether `other` is below this folder.
    func contains(_ other: ResolvedPath) -> Bool {
      guard isAbsolute == other.isAbsolute else { return false }
      let isUp = parts.allSatisfy { $0 == ".." }
      if !isAbsolute, isUp { return other.parts.prefix { $0 == ".." }.count < max(1, parts.count) }
      return parts.count < other.parts.count && other.parts.starts(with: parts)
    }
  }

  private static func resolved(_ path: String, in folder: String?) -> ResolvedPath {
    let isAbsolute = path.hasBytePrefix("/")
    let whole = isAbsolute || folder == nil ? path : (folder ?? "") + "/" + path
    var parts: [Substring] = []
    for part in whole.split(atBytes: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !whole.hasBytePrefix("/") {
        parts.append(part)
      }
    }
    return ResolvedPath(isAbsolute: whole.hasBytePrefix("/"), parts: parts)
  }

  func check(_ value: ConfigValue, problems: inout ProblemList) {
    if case .mapping(let entries) = value.node.content,
      let entry = entries.first(where: { $0.key == "accent" && $0.value.isNull })
    {
      problems.error(
        "expected a color in quotes, such as \"#1d4d7e\": without them YAML takes it for a comment",
        at: entry.keyMark, path: value.path(of: entry.key))
    }
    var place = value
    if case .mapping(let entries) = value.node.content,
      let entry = entries.first(where: { $0.key == "output" }) ?? entries.first(where: { $0.key == "store" })
    {
      place = value.entry(entry)
      problems.remember(place)
    }
    guard let problem = outputProblem() else { return }
    problems.error(problem, at: place)
  }
}
