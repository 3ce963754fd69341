import CCurl

/// What the thread of a transport does: takes jobs, lets libcurl work, hands out answers, until the mailbox is closed.
final class TransferLoop {
  /// `curl_global_init` has to come first, once.
  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  let mailbox: TransferMailbox
  let options: CurlOptions
  let userAgent: String
  let multi: UnsafeMutableRawPointer
  var pools: [ConnectionPool.Kind: ConnectionPool] = [:]
  var queue: TransferQueue
  /// All that have not ended, waiting or running.
  var transfers: [UInt64: Transfer] = [:]
  /// The running ones by their handles.
  var running: [UnsafeMutableRawPointer: Transfer] = [:]

  init?(_ mailbox: TransferMailbox, _ options: CurlOptions, userAgent: String) {
    guard Self.isCurlReady, let multi = curl_multi_init() else { return nil }
    self.mailbox = mailbox
    self.options = options
    self.userAgent = userAgent
    self.multi = multi
    queue = TransferQueue(limit: options.maximumTransfers, limitPerHost: options.maximumTransfersPerHost)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2 * max(options.maximumTransfers, 1))
    // One transfer at a time on a connection, on HTTP/2, too: with several, and connections kept in shares (ConnectionPool),
    // 300 requests to a server of HTTP/2 stalled (libcurl 7.88.1).
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    mailbox.open(TransferMailbox.Waker(multi: multi))
  }

  func run() {
    while let commands = mailbox.take() {
      commands.forEach(carryOut)
      startWaiting()
      var count: Int32 = 0
      guard curl_multi_perform(multi, &count) == CURLM_OK else { return }
      if finishEnded() { continue }
      // Wakes up for sockets, for libcurl's own timers and for the mailbox; the time is only a precaution.
      guard curl_multi_poll(multi, nil, 0, 10_000, nil) == CURLM_OK else { return }
    }
  }

  /// Ends everything; the loop is of no use any more.
  func free() {
    mailbox.stopWaking()
    for transfer in transfers.values {
      end(transfer, .failure(TransferMailbox.closed(transfer.job)))
    }
    pools = [:]
    curl_multi_cleanup(multi)
  }

  private func carryOut(_ command: TransferCommand) {
    switch command {
    case .start(let job):
      transfers[job.id] = Transfer(job)
      queue.enqueue(job.id, host: job.target.hostAndPort)
    case .cancel(let id):
      guard let transfer = transfers[id] else { return }
      end(
        transfer, .failure(HTTPError(.cancelled, "it was cancelled", url: transfer.request.url)))
    }
  }

  /// Starts those whose turn it is.
  private func startWaiting() {
    while let id = queue.next() {
      if let transfer = transfers[id] { start(transfer) }
    }
  }
}
