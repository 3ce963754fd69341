import CCurl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The thread of a transport: a system thread, because it waits in libcurl and may write to disks.
final class TransferThread {
  private let mailbox: TransferMailbox
  private let options: CurlOptions
  private let userAgent: String

  private init(_ mailbox: TransferMailbox, _ options: CurlOptions, _ userAgent: String) {
    self.mailbox = mailbox
    self.options = options
    self.userAgent = userAgent
  }

  /// Starts it; it ends when the mailbox is closed. Where it cannot be started, the mailbox is closed at once.
  static func start(_ mailbox: TransferMailbox, _ options: CurlOptions, userAgent: String) {
    let start = Unmanaged.passRetained(TransferThread(mailbox, options, userAgent))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { TransferThread.main($0) }, start.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in argument.flatMap { TransferThread.main($0) } },
        start.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 {
      start.release()
      mailbox.end()
    }
  }

  private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<TransferThread>.fromOpaque(argument).takeRetainedValue()
    ccurl_name_thread(start.options.threadName)
    if let loop = TransferLoop(start.mailbox, start.options, userAgent: start.userAgent) {
      loop.run()
      loop.free()
    }
    start.mailbox.end()
    return nil
  }
}
