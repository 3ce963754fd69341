import CSanitizedAtomics

/// The part of the library's `Atomic` that the project uses, replaced for the same reason as `Mutex`.
public struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  /// Only relaxed ordering, so that the sanitizer assumes no synchronization beyond it.
  public enum Ordering { case relaxed }

  private let value: UnsafeMutablePointer<Int>

  public init(_ initialValue: Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue.number)
  }

  deinit { value.deallocate() }

  public borrowing func load(ordering: Ordering) -> Value { Value(number: sanitized_load(value)) }

  public borrowing func store(_ desired: Value, ordering: Ordering) {
    sanitized_store(value, desired.number)
  }
}

extension Atomic where Value == Int {
  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Int, ordering: Ordering
  ) -> (oldValue: Int, newValue: Int) {
    let old = sanitized_add(value, operand)
    return (old, old &+ operand)
  }

  @discardableResult
  public borrowing func wrappingSubtract(
    _ operand: Int, ordering: Ordering
  ) -> (oldValue: Int, newValue: Int) {
    wrappingAdd(0 &- operand, ordering: ordering)
  }
}

public protocol AtomicValue {
  var number: Int { get }
  init(number: Int)
}

extension Int: AtomicValue {
  public var number: Int { self }
  public init(number: Int) { self = number }
}

extension Bool: AtomicValue {
  public var number: Int { self ? 1 : 0 }
  public init(number: Int) { self = number != 0 }
}
