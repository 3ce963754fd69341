/// A large value outside of the array or dictionary that contains it.
///
/// An array or a dictionary copies all of its elements whenever it grows, is merged or is sorted. With large values in boxes, it copies references
/// only.
package struct Boxed<Value: Sendable>: Sendable {
  @usableFromInline
  package final class Storage: Sendable {
    @usableFromInline package let value: Value

    init(_ value: Value) { self.value = value }
  }

  @usableFromInline package let storage: Storage

  package init(_ value: Value) { storage = Storage(value) }

  /// The value is accessed in place, without a copy.
  @inlinable package var value: Value {
    _read { yield storage.value }
  }
}
