import Basics
import MarkdownHTML
import MastodonNetwork
import SiteConfig
import SiteWorkspace
import Templates
import TestSupport
import ThreadModel

/// Claims about the readers of untrusted text: Markdown, HTML, templates, shared texts.
enum ReaderClaims {
  static func all() -> [Claim] {
    PathologicalMarkdown.all.map(markdown)
      + ["<b>", "<ul><li>", "<blockquote>", "<a href='https://x.org'>", "<p><table>", "<font><span>"].map(
        html)
      + ["$[x ", "**", "[", "`", "\\(", "<https://a", "https://a(", "[a](https://a(", "@a@", "<plain>"].map(
        mfm)
      + ["{{#a}}", "{{", "{{<a}}{{$b}}", "{{/a}}", "{{$a}}\n\n", "{{="].map(template)
      + ["a", "/", "://", ".", "%", "é", "\u{0}"].map(sharedText)
  }

  private static func markdown(_ input: PathologicalMarkdown) -> Claim {
    Claim(
      "HTML of Markdown: \(input.name)", first: 500, deepest: 5_000,
      prepare: { Array(input.markdown($0).utf8) }
    ) { bytes in
      _ = try MarkdownHTML.render(bytes)
    }
  }

  private static func html(_ opening: String) -> Claim {
    Claim(
      "HTML of a Mastodon post: \(opening) again and again", first: 1_000,
      prepare: { String(repeating: opening, count: $0) + "x" }
    ) { _ = InlineText(html: $0) }
  }

  private static func mfm(_ opening: String) -> Claim {
    let server = MastodonServer("misskey.example")
    return Claim(
      "the markup of a Misskey note: \(opening) again and again", first: 1_000,
      prepare: { String(repeating: opening, count: $0) + "x" }
    ) { _ = InlineText(mfm: $0, on: server) }
  }

  private static func template(_ piece: String) -> Claim {
    Claim(
      "a template of \(String(reflecting: piece)) again and again", first: 500,
      prepare: { String(repeating: piece, count: $0) }
    ) { text in
      do throws(TemplateErrors) {
        _ = try TemplateSet(
          kind: .markdown, [TemplateSource(name: "page", file: "page.mustache", text: text)])
      } catch { _ = error.description }
    }
  }

  /// The URL in the middle of a shared text.
  private static func sharedText(_ filler: String) -> Claim {
    Claim(
      "the address in a shared text of \(String(reflecting: filler)) again and again", first: 1_000,
      prepare: { count in
        let text = String(repeating: filler, count: count)
        return text + " https://x.com/ada/status/123 " + text
      }
    ) { text in _ = try SharedText(text).post(NetworkRegistry.all.addresses) }
  }
}
