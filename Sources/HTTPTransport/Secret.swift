/// A credential: something that never prints.
///
/// Whoever needs the value has to ask for it by name, which is easy to look for.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  private let value: String

  package init(_ value: String) { self.value = value }

  /// The value itself, for the request that it is made for and nothing else.
  package var revealed: String { value }

  package var description: String { "(redacted)" }
  package var debugDescription: String { "(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
