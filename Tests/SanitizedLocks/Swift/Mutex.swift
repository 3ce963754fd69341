// Not Foundation, which itself asks for `Synchronization`.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What `Mutex` is while the thread sanitizer looks on (`make test-threads`).
///
/// The library's own is made of system calls that the sanitizer does not see, so that all that a lock guards would be called a race. This one has the
/// same interface and is a lock of the kind that the sanitizer knows, so that nothing needs to be suppressed. Package.swift puts this module in
/// the place of `Synchronization` then, and for no other build.
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
