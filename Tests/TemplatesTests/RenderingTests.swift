import Basics
import Templates
import Testing

/// Behavior that the specification's tests also cover, in case they are missing, and behavior that the
/// specification leaves open.
@Suite("Rendering templates")
struct RenderingTests {
  @Test("Variables are escaped for the kind of template, and markup never is")
  func kinds() throws {
    let value: TemplateObject = ["text": "<b> *x*!", "markup": .markup("<i>*y*</i>"), "n": -42, "yes": true]
    let template: KeyValuePairs = ["t": "{{text}}|{{{text}}}|{{&text}}|{{markup}}|{{n}}|{{yes}}|{{none}}"]
    #expect(try render(template, value) == "&lt;b&gt; *x*!|<b> *x*!|<b> *x*!|<i>*y*</i>|-42|true|")
    #expect(
      try render(template, value, kind: .markdown)
        == "&lt;b> \\*x\\*\\!|<b> *x*!|<b> *x*!|<i>*y*</i>|-42|true|")
    #expect(try render(template, value, kind: .text) == "<b> *x*!|<b> *x*!|<b> *x*!|<i>*y*</i>|-42|true|")
  }

  @Test("The places of traced markup are reported, also in partials, blocks and sections")
  func traces() throws {
    let templates = try TemplateSet(
      kind: .html,
      [
        TemplateSource(
          name: "page", file: "page", text: "{{<base}}{{$main}}é{{>part}}{{/main}}{{/base}}"),
        TemplateSource(name: "base", file: "base", text: "<{{$main}}{{/main}}>{{b}}"),
        TemplateSource(name: "part", file: "part", text: "{{#a}}{{{.}}}{{/a}}"),
      ])
    var output = UTF8Buffer("before")
    let traces = try templates.render(
      "page", ["a": .traced("<a>", 7), "b": .traced("", 8)], into: &output)
    #expect(output.string == "before<é<a>>")
    #expect(
      traces == [TracedMarkup(number: 7, range: 9..<12), TracedMarkup(number: 8, range: 13..<13)])
  }

  @Test("Lists and objects write nothing as variables")
  func containers() throws {
    #expect(
      try render(["t": "[{{list}}{{object}}{{{list}}}]"], ["list": ["a"], "object": ["a": "b"]]) == "[]")
  }

  @Test(
    "Only nothing, false and what is empty is false",
    arguments: [
      (.missing, false), (false, false), (true, true), ("", false), ("a", true), (" ", true), (0, true),
      (1, true),
      ([], false), ([.missing], true), ([false], true), (.markup(""), false), (.markup("a"), true),
      (.object([:]), true),
    ] as [(TemplateValue, Bool)])
  func truth(value: TemplateValue, isTrue: Bool) throws {
    let output = try render(["t": "{{#v}}yes{{/v}}{{^v}}no{{/v}}"], ["v": value])
    #expect(output == (isTrue ? "yes" : "no"))
  }

  @Test("Names are looked up from the inside out, and dotted ones by their first part")
  func lookup() throws {
    let value: TemplateObject = [
      "a": "outer", "b": ["a": "inner", "c": ["d": "deep"]], "e": ["b": ["x": "y"]],
      "long_name_of_a_value": "long",
      "long_name_of_another": "other",
    ]
    #expect(try render(["t": "{{a}}{{#b}} {{a}} {{c.d}}{{/b}}"], value) == "outer inner deep")
    #expect(try render(["t": "[{{#e}}{{b.c.d}}{{b.x}}{{/e}}]"], value) == "[y]")
    #expect(try render(["t": "{{long_name_of_another}} {{long_name_of_a_value}}"], value) == "other long")
  }

  @Test("A missing value hides an outer value with the same name")
  func hiding() throws {
    let value: TemplateObject = ["alt": "outer", "image": ["alt": .missing]]
    #expect(try render(["t": "[{{#image}}{{alt}}{{/image}}]"], value) == "[]")
  }

  @Test("The last of several values or templates with the same name is used")
  func last() throws {
    var object: TemplateObject = ["a": 1]
    object["a"] = 2
    #expect(object["b"].isMissing)
    #expect(try render(["t": "{{a}}", "p": "old", "p": "new {{nonsense}}"], object) == "2")
    #expect(try render(["t": "{{>p}}", "p": "{{#old}}", "p": "new"], object) == "new")
  }

  @Test("Lists repeat with the item as `.`, and can be nested")
  func lists() throws {
    let value: TemplateObject = ["rows": [[1, 2], [], ["<"]]]
    #expect(
      try render(["t": "{{#rows}}({{#.}}{{.}},{{/.}}{{^.}}none{{/.}}){{/rows}}"], value)
        == "(1,2,)(none)(&lt;,)")
  }

  @Test("Values are never parsed")
  func values() throws {
    let value: TemplateObject = ["a": "{{b}}{{>p}}", "b": "no", "c": .markup("{{#b}}")]
    #expect(try render(["t": "{{{a}}} {{c}}"], value) == "{{b}}{{>p}} {{#b}}")
  }

  @Test("Lines that contain only a tag are removed")
  func lines() throws {
    let template = """
      a
        {{#yes}}
      b
        {{! a comment
            of two lines }}
        {{/yes}}\t
      {{#yes}}c{{/yes}}
      {{=<% %>=}}\r
      <%^yes%>
      never
      <%/yes%>
      """
    #expect(try render(["t": template], ["yes": true]) == "a\nb\nc\n")
  }

  @Test("A partial alone on its line is indented, except for its values and empty lines")
  func indentation() throws {
    let output = try render(
      [
        "t": "<ul>\n  {{>item}}\n</ul>\n",
        "item": "<li>\n\n  {{>name}}\n{{{lines}}}\n{{#yes}}\n</li>\n{{/yes}}\n",
        "name": "{{a}}\n\tb",
      ], ["a": "A", "lines": "1\n2", "yes": true])
    #expect(output == "<ul>\n  <li>\n\n    A\n    \tb  1\n2\n  </li>\n</ul>\n")
  }

  @Test("A partial within a line is not indented, and neither are its partials")
  func inlinePartial() throws {
    #expect(try render(["t": "  {{>a}}\n", "a": "x{{>b}}\ny\n", "b": "1\n2"]) == "  x1\n2\n  y\n")
  }

  @Test("A page fills the blocks of its layout")
  func inheritance() throws {
    let layout = """
      <html>
        <head>
          {{$head}}
          <title>{{title}}</title>
          {{/head}}
          {{$more}}{{/more}}
        </head>
        <body class="{{$class}}plain{{/class}}">
        {{$body}}{{/body}}
        </body>
      </html>

      """
    let page = """
      {{<layout}}
      Nothing of this is shown. {{title}}
      {{$class}}thread{{/class}}
        {{$body}}
            <h1>{{title}}</h1>
              {{#items}}
              <p>{{.}}
              {{/items}}
        {{/body}}
      {{/layout}}

      """
    let value: TemplateObject = ["title": "T", "items": [1, 2]]
    #expect(
      try render(["page": page, "layout": layout], value) == """
        <html>
          <head>
            <title>T</title>

          </head>
          <body class="thread">
          <h1>T</h1>
            <p>1
            <p>2

          </body>
        </html>

        """)
  }

  @Test("A page overrides the blocks of its layout's layout")
  func grandparents() throws {
    let output = try render([
      "page": "{{<layout}}{{$a}}page{{/a}}{{/layout}}",
      "layout": "{{<base}}{{$a}}layout{{/a}}{{$b}}[{{$a}}inner{{/a}}]{{/b}}{{/base}}",
      "base": "{{$a}}base{{/a}} {{$b}}{{/b}} {{$c}}base{{/c}}",
    ])
    #expect(output == "page [page] base")
  }

  @Test("Arguments are evaluated in their own context")
  func arguments() throws {
    let output = try render([
      "page":
        "{{<layout}}{{$title}}page{{/title}}{{$body}}{{<card}}{{$title}}card{{/title}}{{/card}}{{/body}}{{/layout}}",
      "layout": "{{$title}}{{/title}}: {{$body}}{{/body}}",
      "card": "[{{$title}}{{/title}}]",
    ])
    #expect(output == "page: [card]")
  }

  @Test("Partials and parents can be named by values")
  func dynamicNames() throws {
    let value: TemplateObject = ["kind": "image", "item": ["kind": .markup("video")]]
    let output = try render(
      [
        "t": "{{>*kind}} {{> * item.kind }} {{<*kind}}{{$a}}b{{/a}}{{/*kind}} [{{>*none}}]",
        "image": "image {{$a}}a{{/a}}",
        "video": "video",
      ], value)
    #expect(output == "image a video image b []")
  }

  @Test("The depth of data is limited only by the template's recursion")
  func recursion() throws {
    // Without the final `missing`, the outer value would be found again and again.
    var tree: TemplateObject = ["n": 0, "child": .missing]
    for depth in 1...900 { tree = ["n": .integer(depth), "child": .object(tree)] }
    let output = try render(
      ["t": "{{n}}{{#child}},{{>t}}{{/child}}{{^child}}.{{/child}}"], ["child": .object(tree)])
    #expect(output.hasSuffix(",3,2,1,0."))
  }

  @Test("Rendering appends, and a second time gives the same")
  func appends() throws {
    let templates = try TemplateSet(kind: .html, [TemplateSource(name: "t", file: "t", text: "{{a}};")])
    var output = UTF8Buffer("x ")
    for _ in 0..<3 { try templates.render("t", ["a": 1], into: &output) }
    #expect(output.string == "x 1;1;1;")
    #expect(templates.contains("t"))
    #expect(!templates.contains("u"))
  }
}

extension TemplateValue {
  var isMissing: Bool { if case .missing = self { true } else { false } }
}
