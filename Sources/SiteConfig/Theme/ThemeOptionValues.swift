/// A theme's option as a template sees it.
package enum ThemeOptionValue: Sendable, Hashable {
  case text(String)
  case flag(Bool)
  case number(Int)
}

/// All options of a theme, as one site has them.
package struct ThemeOptionValues: Sendable, Equatable {
  package private(set) var values: [String: ThemeOptionValue] = [:]
  /// What differs from the defaults, as classes for the page's element, so that a style sheet can act upon it:
  /// `accent-green`, `columns-2`, `wide`, `no-metrics`. Text has none.
  package private(set) var classes: [String] = []

  package init() {}

  /// What is wrong with one of a site's options.
  package struct Mistake: Sendable, Equatable {
    /// Such as `theme_options.accent`.
    package let keyPath: String
    package let message: String
  }

  /// Checks what a site.yml says against what the theme declares.
  ///
  /// - Returns: the values, defaults included, and everything that is wrong, in the order of the names.
  package static func resolve(
    _ given: [String: ThemeOption], by declarations: [ThemeOptionDeclaration], of theme: String
  ) -> (values: ThemeOptionValues, mistakes: [Mistake]) {
    var result = ThemeOptionValues()
    var mistakes: [Mistake] = []
    for declaration in declarations {
      var value = declaration.standard
      if let option = given[declaration.name] {
        switch declaration.value(of: option) {
        case .success(let chosen): value = chosen
        case .failure(let error):
          mistakes.append(Mistake(keyPath: "theme_options." + declaration.name, message: error.message))
        }
      }
      result.values[declaration.name] = value
      if value != declaration.standard, let name = className(declaration.name, value) {
        result.classes.append(name)
      }
    }
    let names = declarations.map(\.name)
    for name in given.keys where !names.contains(name) {
      let known = names.isEmpty ? "It has no options." : "Its options: \(names.joined(separator: ", "))"
      mistakes.append(
        Mistake(
          keyPath: "theme_options." + name,
          message: "the theme \(quoted(theme)) has no option \(quoted(name))"
            + (Suggestion.nearest(to: name, among: names).map { "; did you mean \(quoted($0))? " } ?? ". ")
            + known))
    }
    return (result, mistakes.sorted { $0.keyPath < $1.keyPath })
  }

  private static func className(_ name: String, _ value: ThemeOptionValue) -> String? {
    switch value {
    case .text(let word): isOptionName(word) ? "\(name)-\(word)" : nil
    case .number(let number): "\(name)-\(number)"
    case .flag(let flag): flag ? name : "no-\(name)"
    }
  }
}
