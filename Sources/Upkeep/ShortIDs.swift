import Basics

/// Short names of threads for the command line: a few letters, like the abbreviated hashes of git.
///
/// They consist of letters only, so that they are never confused with the ids of posts. A longer id of the same thread begins with the
/// shorter one, so an id from an earlier list stays valid while the store grows, unless two threads then begin with the same letters.
package struct ShortIDs: Sendable {
  /// Without vowels, so that no id is a word.
  private static let letters = Array("bcdfghjklmnpqrstvwxz".utf8)
  /// 14 letters distinguish more than 64 bits.
  private static let longest = 14
  private static let shortest = 4

  /// The number of letters that distinguish all threads.
  private let length: Int

  /// - Parameter stems: the files of all threads of the store, without their extension: `x/ada/1`.
  package init(of stems: some Collection<String>) {
    let sorted = stems.map(Self.whole).sorted()
    var common = 0
    for (one, other) in zip(sorted, sorted.dropFirst()) {
      common = max(common, zip(one.utf8, other.utf8).prefix { $0 == $1 }.count)
    }
    length = min(max(Self.shortest, common + 1), Self.longest)
  }

  /// Returns the id of a thread.
  package func id(of stem: String) -> String { String(Self.whole(stem).prefix(length)) }

  /// Returns whether a name has the form of a short id.
  package static func isPossible(_ name: String) -> Bool {
    (shortest...longest).contains(name.utf8.count) && name.utf8.allSatisfy(letters.contains)
  }

  /// Finds the threads of short ids. The ids of all threads are made once.
  struct Search {
    /// The longest ids, sorted, with the positions of their threads.
    private let ids: [(id: String, position: Int)]

    /// - Parameter stems: the files of all threads, without their extension.
    init(_ stems: [String]) {
      ids = stems.enumerated().map { (id: ShortIDs.whole($1), position: $0) }.sorted { $0.id < $1.id }
    }

    /// Returns the positions of the threads that a name may mean, ascending.
    func positions(of name: String) -> [Int] {
      var (low, high) = (0, ids.count)
      while low < high {
        let middle = (low + high) / 2
        if ids[middle].id < name { low = middle + 1 } else { high = middle }
      }
      return ids[low...].prefix { $0.id.hasBytePrefix(name) }.map(\.position).sorted()
    }
  }

  fileprivate static func whole(_ stem: String) -> String {
    var value = ContentHash.value(stem.utf8)
    var id: [UInt8] = []
    for _ in 0..<longest {
      id.append(letters[Int(value % UInt64(letters.count))])
      value /= UInt64(letters.count)
    }
    return String(decoding: id, as: UTF8.self)
  }
}
