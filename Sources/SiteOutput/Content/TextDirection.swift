/// Which way a language is written.
package enum TextDirection {
  /// `rtl` for the languages whose usual script runs right to left, else `ltr`; by the primary subtag of BCP 47.
  package static func of(_ language: String) -> String {
    let primary = language.prefix { $0 != "-" }.lowercased()
    return rightToLeft.contains(primary) ? "rtl" : "ltr"
  }

  private static let rightToLeft: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]
}
