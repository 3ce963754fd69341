import Testing

/// The program with a stand-in for a network: each test has a server and starts processes, so that few run at once.
@Suite("Fetching from X", .fewAtOnce)
enum FetchingTests {}
