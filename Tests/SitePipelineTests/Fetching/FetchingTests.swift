import Testing

/// The program with a stand-in for X, one test after the other: each starts processes of its own, and many at once would wait for
/// each other until they time out.
@Suite("Fetching from X", .serialized)
enum FetchingTests {}
