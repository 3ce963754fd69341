/// Runs asynchronous work on many items, a few at a time.
package enum BoundedTasks {
  /// Calls `work` with every item. An item is started when an earlier one has ended. After the task is canceled, no further items are
  /// started.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of items at the same time.
  ///   - done: called with each result, one after another, in the order in which the items end; returns whether further items are started.
  package static func run<Item: Sendable, Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ items: some Sequence<Item>, atMost limit: Int, _ work: @escaping @Sendable (Item) async -> Value,
    done: (Value) -> Bool
  ) async {
    await withTaskGroup(of: Value.self) { group in
      var rest = items.makeIterator()
      var isOpen = true
      for _ in 0..<max(1, limit) {
        guard let item = rest.next() else { break }
        group.addTask { await work(item) }
      }
      while let value = await group.next() {
        isOpen = done(value) && isOpen
        guard isOpen, !Task.isCancelled, let item = rest.next() else { continue }
        group.addTask { await work(item) }
      }
    }
  }

  /// Calls `work` with every item, as ``run(isolation:_:atMost:_:done:)`` does.
  package static func run<Item: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ items: some Sequence<Item>, atMost limit: Int, _ work: @escaping @Sendable (Item) async -> Void
  ) async {
    await run(items, atMost: limit, work) { true }
  }
}
