import Basics
import ThreadModel

/// The notices that X puts in place of the text of a post that it withholds.
///
/// For a whole account, the notice is "@ada's account has been withheld in Germany in response to a legal demand. Learn more.". For one
/// post, it is "This Tweet from @ada has been withheld …". There is also "@ada's account is temporarily unavailable because it violates the
/// Twitter Media Policy. Learn more.". The link's entity covers the last two words. Without this check, the notice would replace the
/// author's text.
enum XWithheldText {
  /// The member for the notice of a post object whose `text` was recognized as a notice.
  static let noticeKey = "threadsite_withheld_notice"

  /// Returns the post object with the notice in a separate member instead of the text, and without the text's entities.
  static func told(_ fields: XFields) -> XFields {
    guard let text = fields.string("text"), let handle = handle(inNotice: text), isNetworks(fields, handle)
    else { return fields }
    var members = fields.extra(without: ["text", "entities", "lang", "display_text_range"])
    members[noticeKey] = .string(text)
    return XFields(members)
  }

  /// Whether the text is by X: the post is marked as withheld, the text links to X's help, or its handle is not a mention. In a text by the
  /// author, the handle would be a mention.
  private static func isNetworks(_ fields: XFields, _ handle: Substring) -> Bool {
    if fields["withheld"] != nil { return true }
    let entities = fields.fields("entities")
    if entities?.list("urls").contains(where: { XLink($0).expanded.map(isHelp) == true }) == true {
      return true
    }
    return entities?.list("mentions").contains { $0.string("username")?.lowercased() == handle.lowercased() }
      != true
  }

  private static func isHelp(_ url: String) -> Bool {
    ["help.twitter.com", "support.twitter.com", "help.x.com", "support.x.com"].contains(
      WebAddress.host(of: url))
  }

  /// Returns the handle of the withheld account, or of the author of the withheld post, from a notice; `nil` for other texts. Notices are
  /// one line of less than 1,000 bytes.
  private static func handle(inNotice text: String) -> Substring? {
    // Fast path: most texts do not begin with the first letter of a notice.
    guard let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "@") || first == UInt8(ascii: "T") || first >= 0x80, text.utf8.count < 1000,
      !text.utf8.contains(UInt8(ascii: "\n"))
    else { return nil }
    var rest = text[...].drop(while: \.isWhitespace)
    let opening = ["This Tweet from @", "This Post from @", "This post from @", "@"].first {
      rest.hasPrefix($0)
    }
    guard let opening else { return nil }
    rest = rest.dropFirst(opening.count)
    let handle = rest.prefix { $0.utf8.allSatisfy(XURL.isWord) }
    guard XURL.isHandle(handle) else { return nil }
    rest = rest.dropFirst(handle.count)
    if opening == "@" {
      let subjects = ["account", "Tweet", "Post", "post"].flatMap { ["'s \($0)", "\u{2019}s \($0)"] }
      guard let subject = subjects.first(where: { rest.hasPrefix($0) }) else { return nil }
      rest = rest.dropFirst(subject.count)
    }
    let isNotice =
      rest.hasPrefix(" has been withheld")
      || (rest.hasPrefix(" is temporarily unavailable because it violates the ")
        && rest.contains("Media Policy"))
    return isNotice ? handle : nil
  }
}

extension Withholding {
  /// Returns the withholding of a post object from its `withheld` member and its notice.
  ///
  /// Two of the codes are not countries: `XX` means all countries, and `XY` means a demand under copyright law (X's documentation of
  /// version 1.1, "Tweet object").
  init?(x fields: XFields) {
    let said = fields.fields("withheld")
    let codes = (said?.strings("country_codes") ?? []).map { $0.uppercased() }
    var seen: Set<String> = ["", "XX", "XY"]
    self.init(
      countries: codes.filter { seen.insert($0).inserted }, isWorldwide: codes.contains("XX"),
      isForCopyright: codes.contains("XY") || said?.bool("copyright") == true,
      notice: fields.text(XWithheldText.noticeKey))
    if !isExplained, notice == nil { return nil }
  }
}
