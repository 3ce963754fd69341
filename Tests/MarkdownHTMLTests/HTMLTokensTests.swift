import TestSupport
import Testing

/// Other suites rely on the tokenizer, so it has its own tests.
@Suite struct HTMLTokensTests {
  @Test func readsTagsAttributesAndText() throws {
    let html = try HTMLTokens(
      "<p class=\"a b\" hidden>1 &lt; 2 &amp; &#x1F600;&#233;<br>\n<img src='x' alt=\"&quot;\"></p>")
    #expect(
      html.tokens == [
        .startTag(HTMLStartTag(name: "p", attributes: [.init("class", "a b"), .init("hidden", "")])),
        .text("1 < 2 & 😀é"), .startTag(HTMLStartTag(name: "br")), .text("\n"),
        .startTag(HTMLStartTag(name: "img", attributes: [.init("src", "x"), .init("alt", "\"")])),
        .endTag("p"),
      ])
    #expect(html.text() == "1 < 2 & 😀é\n\n")
    #expect(html.startTags[0].classes == ["a", "b"])
  }

  @Test func textExcludesScriptsAndTheNewlineAfterPre() throws {
    let html = try HTMLTokens(
      "<script>if (a < b) { \"</p>\" }</script><pre>\n\n x</pre>\n<style>a>b{}</style>\r\n")
    #expect(html.text() == "\n x\n\n")
  }

  @Test func findsContents() throws {
    let html = try HTMLTokens(
      "<div><div class=\"x y\">a<div class=\"x\">b</div></div></div><p class=\"x\">c</p>")
    #expect(html.contents(ofClass: "x").map { $0.text() } == ["ab", "c"])
  }

  @Test(arguments: [
    "a < b", "a & b", "&amp", "&nope;", "&#0;", "&#xD800;", "&#-5;", "&#x110000;", "<p>", "</p>",
    "<b><i></b></i>",
    "<p class=a></p>", "<p class=\"a></p>", "<p a=\"\" a=\"\"></p>", "<p \"></p>", "<p a=\"\"b=\"\"></p>",
    "<!-- a",
    "<!-->", "<!--a--!>-->", "<script>", "a\0b", "<p a=\"\0\"></p>", "<?php ?>", "<![CDATA[x]]>",
    "<p onclick=x></p>",
  ])
  func rejectsInvalidHTML(_ html: String) {
    #expect(throws: HTMLTokenError.self) { try HTMLTokens(html) }
  }
}
