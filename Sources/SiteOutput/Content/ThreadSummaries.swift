package import Basics
import ThreadModel

/// Summaries of threads. Sorting and merging move indices, because a summary has about 500 bytes.
package struct ThreadSummaries: RandomAccessCollection, Sendable {
  @usableFromInline package private(set) var chunks = Chunks<ThreadSummary>()
  /// The indices in `chunks`, in the order of the collection.
  @usableFromInline package private(set) var order: [UInt32] = []

  package init() {}

  package init(_ summaries: some Sequence<ThreadSummary>) {
    if let known = summaries as? ThreadSummaries {
      self = known
    } else {
      for summary in summaries { append(summary) }
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { order.count }

  @inlinable package subscript(position: Int) -> ThreadSummary {
    _read {
      let index = order[position]
      // Not by the subscript of `chunks`: the compiler does not specialize it in other modules, so that it copies the summary.
      let (chunk, place) = Chunks<ThreadSummary>.place(of: index)
      yield chunks.chunks[chunk][place]
    }
  }

  package mutating func append(_ summary: ThreadSummary) { order.append(chunks.append(summary)) }

  package mutating func append(_ other: ThreadSummaries) {
    let shift = chunks.append(other.chunks)
    order += other.order.lazy.map { $0 + shift }
  }

  /// The same summaries, sorted by `ThreadSummary.isNewer`.
  var newestFirst: ThreadSummaries {
    // Most comparisons need only the times.
    var keys = order.map { (time: chunks[$0].published?.milliseconds ?? .min, index: $0) }
    keys.sort { left, right in
      guard left.time == right.time else { return left.time > right.time }
      return ThreadSummary.isNewer(chunks[left.index], chunks[right.index])
    }
    var sorted = self
    sorted.order = keys.map(\.index)
    return sorted
  }
}
