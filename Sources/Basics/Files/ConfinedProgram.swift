import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that decodes data of strangers, which it gets on its standard input.
///
/// If the system has such limits (``Confinement``), the program can read only the files of the system and the folders that its caller
/// names, can write only temporary files, and can open no connection. It can use at most 4 GB of address space, and it ends with this
/// process.
package struct ConfinedProgram: Sendable {
  package let path: String

  package struct Outcome: Sendable {
    /// The exit code; 128 and the number of the signal if a signal ended the program.
    package let code: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
  }

  /// The maximum number of bytes that a program may write to each of its outputs. A program that writes more is ended.
  private static let maximumOutput = 256 << 20

  /// Finds a program in the folders of a search path, as a shell does.
  ///
  /// - Parameter searchPath: the value of `PATH`.
  /// - Returns: `nil` if no folder has an executable file of this name.
  package init?(_ name: String, searchPath: String) {
    let candidates = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    let program = candidates.first { path in
      FileSystem.kind(of: FileSystem.withoutLinks(path)) == .file && access(path, X_OK) == 0
    }
    guard let path = program else { return nil }
    self.path = path
  }

  /// Runs the program and waits for its end on the current thread.
  ///
  /// - Parameters:
  ///   - environment: all environment variables of the program.
  ///   - timeLimit: in seconds. After this time, the program is ended.
  ///   - folders: folders that the program may also read, such as folders of fonts.
  ///   - scratch: the folder for the program's temporary files; `nil` if the program may not write any file.
  /// - Throws: an error of the file system if the program cannot be started.
  package func run(
    _ arguments: [String], environment: [String: String], input: [UInt8], timeLimit: Double,
    using folders: [String] = [], scratch: String? = nil
  ) throws(FileError) -> Outcome {
    _ = Self.ignoresBrokenPipes
    let (incoming, outgoing, complaints) = (try Pipe(), try Pipe(), try Pipe())
    let streams = [incoming.reading, outgoing.writing, complaints.writing]
    let process = try Confinement.start(
      path, arguments, environment: environment, streams: streams, using: folders, scratch: scratch)
    incoming.closeReading()
    outgoing.closeWriting()
    complaints.closeWriting()
    let deadline = Self.now + timeLimit
    var exchange = Exchange(input: input, incoming: incoming, outgoing: outgoing, complaints: complaints)
    if !exchange.run(until: deadline, limit: Self.maximumOutput) { kill(-process, SIGKILL) }
    let code = Self.wait(for: process, until: deadline)
    return Outcome(code: code, output: exchange.output, errors: exchange.errors)
  }

  /// Waits for the end of a process, and ends it at the deadline.
  private static func wait(for process: pid_t, until deadline: Double) -> Int32 {
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, WNOHANG)
      if result == process { break }
      if result < 0, errno != EINTR { return 127 }
      if now > deadline { kill(-process, SIGKILL) }
      // A program that has closed its outputs usually ends at once.
      usleep(500)
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Writing to a program that ended before it read all its input must not end this process.
  private static let ignoresBrokenPipes: Bool = {
    signal(SIGPIPE, SIG_IGN)
    return true
  }()

  /// The time of the monotonic clock in seconds.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// A pipe, whose ends no program inherits by accident.
  private final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws(FileError) {
      var ends: [Int32] = [-1, -1]
      guard cfiles_pipe(&ends) == 0 else {
        throw FileError(operation: "create", path: "a pipe", code: errno)
      }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      closeReading()
      closeWriting()
    }

    func closeReading() {
      if reading >= 0 { close(reading) }
      reading = -1
    }

    func closeWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }
  }

  /// The data that this process and a program send each other.
  private struct Exchange {
    let input: [UInt8]
    let incoming: Pipe
    let outgoing: Pipe
    let complaints: Pipe
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []
    private var written = 0

    init(input: [UInt8], incoming: Pipe, outgoing: Pipe, complaints: Pipe) {
      self.input = input
      self.incoming = incoming
      self.outgoing = outgoing
      self.complaints = complaints
    }

    /// Exchanges data until the program has closed its outputs.
    ///
    /// - Returns: `false` if the program took too long or wrote too much.
    mutating func run(until deadline: Double, limit: Int) -> Bool {
      // A program may write before it has read everything, so no write may wait.
      _ = fcntl(incoming.writing, F_SETFL, O_NONBLOCK)
      if input.isEmpty { incoming.closeWriting() }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while outgoing.reading >= 0 || complaints.reading >= 0 {
        let rest = deadline - ConfinedProgram.now
        guard rest > 0, output.count <= limit, errors.count <= limit else { return false }
        // A negative descriptor is ignored.
        var files = [
          pollfd(fd: incoming.writing, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: outgoing.reading, events: Int16(POLLIN), revents: 0),
          pollfd(fd: complaints.reading, events: Int16(POLLIN), revents: 0),
        ]
        let ready = poll(&files, 3, Int32(min(rest * 1000 + 1, 60_000)))
        if ready < 0, errno != EINTR { return false }
        guard ready > 0 else { continue }
        if files[0].revents != 0 { write() }
        if files[1].revents != 0 { Self.read(outgoing, &buffer, into: &output) }
        if files[2].revents != 0 { Self.read(complaints, &buffer, into: &errors) }
      }
      return true
    }

    private mutating func write() {
      let count = input[written...].withUnsafeBytes { writeBytes(incoming.writing, $0) }
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      written += max(count, 0)
      // A program that closed its input early states the reason in its exit code.
      if count < 0 || written == input.count { incoming.closeWriting() }
    }

    private static func read(_ pipe: Pipe, _ buffer: inout [UInt8], into bytes: inout [UInt8]) {
      let count = buffer.withUnsafeMutableBytes { readBytes(pipe.reading, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { return }
      if count > 0 { bytes += buffer[..<count] } else { pipe.closeReading() }
    }
  }
}

/// `read` of the C library, whose name a method hides.
private func readBytes(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}
