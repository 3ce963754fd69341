import Basics
import Templates

/// Renders the first of several templates, given as pairs of name and text.
func render(
  _ sources: KeyValuePairs<String, String>, _ value: TemplateObject = [:], kind: TemplateKind = .html,
  missingPartials: MissingPartials = .error
) throws -> String {
  let templates = try TemplateSet(
    kind: kind, sources.map { TemplateSource(name: $0.key, file: $0.key + ".mustache", text: $0.value) },
    missingPartials: missingPartials)
  var output = UTF8Buffer()
  try templates.render(sources[0].key, value, into: &output)
  return output.string
}

/// The mistakes in one template as users see them.
func errors(_ text: String, _ value: TemplateObject = [:]) -> String {
  do {
    let output = try render(["page": text], value)
    return "no error, but: " + output
  } catch let errors as TemplateErrors {
    return errors.description
  } catch {
    return "another error: \(error)"
  }
}
