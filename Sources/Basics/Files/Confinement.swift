import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A limit on what this process, or a program that it starts, may do while it reads data of strangers: it may read and write only the
/// permitted files and folders, and may not start programs. It may open no sockets, or only those of a client.
///
/// The kernel enforces the limit (Landlock of Linux 5.19, for started programs of Linux 5.13, and seccomp), so it also holds for libraries
/// written in C and for an attacker who runs code in them. It cannot be removed from the process.
package struct Confinement: ~Copyable {
  private let descriptor: Int32
  /// The sum of `cfiles_permissions`.
  private let permissions: Int32

  /// The files that the program and its libraries read at any time: shared libraries, character sets, time zones, random numbers, and
  /// facts about this process and its processors.
  ///
  /// `/proc/self` would not be enough: Landlock permits the inode of the process's folder, and the kernel makes another inode as soon as it
  /// needs the memory of its caches. Reading it would then fail, which ends the process: libdispatch traps if it cannot read the state of a
  /// thread. The memory, environment and open files of other processes stay forbidden, because Landlock forbids tracing them.
  private static let system = [
    "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/dev/null",
    "/dev/random", "/dev/urandom",
    "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup",
  ]

  /// Folders of programs and their libraries, in addition to those of the system.
  private static let programs = ["/bin", "/opt", "/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"]

  /// Creates a limit that permits only the files of the system.
  ///
  /// - Parameters:
  ///   - program: the path of a program that is started under the limit; `nil` to forbid starting programs. The program may also start
  ///     the programs of the system.
  ///   - connects: whether connections to servers are permitted, by TCP and UDP. UNIX sockets and receiving connections stay forbidden.
  /// - Returns: `nil` if the system has no such limits, as macOS and older versions of Linux, or if a container forbids their use.
  package init?(running program: String? = nil, connects: Bool = false) throws(FileError) {
    permissions =
      (program == nil ? 0 : Int32(CFILES_PROGRAMS.rawValue))
      + (connects ? Int32(CFILES_CONNECTIONS.rawValue) : 0)
    descriptor = cfiles_confinement_begin(permissions)
    guard descriptor >= 0 else {
      let code = errno
      if [ENOSYS, EOPNOTSUPP, EPERM].contains(code) { return nil }
      throw Self.error("limit access to files", "Landlock", code)
    }
    for path in Self.system { try permit(path, program == nil ? CFILES_READ : CFILES_RUN) }
    // The first connection loads modules of the resolver and of TLS.
    if connects { for path in Self.programs { try permit(path, CFILES_READ) } }
    if let program {
      for path in Self.programs + [program] { try permit(path, CFILES_RUN) }
      try permit("/dev/null", CFILES_WRITE)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Permits reading a file, or a folder with everything below it. If the path is a symbolic link, its target is permitted. A path that
  /// does not exist or cannot be reached is ignored, because opening it fails in any case.
  package func permitReading(_ path: String) throws(FileError) { try permit(path, CFILES_READ) }

  /// Also permits writing, creating, renaming and deleting files in the folder. If the folder does not exist, the nearest existing folder
  /// above it is permitted, because the program will create it.
  package func permitWriting(below folder: String) throws(FileError) {
    var folder = folder
    while FileSystem.kind(of: folder) == .nothing, let slash = folder.lastIndex(of: "/"),
      slash > folder.startIndex
    {
      folder = String(folder[..<slash])
    }
    try permit(folder, CFILES_WRITE)
  }

  private func permit(_ path: String, _ use: cfiles_use) throws(FileError) {
    guard cfiles_confinement_permit(descriptor, path, use) < 0 else { return }
    let code = errno
    switch code {
    case ENOENT, ENOTDIR, EACCES, ELOOP: return
    default: throw Self.error("permit access", path, code)
    }
  }

  /// Applies the limit to the calling thread and to all threads that it starts from now on. Threads that are already running keep their
  /// rights, so a program applies it before it starts any.
  package consuming func apply() throws(FileError) {
    guard cfiles_confinement_apply(descriptor, permissions) != 0 else { return }
    throw Self.error("limit access to files", "Landlock", errno)
  }

  /// Starts a program that can use only the files of the system; without a limit on a system that has none. The limit does not apply to
  /// this process.
  ///
  /// - Parameters:
  ///   - streams: the descriptors of the program's standard input, output and error.
  ///   - folders: folders that the program may also read, and from which it may start programs.
  ///   - scratch: the folder for the program's temporary files; `nil` if the program may not write any file.
  /// - Returns: the number of the process.
  static func start(
    _ path: String, _ arguments: [String], environment: [String: String], streams: [Int32],
    using folders: [String] = [], scratch: String? = nil
  ) throws(FileError) -> pid_t {
    guard let limit = try Confinement(running: path) else {
      return try start(path, arguments, environment: environment, streams: streams, -1)
    }
    for folder in folders { try limit.permit(folder, CFILES_RUN) }
    if let scratch { try limit.permitWriting(below: scratch) }
    return try start(path, arguments, environment: environment, streams: streams, limit.descriptor)
  }

  private static func start(
    _ path: String, _ arguments: [String], environment: [String: String], streams: [Int32],
    _ descriptor: Int32
  ) throws(FileError) -> pid_t {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let process = cfiles_spawn_confined(path, &words, &variables, streams, descriptor)
    guard process > 0 else { throw error("start", path, errno) }
    return process
  }

  /// The number of threads of this process; `nil` if the system does not report it.
  package static var threadCount: Int? {
    let count = cfiles_thread_count()
    return count < 0 ? nil : Int(count)
  }

  private static func error(_ operation: String, _ path: String, _ code: Int32) -> FileError {
    FileError(operation: operation, path: path, code: code)
  }
}
