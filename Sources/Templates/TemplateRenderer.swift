package import UTF8Text

/// Renders templates of one set, one after another: what a render needs beside its values is made only once.
package struct TemplateRenderer {
  private let set: TemplateSet
  private var renderer: Renderer

  package init(_ set: TemplateSet) {
    self.set = set
    renderer = Renderer(program: set.program, kind: set.kind, missingPartials: set.missingPartials)
  }

  /// Appends what a template of the set makes of `value` to `output`.
  ///
  /// Throws, with `output` as far as it got, if templates call each other without end, or if a value names a template that
  /// does not exist.
  package mutating func render(
    _ entry: TemplateSet.Entry, _ value: TemplateObject, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    try render(entry, root: .object(value), into: &output)
  }

  mutating func render(
    _ entry: TemplateSet.Entry, root value: TemplateValue, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    if let failure = renderer.run(from: entry.position, root: value, into: &output) {
      try set.report(failure)
    }
  }
}
