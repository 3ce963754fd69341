import CFiles

/// The memory that the system gives to the process.
package enum AddressSpace {
  /// The limit in bytes (`ulimit -v`); `nil` if the address space is unlimited.
  package static var limit: UInt64? {
    let limit = cfiles_address_space_limit()
    return limit == 0 ? nil : limit
  }

  /// From now on, the memory of large arrays returns to the system as soon as they are released.
  package static func returnLargeBlocks() { cfiles_return_large_blocks() }

  /// Returns all released memory to the system.
  package static func returnFreedMemory() { cfiles_return_freed_memory() }
}
