// Not Foundation, which itself imports `Synchronization`.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Replaces `Mutex` under the thread sanitizer (`make test-threads`).
///
/// The library's own lock uses system calls that the sanitizer does not see, so it would report everything
/// that the lock guards as a race. This lock has the same interface and is of a kind that the sanitizer
/// knows, so nothing needs to be suppressed. Package.swift replaces `Synchronization` by this module only for
/// that build.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let handle: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  public init(_ initialValue: consuming sending Value) {
    handle = .allocate(capacity: 1)
    handle.initialize(to: pthread_mutex_t())
    pthread_mutex_init(handle, nil)
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(handle)
    handle.deallocate()
  }

  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    return try body(&value.pointee)
  }
}
