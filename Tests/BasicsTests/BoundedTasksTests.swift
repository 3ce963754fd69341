import Basics
import Synchronization
import Testing

@Suite struct BoundedTasksTests {
  @Test(arguments: [1, 2, 3, 7])
  func runsAtMostTheLimitAtTheSameTime(limit: Int) async {
    let counts = Mutex((running: 0, most: 0))
    var results: [Int] = []
    await BoundedTasks.run(0..<20, atMost: limit) { number in
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      await Task.yield()
      counts.withLock { $0.running -= 1 }
      return number
    } done: { number in
      results.append(number)
      return true
    }
    #expect(results.sorted() == Array(0..<20))
    #expect(counts.withLock(\.most) <= limit)
  }

  @Test func startsNothingAfterAResultThatEndsTheRun() async {
    let started = Mutex<[Int]>([])
    await BoundedTasks.run(0..<100, atMost: 1) { number in
      started.withLock { $0.append(number) }
      return number
    } done: {
      $0 < 4
    }
    #expect(started.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test func startsNothingAfterCancellation() async {
    let started = Mutex(0)
    let task = Task {
      await BoundedTasks.run(0..<100, atMost: 2) { _ in
        started.withLock { $0 += 1 }
        while !Task.isCancelled { await Task.yield() }
      }
    }
    while started.withLock({ $0 }) < 2 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(started.withLock { $0 } == 2)
  }
}
