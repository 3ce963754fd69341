/// A credential, which is never printed.
///
/// Code that needs the value has to access it explicitly, so that all uses can be found by a search.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String

  package init(_ value: String) { self.value = value }

  /// The value, only for the request for which the credential is intended.
  package var revealed: String { value }

  package var description: String { "(redacted)" }
  package var debugDescription: String { "(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
