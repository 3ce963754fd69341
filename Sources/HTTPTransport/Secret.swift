/// A credential, which is never printed.
///
/// Code that needs the value has to name it explicitly, so that all uses can be searched for.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String

  package init(_ value: String) { self.value = value }

  /// The value, only for the request that the credential is meant for.
  package var revealed: String { value }

  package var description: String { "(redacted)" }
  package var debugDescription: String { "(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
