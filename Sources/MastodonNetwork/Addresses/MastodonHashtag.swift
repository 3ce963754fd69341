import Foundation
import SiteConfig
import UTF8Text

/// A hashtag on one server: the public posts with it that the server knows of, its own and others'.
struct MastodonHashtag: Sendable, Hashable {
  let server: MastodonServer
  /// Without `#`.
  let name: String

  /// Reads an address such as `https://social.example/tags/Gardening`; `nil` for what is none of a hashtag.
  init?(_ address: NetworkAddress) {
    var path = address.path[...]
    if path.count >= 2, path.first == "web" || path.first == "deck" { path = path.dropFirst() }
    // Mastodon and GoToSocial have /tags/, Pleroma and Akkoma have /tag/.
    guard let host = address.host, path.count == 2, path.first == "tags" || path.first == "tag",
      let name = path.last?.removingPercentEncoding, (1...200).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy(Self.isAllowed)
    else { return nil }
    (server, self.name) = (MastodonServer(host), name)
  }

  /// Reads what `address` gives.
  init?(query: String) {
    guard let address = try? NetworkAddress(query) else { return nil }
    self.init(address)
  }

  /// The one way in which the hashtag's address is written.
  var address: String { "https://\(server.name)/tags/\(encodedName)" }

  /// As a part of a path.
  var encodedName: String {
    name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["/"])) ?? ""
  }

  /// Letters, marks and digits of any script, and what Mastodon lets stand between them (app/models/tag.rb).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation:
      true
    default: "·・\u{200C}".unicodeScalars.contains(scalar)
    }
  }
}
