import SiteConfig
import Testing

@Suite struct CollectionTests {
  private let text = """
    collections:
      - title: Loops
        slug: loops
        introduction: |
          Read them *in this order*.

          ## Why
        threads:
          - https://x.com/ada/status/2
          - 1
      - { title: Other, slug: other, threads: ["https://reef.example/@ada/3"] }
    """

  @Test func decodesEveryKey() throws {
    let decoded = try SiteConfig.decode(yaml: text, file: "site.yml")
    let collections = decoded.config.collections
    #expect(collections.map(\.title) == ["Loops", "Other"])
    #expect(collections.map(\.slug) == ["loops", "other"])
    #expect(collections[0].introduction == "Read them *in this order*.\n\n## Why\n")
    #expect(collections[0].threads.map(\.id) == ["2", "1"])
    #expect(collections[1].introduction == nil)
    #expect(collections[1].threads.first?.address.contains("reef.example") == true)
    #expect(decoded.warnings == [])
  }

  @Test func laterStagesCanReferToAThread() throws {
    let decoded = try SiteConfig.decode(yaml: text, file: "site.yml")
    let problem = decoded.problem(at: "collections[0].threads[1]", "not there", severity: .error)
    #expect(problem.line == 10)
  }

  @Test func collectionsAreEmptyByDefault() throws {
    #expect(try SiteConfig.decode(yaml: "", file: "site.yml").config.collections == [])
  }
}
