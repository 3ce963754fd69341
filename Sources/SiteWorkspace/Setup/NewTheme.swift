import SiteConfig

/// The files of a new theme: a theme.yml with one option, and a style sheet with the colors. Everything else is inherited.
struct NewTheme {
  let name: String
  /// The theme that it extends.
  let base: String
  /// The base's backgrounds; `nil` if it declares none.
  let colors: ThemeColors?

  /// The names, relative to the theme's folder, and texts of the files. theme.yml is last, because a folder with a theme.yml is a theme.
  var files: [(name: String, text: String)] {
    [("static/style.css", styleSheet), ("theme.yml", description)]
  }

  private var light: String { colors?.light ?? "#ffffff" }
  private var dark: String { colors?.dark ?? "#141414" }

  private var description: String {
    """
    name: \(name)
    description: One sentence about this theme.
    version: 0.1.0
    extends: \(base)
    # The background of pages. Browsers color their bars with it; keep it equal to the one in static/style.css.
    colors: { light: "\(light)", dark: "\(dark)" }
    # A site sets options under `theme_options` in its site.yml. A value that differs from the default becomes a class of
    # every page, here `no-underlines`. A theme also has the options of the theme that it extends.
    options:
      underlines:
        type: flag
        default: true
        description: Whether links are underlined.

    """
  }

  private var styleSheet: String {
    """
    @import "base:style.css";

    /* Each color has a value for light and one for dark mode. Change them, save, and look at `threadsite serve`. */
    :root {
      --link: light-dark(#7a1f5c, #e0a3cb);
    }

    /* The option `underlines` in theme.yml. */
    .no-underlines a { text-decoration-line: none; }
    .no-underlines a:hover { text-decoration-line: underline; }

    """
  }
}
