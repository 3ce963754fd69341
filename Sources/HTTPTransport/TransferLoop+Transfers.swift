import CCurl

extension TransferLoop {
  /// Starts a hop of a transfer that has its turn.
  func start(_ transfer: Transfer) {
    transfer.hasTurn = true
    transfer.startClock()
    guard let remaining = transfer.remaining, remaining > .zero else {
      transfer.fail(.timedOut, "it took more than \(transfer.request.limits.totalSeconds) seconds")
      return finish(transfer, CURLE_OPERATION_TIMEDOUT)
    }
    if let reason = transfer.body.open() ?? transfer.source?.open() {
      transfer.fail(.file, reason)
      return finish(transfer, CURLE_WRITE_ERROR)
    }
    guard let handle = makeHandle(for: transfer, remaining: remaining), handle.refused == CURLE_OK,
      curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
    else {
      transfer.fail(.other, "libcurl does not take the request")
      return finish(transfer, CURLE_FAILED_INIT)
    }
    transfer.handle = handle
    running[handle.pointer] = transfer
  }

  private func makeHandle(for transfer: Transfer, remaining: Duration) -> CurlHandle? {
    let kind = ConnectionPool.Kind(transfer.request)
    guard let handle = CurlHandle(), let pool = pools[kind] ?? ConnectionPool() else { return nil }
    pools[kind] = pool
    let proxy = options.proxies.proxy(for: transfer.target)
    transfer.addresses = addresses(for: transfer, usesProxy: proxy != nil)
    pool.attach(to: handle)
    transfer.attachCallbacks(to: handle)
    handle.apply(options, userAgent: userAgent)
    handle.apply(transfer.target, proxy: proxy)
    handle.apply(transfer.request, remaining: remaining)
    if let source = transfer.source { handle.setUpload(of: source.count) }
    return handle
  }

  private func addresses(for transfer: Transfer, usesProxy: Bool) -> AddressPolicy {
    if transfer.target.isPlain { return .loopbackOnly }
    if usesProxy || transfer.request.reach == .any { return .any }
    return options.allowsLoopback ? .publicOrLoopback : .publicOnly
  }

  /// Takes what libcurl is done with.
  ///
  /// - Returns: whether there was anything, so that others may have their turn.
  func finishEnded() -> Bool {
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

  /// A hop has ended: with an answer, on its way to the next hop, or not at all.
  private func finish(_ transfer: Transfer, _ code: CURLcode) {
    if let failure = transfer.failure { return end(transfer, .failure(failure)) }
    guard code == CURLE_OK else {
      return end(transfer, .failure(HTTPError(code, of: transfer)))
    }
    guard transfer.followsRedirect, let location = transfer.head.headers["Location"] else {
      if let reason = transfer.body.close() {
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

  /// Lines a transfer up for its next hop.
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
    transfer.head = AnswerHead()
    transfer.bodyBytes = 0
    transfer.refusal = nil
    queue.enqueue(transfer.job.id, host: next.hostAndPort)
  }

  /// Ends a transfer for good, wherever it stands.
  func end(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPError>) {
    release(transfer)
    transfer.body.close()
    transfer.source?.close()
    transfers[transfer.job.id] = nil
    transfer.job.finish(result)
  }

  /// Gives back a transfer's handle and its place among the running ones; one that waits leaves the queue.
  private func release(_ transfer: Transfer) {
    if let handle = transfer.handle {
      curl_multi_remove_handle(multi, handle.pointer)
      running[handle.pointer] = nil
      transfer.handle = nil
    }
    if transfer.hasTurn {
      transfer.hasTurn = false
      queue.finished(host: transfer.target.hostAndPort)
    } else {
      queue.withdraw(transfer.job.id)
    }
  }
}
