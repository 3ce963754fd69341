import Basics

/// A rendered thread in a shard's file.
struct ShardedThread: Sendable {
  /// The SHA-256 digest of the thread's file in the store.
  let source: [UInt8]
  /// `ScaledImages.digest(ofPhotosIn:)`; `nil` for a site without copies of photos.
  let photos: [UInt8]?
  let thread: RenderedThread
}

extension ShardedThread: Record {
  static let fields = RecordFields(Self.init, \.source, \.photos, \.thread)
}
