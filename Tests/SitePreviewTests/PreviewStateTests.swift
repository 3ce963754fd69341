import SitePreview
import Testing

@Suite struct PreviewStateTests {
  @Test func pageReloadsUnlessOnlyStylesChanged() {
    var state = PreviewState(session: "s")
    #expect((state.build, state.reload) == (0, 0))
    // Before the first build, no page has a style sheet to replace.
    state.show(output: "/a", basePath: "/", onlyStylesChanged: true)
    #expect((state.build, state.reload) == (1, 1))
    state.show(output: "/a", basePath: "/", onlyStylesChanged: true)
    #expect((state.build, state.reload) == (2, 1))
    state.show(messages: ["wrong"])
    #expect((state.build, state.reload) == (2, 1))
    #expect(state.messages == ["wrong"])
    state.show(output: "/a", basePath: "/", onlyStylesChanged: false)
    #expect((state.build, state.reload) == (3, 3))
    #expect(state.messages == nil)
    state.show(output: "/a", basePath: "/b/", onlyStylesChanged: true)
    #expect((state.build, state.reload) == (4, 4))
  }
}
