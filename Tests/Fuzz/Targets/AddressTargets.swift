import Basics
import BlueskyNetwork
import Foundation
import MastodonNetwork
import SiteConfig
import ThreadMarkdown
import ThreadModel
import XNetwork

extension FuzzTarget {
  /// URLs, dates, IDs and languages from people and networks. Values read back after writing, and no URL
  /// becomes a link that a browser would execute.
  static let address = FuzzTarget(
    "address",
    dictionary: [
      "https://x.com/", "https://twitter.com/", "/status/", "/i/web/status/", "https://bsky.app/profile/",
      "/post/",
      "at://", "app.bsky.feed.post", "did:plc:", "https://social.example/@", "/users/", "/statuses/", "?",
      "#", "@",
      "javascript:", "data:", "vbscript:", "mailto:", "//", "\\", "\t", "\u{1}", "%0a", "[::1]", ":8080",
      "xn--",
      "2026-02-29", "2026-01-02T03:04:05.678+01:00", "Wed Oct 10 20:19:24 +0000 2018", "12h", "30d", "de-CH",
      "zh-Hant", "\u{FF0E}", "9223372036854775807", "18446744073709551616",
    ], maximumLength: 512, testRuns: 1500
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    try AddressForm.checkReferences(text)
    try AddressForm.checkLinks(text)
    try AddressForm.checkDates(text)
    if let tag = LanguageTag.valid(text) {
      try require(tag.utf8.allSatisfy { $0 < 0x80 && $0 > 0x2C }, "a language \(tag)")
      try require(LanguageTag.valid(tag) == tag, "the language \(tag) reads back as another")
    }
    if XID.isValid(text) {
      try require(text.utf8.allSatisfy { (0x30...0x39).contains($0) }, "an id \(text)")
      _ = XID.time(text)
    }
  }
}

private enum AddressForm {
  static func checkReferences(_ text: String) throws(PropertyFailure) {
    if let post = try? AddressBook.networks.post(text) {
      for part in [post.id, post.handle ?? "-"] {
        try require(
          !part.isEmpty && !part.contains("/") && part != ".." && part != "."
            && part.utf8.allSatisfy { (0x21...0x7E).contains($0) },
          "part of a reference: \(part.debugDescription)")
      }
      let again = try? AddressBook.networks.post(post.address)
      try require(again?.identity == post.identity, "\(post.identity) is not what \(post.address) leads to")
    }
    if let account = try? AddressBook.networks.account(text) {
      try require(!account.handle.isEmpty && !account.handle.contains("/"), "a handle \(account.handle)")
    }
    if let url = try? SiteURL(text) {
      try require((try? SiteURL(url.description)) == url, "\(url) reads back as another")
      try require(!url.description.contains("..") || text.contains(".."), "\(url) climbs")
    }
    if let url = try? WebURL(text) {
      let lower = url.description.lowercased()
      try require(lower.hasPrefix("https://") || lower.hasPrefix("http://"), "\(url) is not of the web")
    }
  }

  /// Finds a scheme like a browser (WHATWG URL, 4.4), which ignores controls and spaces at the ends, and tabs
  /// and line breaks anywhere.
  static func checkLinks(_ text: String) throws(PropertyFailure) {
    guard let safe = WebAddress.safe(text) else { return }
    let scalars = safe.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) }.drop { $0.value <= 0x20 }
    let scheme = String(String.UnicodeScalarView(scalars.prefix { $0 != ":" })).lowercased()
    try require(["http", "https", "mailto"].contains(scheme), "a link to \(safe.debugDescription)")
    try require(safe == text, "a link is another than it was")
    var destination = UTF8Buffer()
    destination.appendLinkDestination(safe)
    try require(
      !destination.bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") && destination.bytes.first != $0 },
      "unsafe destination \(destination.string.debugDescription)")
  }

  static func checkDates(_ text: String) throws(PropertyFailure) {
    if let time = Timestamp(iso8601: text), (0...253_402_300_799_999).contains(time.milliseconds) {
      try require(Timestamp(iso8601: time.iso8601) == time, "\(time.iso8601) reads back as another time")
    }
    if let time = XVersion1Date.parse(text), (0...253_402_300_799_999).contains(time.milliseconds) {
      try require(Timestamp(iso8601: time.iso8601) == time, "\(time.iso8601) reads back as another time")
    }
    if let day = try? CalendarDay(text) {
      try require(day.description == text, "the day \(text) is written \(day)")
    }
    if let waiting = try? WaitingTime(text) {
      try require((try? WaitingTime(waiting.description)) == waiting, "\(waiting) reads back as another")
      try require(waiting.seconds >= 0, "\(waiting)")
    }
  }
}

extension AddressBook {
  /// The networks of the program.
  static let networks = AddressBook([XAddresses(), BlueskyAddresses(), MastodonAddresses()])
}
