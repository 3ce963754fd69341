/// A value under `theme_options`.
package enum ThemeOption: Sendable, Hashable {
  /// As written: `2024`, `1.0` and `yes` are text, too.
  case text(String)
  /// An unquoted `true` or `false`.
  case flag(Bool)
}
