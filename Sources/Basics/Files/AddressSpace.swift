import CFiles

/// The memory that the system gives to the process.
package enum AddressSpace {
  /// The limit in bytes (`ulimit -v`); `nil` if the address space is unlimited.
  package static var limit: UInt64? {
    let limit = cfiles_address_space_limit()
    return limit == 0 ? nil : limit
  }

  /// Returns the memory of released arrays to the system at once. Must be called before other threads start.
  package static func releaseFreedMemory() { cfiles_release_freed_memory() }
}
