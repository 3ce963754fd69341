import CCurl
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The work of a transport's thread: receives jobs, runs libcurl and delivers responses until the mailbox is closed.
final class TransferLoop {
  /// `curl_global_init` must have been called once before.
  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  let mailbox: TransferMailbox
  let options: CurlOptions
  let userAgent: String
  let multi: UnsafeMutableRawPointer
  private var pools: [ConnectionPool.Kind: ConnectionPool] = [:]
  private var queue: TransferQueue
  private let sockets = OpenSockets()
  /// All transfers that have not ended, waiting or running.
  private var transfers: [UInt64: Transfer] = [:]
  /// The WebSockets whose connections have been opened, until they are closed on this side.
  private var webSockets: [UInt64: WebSocketSession] = [:]
  /// The running transfers by their handles.
  var running: [UnsafeMutableRawPointer: Transfer] = [:]

  init?(_ mailbox: TransferMailbox, _ options: CurlOptions, userAgent: String) {
    guard Self.isCurlReady, let multi = curl_multi_init() else { return nil }
    self.mailbox = mailbox
    self.options = options
    self.userAgent = userAgent
    self.multi = multi
    queue = TransferQueue(limit: options.maximumTransfers, limitPerHost: options.maximumTransfersPerHost)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2 * max(options.maximumTransfers, 1))
    // Each connection has one transfer at a time, also on HTTP/2. With several transfers, and connections kept in shares (ConnectionPool),
    // 300 requests to an HTTP/2 server stalled (libcurl 7.88.1).
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    mailbox.open(TransferMailbox.Waker(multi: multi))
  }

  func run() {
    while let commands = mailbox.take() {
      commands.forEach(carryOut)
      startWaiting()
      var count: Int32 = 0
      guard curl_multi_perform(multi, &count) == CURLM_OK else { return }
      let hasEnded = finishEnded()
      advanceWebSockets()
      if hasEnded || endWasteful() { continue }
      guard wait() else { return }
    }
  }

  /// Waits for sockets, for libcurl's timers, for the time limits of WebSockets and for the mailbox.
  ///
  /// - Returns: whether it succeeded.
  private func wait() -> Bool {
    var descriptors: [curl_waitfd] = []
    // The time limit is only a precaution.
    var longest = Duration.seconds(10)
    for session in webSockets.values where !session.hasEnded {
      longest = min(longest, session.remaining)
      if let descriptor = session.descriptor { descriptors.append(descriptor) }
    }
    let milliseconds = Int32((max(longest, .zero) / .milliseconds(1)).rounded(.up))
    return curl_multi_poll(multi, &descriptors, UInt32(descriptors.count), milliseconds, nil) == CURLM_OK
  }

  /// Ends all transfers; the loop cannot be used afterwards.
  func free() {
    mailbox.stopWaking()
    for transfer in transfers.values {
      end(transfer, .failure(TransferMailbox.closed(transfer.request.url)))
    }
    for session in webSockets.values {
      session.end(TransferMailbox.closed(session.url))
      closeHandle(of: session.transfer)
    }
    webSockets = [:]
    pools = [:]
    curl_multi_cleanup(multi)
  }

  private func carryOut(_ command: TransferCommand) {
    switch command {
    case .start(let job):
      transfers[job.id] = Transfer(job, sockets)
      queue.enqueue(job.id, host: job.target.hostAndPort)
    case .step(let step):
      guard let session = webSockets[step.socket] else { return TransferCommand.step(step).refuse() }
      session.take(step)
      if case .close = step.action {
        closeHandle(of: session.transfer)
        webSockets[step.socket] = nil
      }
    case .cancel(let id):
      guard let transfer = transfers[id] ?? webSockets[id]?.transfer else { return }
      let error = HTTPError(.cancelled, "it was cancelled", url: transfer.request.url)
      if let session = webSockets[id] { session.end(error) } else { end(transfer, .failure(error)) }
    }
  }

  /// Starts the transfers whose turn it is.
  private func startWaiting() {
    while let id = queue.next() {
      if let transfer = transfers[id] { start(transfer) }
    }
  }

  /// Starts a hop of a transfer.
  func start(_ transfer: Transfer) {
    transfer.hasTurn = true
    transfer.startClock()
    guard let remaining = transfer.remaining, remaining > .zero else {
      transfer.fail(.timedOut, "it took more than \(transfer.request.limits.totalSeconds) seconds")
      return finish(transfer, CURLE_OPERATION_TIMEDOUT)
    }
    if let reason = transfer.body.begin() ?? transfer.source?.begin() {
      transfer.fail(.file, reason)
      return finish(transfer, CURLE_WRITE_ERROR)
    }
    guard let handle = makeHandle(for: transfer, remaining: remaining), handle.refused == CURLE_OK,
      curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
    else {
      transfer.fail(.other, "libcurl rejects the request")
      return finish(transfer, CURLE_FAILED_INIT)
    }
    transfer.handle = handle
    running[handle.pointer] = transfer
  }

  private func makeHandle(for transfer: Transfer, remaining: Duration) -> CurlHandle? {
    let kind = ConnectionPool.Kind(transfer.request)
    guard let handle = CurlHandle(), let pool = pools[kind] ?? ConnectionPool() else { return nil }
    pools[kind] = pool
    let opensWebSocket = transfer.job.opensWebSocket
    let proxy = options.proxies.proxy(for: transfer.target)
    transfer.addresses = addresses(for: transfer, usesProxy: proxy != nil)
    // The connection of a WebSocket is not shared.
    if !opensWebSocket { pool.attach(to: handle) }
    transfer.attachCallbacks(to: handle)
    handle.apply(options, userAgent: userAgent)
    handle.apply(transfer.target, proxy: proxy)
    handle.apply(transfer.request, remaining: remaining)
    if let source = transfer.source { handle.setUpload(of: source.count) }
    if opensWebSocket { handle.setConnectOnly() }
    return handle
  }

  private func addresses(for transfer: Transfer, usesProxy: Bool) -> AddressPolicy {
    if transfer.target.isPlain { return .loopbackOnly }
    if usesProxy || transfer.request.reach == .any { return .any }
    return options.allowsLoopback ? .publicOrLoopback : .publicOnly
  }

  /// Handles the hops that libcurl has completed.
  ///
  /// - Returns: whether there were any, so that waiting transfers may start.
  private func finishEnded() -> Bool {
    var hasEnded = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle,
        let transfer = running[pointer]
      else { continue }
      hasEnded = true
      finish(transfer, message.pointee.data.result)
    }
    return hasEnded
  }

  /// Ends the transfers whose servers send many bytes and deliver little content.
  ///
  /// - Returns: whether there were any, so that waiting transfers may start.
  private func endWasteful() -> Bool {
    let wasteful = running.values.filter { $0.isWasteful }
    for transfer in wasteful {
      transfer.fail(.tooLarge, "the server keeps sending bytes that are not part of the response")
      finish(transfer, CURLE_ABORTED_BY_CALLBACK)
    }
    return !wasteful.isEmpty
  }

  /// Handles the end of a hop: by a response, a redirect or an error.
  private func finish(_ transfer: Transfer, _ code: CURLcode) {
    if let failure = transfer.failure { return end(transfer, .failure(failure)) }
    guard code == CURLE_OK else {
      return end(transfer, .failure(HTTPError(code, of: transfer, options.authorities)))
    }
    if transfer.job.opensWebSocket { return open(transfer) }
    guard transfer.followsRedirect, let location = transfer.head.headers["Location"] else {
      if let reason = transfer.body.end() {
        return end(transfer, .failure(HTTPError(.file, reason, url: transfer.target.url)))
      }
      return end(transfer, .success(transfer.response()))
    }
    do throws(HTTPError) {
      try follow(location, transfer)
    } catch {
      end(transfer, .failure(error))
    }
  }

  /// Continues with the handshake after the connection of a WebSocket has been opened.
  private func open(_ transfer: Transfer) {
    guard let handle = transfer.handle else { return }
    transfers[transfer.job.id] = nil
    running[handle.pointer] = nil
    webSockets[transfer.job.id] = WebSocketSession(
      transfer, handle, userAgent: userAgent, options.authorities)
    giveUpTurn(transfer)
  }

  /// Sends and receives without waiting, and closes the connections of WebSockets that have ended.
  private func advanceWebSockets() {
    for (id, session) in webSockets {
      session.advance()
      guard session.hasEnded else { continue }
      closeHandle(of: session.transfer)
      if !session.wasOpened { webSockets[id] = nil }
    }
  }

  /// Adds a transfer to the queue for its next hop.
  private func follow(_ location: String, _ transfer: Transfer) throws(HTTPError) {
    guard transfer.redirects < transfer.request.maximumRedirects else {
      throw HTTPError(
        .refusedRedirect, "there are more than \(transfer.redirects) redirects", url: transfer.request.url)
    }
    let next = try transfer.target.following(location)
    try next.check(transfer.request.reach, allowsLoopback: options.allowsLoopback)
    release(transfer)
    transfer.redirects += 1
    transfer.target = next
    transfer.beginHop()
    queue.enqueue(transfer.job.id, host: next.hostAndPort)
  }

  /// Ends a transfer in any state.
  func end(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPError>) {
    release(transfer)
    transfer.body.end()
    transfer.source?.end()
    transfers[transfer.job.id] = nil
    transfer.job.finish(result)
  }

  /// Frees a transfer's handle and its place among the running transfers; a waiting transfer is removed from the queue.
  private func release(_ transfer: Transfer) {
    closeHandle(of: transfer)
    if transfer.hasTurn { giveUpTurn(transfer) } else { queue.withdraw(transfer.job.id) }
  }

  private func closeHandle(of transfer: Transfer) {
    guard let handle = transfer.handle else { return }
    curl_multi_remove_handle(multi, handle.pointer)
    running[handle.pointer] = nil
    transfer.handle = nil
  }

  /// Lets another transfer start.
  private func giveUpTurn(_ transfer: Transfer) {
    transfer.hasTurn = false
    queue.finished(host: transfer.target.hostAndPort)
  }
}

/// The thread of a transport: a system thread, because it waits in libcurl and may write to disks.
final class TransferThread: Sendable {
  /// The objects that the thread uses.
  private final class Work: Sendable {
    let mailbox: TransferMailbox
    let options: CurlOptions
    let userAgent: String

    init(_ mailbox: TransferMailbox, _ options: CurlOptions, _ userAgent: String) {
      self.mailbox = mailbox
      self.options = options
      self.userAgent = userAgent
    }
  }

  /// The running thread; `nil` if it could not be started, or after it was joined.
  private let thread: Mutex<pthread_t?>

  /// Starts the thread, which ends when the mailbox is closed. If it cannot be started, the mailbox is closed at once.
  init(_ mailbox: TransferMailbox, _ options: CurlOptions, userAgent: String) {
    let work = Unmanaged.passRetained(Work(mailbox, options, userAgent))
    #if canImport(Darwin)
      var started: pthread_t?
      let code = pthread_create(&started, nil, { TransferThread.main($0) }, work.toOpaque())
    #else
      var started = pthread_t()
      let code = pthread_create(
        &started, nil,
        { argument in argument.flatMap { TransferThread.main($0) } },
        work.toOpaque())
    #endif
    thread = Mutex(code == 0 ? started : nil)
    if code != 0 {
      work.release()
      mailbox.end()
    }
  }

  deinit {
    thread.withLock { if let thread = $0 { pthread_detach(thread) } }
  }

  /// Waits until all code of the thread has ended. Must be called after the mailbox's end, when only the libraries' thread-local data
  /// remain to be freed. Before that, it would wait for all transfers.
  func join() {
    thread.withLock {
      if let thread = $0 { pthread_join(thread, nil) }
      $0 = nil
    }
  }

  private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
    ccurl_name_thread(work.options.threadName)
    if let loop = TransferLoop(work.mailbox, work.options, userAgent: work.userAgent) {
      loop.run()
      loop.free()
    }
    work.mailbox.end()
    return nil
  }
}
