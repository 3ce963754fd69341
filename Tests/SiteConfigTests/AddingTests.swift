import SiteConfig
import Testing

@Suite("Adding a thread to site.yml")
struct AddingTests {
  private let address = "https://x.com/ada/status/99"

  private func adding(to yaml: String) throws -> String? {
    try SiteConfig.decode(yaml: yaml, file: "site.yml").adding(
      address, to: .threads, in: Array(yaml.utf8), .networks
    )
    .map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("threads:\n  - https://x.com/ada/status/1\n", "threads:\n  - https://x.com/ada/status/1\n  - NEW\n"),
    ("threads:\n- 1\ntitle: A\n", "threads:\n- 1\n- NEW\ntitle: A\n"),
    (
      "threads:\n  - url: 1\n    tags: [a, b]\n    hide:\n      - 2\n\n# The end\n",
      "threads:\n  - url: 1\n    tags: [a, b]\n    hide:\n      - 2\n  - NEW\n\n# The end\n"
    ),
    (
      "threads:\n  - 1  # the first\n  # - 2\n  - 3\n",
      "threads:\n  - 1  # the first\n  # - 2\n  - 3\n  - NEW\n"
    ),
    ("threads:\r\n  - 1\r\ntitle: A\r\n", "threads:\r\n  - 1\r\n  - NEW\r\ntitle: A\r\n"),
    ("threads:\n  - 1", "threads:\n  - 1\n  - NEW"),
  ])
  func keepsTheRestOfTheFile(yaml: String, expected: String) throws {
    #expect(try adding(to: yaml) == expected.replacing("NEW", with: address))
  }

  @Test(arguments: [
    "title: A\n", "threads: []\n", "threads: [1, 2]\n", "threads:\n  [1,\n   2]\n", "threads:\n  -\n    1\n",
  ])
  func changesNothingIfThePlaceIsUnclear(yaml: String) throws {
    let added = try adding(to: yaml)
    if let added { #expect(added.contains("- \(address)")) }
    if !yaml.hasPrefix("threads:\n  -") { #expect(added == nil) }
  }

  @Test func sourcesAreASeparateList() throws {
    let yaml = "sources:\n  - account: https://x.com/ada\n    min_posts: 3\nthreads:\n  - 1\n"
    let decoded = try SiteConfig.decode(yaml: yaml, file: "site.yml")
    let added = decoded.adding(address, to: .sources, in: Array(yaml.utf8), .networks)
    #expect(
      added.map { String(decoding: $0, as: UTF8.self) }
        == "sources:\n  - account: https://x.com/ada\n    min_posts: 3\n  - \(address)\nthreads:\n  - 1\n")
  }

  @Test func doesNotAddAnInvalidURL() throws {
    let yaml = "threads:\n  - 1\n"
    let decoded = try SiteConfig.decode(yaml: yaml, file: "site.yml")
    #expect(decoded.adding("1 # x\ntitle: B", to: .threads, in: Array(yaml.utf8), .networks) == nil)
    #expect(
      decoded.adding("https://x.com/ada/status/1", to: .threads, in: Array(yaml.utf8), .networks) == nil,
      "it is already listed")
  }
}
