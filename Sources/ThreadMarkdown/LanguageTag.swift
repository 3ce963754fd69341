import ThreadModel

/// Converts networks' language codes into tags that browsers understand.
package enum LanguageTag {
  /// Returns the BCP 47 tag for `raw`; `nil` if `raw` names no language or is not a valid tag.
  ///
  /// X writes `und` for undetermined, `qam`, `qct`, `qht`, `qme`, `qst` for posts of mentions, cashtags, hashtags, media or too little
  /// text, `zxx` for no words and `art` for emoji (https://docs.x.com/x-api/fundamentals/data-dictionary), and three codes that ISO 639 has
  /// replaced.
  package static func valid(_ raw: String?) -> String? {
    guard let raw, (2...35).contains(raw.utf8.count) else { return nil }
    if raw.utf8.count == 2, raw.utf8.allSatisfy({ $0 &- UInt8(ascii: "a") < 26 }) {
      return current(raw)
    }
    let parts = raw.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.count), first.allSatisfy(isLetter),
      parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } })
    else { return nil }
    let language = (Substring(first)).lowercased()
    guard !saysNothing(language) else { return nil }
    return current(language) + raw.dropFirst(language.count)
  }

  /// The part before the first hyphen: `pt` for `pt-BR`.
  private static func primary(_ tag: String) -> Substring {
    tag.prefix { $0 != "-" }
  }

  /// Whether the language is written from right to left, unless the tag ends with `-latn`.
  package static func isRightToLeft(_ tag: String) -> Bool {
    guard rightToLeft.contains(String(primary(tag))) else { return false }
    return !tag.lowercased().hasSuffix("-latn")
  }

  /// Returns a language's name in the language itself, as in language menus; the tag if the name is unknown here.
  static func ownName(of tag: String) -> String {
    guard let name = ownNames[String(primary(tag))] else { return tag }
    return primary(tag).count == tag.count ? name : "\(name) (\(tag))"
  }

  /// The names from CLDR's data on each language, with a capital first letter if the script has capitals.
  private static let ownNames: [String: String] = [
    "ar": "العربية", "bn": "বাংলা", "ca": "Català", "cs": "Čeština", "da": "Dansk", "de": "Deutsch",
    "el": "Ελληνικά",
    "en": "English", "es": "Español", "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi",
    "fr": "Français",
    "ga": "Gaeilge", "gl": "Galego", "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar",
    "id": "Indonesia",
    "it": "Italiano", "ja": "日本語", "ko": "한국어", "lt": "Lietuvių", "lv": "Latviešu", "nb": "Norsk bokmål",
    "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "pt": "Português", "ro": "Română", "ru": "Русский",
    "sk": "Slovenčina", "sv": "Svenska", "th": "ไทย", "tr": "Türkçe", "uk": "Українська", "ur": "اردو",
    "vi": "Tiếng Việt", "zh": "中文",
  ]

  private static let rightToLeft: Set<String> = [
    "ar", "fa", "he", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "arc",
  ]

  /// Returns the code that has replaced a language's old code.
  private static func current(_ language: String) -> String {
    switch language {
    case "in": "id"
    case "iw": "he"
    case "ji": "yi"
    default: language
    }
  }

  /// Whether a code names no language: `und` and similar codes, and the private use codes `qaa` to `qtz`.
  private static func saysNothing(_ language: String) -> Bool {
    ["und", "zxx", "art", "mis", "mul"].contains(language)
      || (language.utf8.count == 3 && language >= "qaa" && language <= "qtz")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension UnrolledThread {
  /// The language of most posts of the main line, or the first of several equally frequent ones; `nil` if no post has a language.
  package var language: String? {
    // A thread has few languages, so a linear search is enough.
    var counts: [(tag: String, posts: Int)] = []
    for item in items {
      guard let tag = LanguageTag.valid(item.language) else { continue }
      if let index = counts.firstIndex(where: { $0.tag == tag }) {
        counts[index].posts += 1
      } else {
        counts.append((tag, 1))
      }
    }
    var most: (tag: String, posts: Int)?
    for count in counts where count.posts > most?.posts ?? 0 { most = count }
    return most?.tag
  }
}

extension ThreadItem {
  /// The language of the item's post according to the network; `nil` for a gap.
  fileprivate var language: String? {
    if case .post(let threadPost) = self { threadPost.post.language } else { nil }
  }
}
