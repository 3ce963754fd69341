import Testing

/// The program with a network stub. Each test has a server and starts processes, so only a few run at once.
@Suite("Fetching from X", .fewAtOnce)
enum FetchingTests {}
