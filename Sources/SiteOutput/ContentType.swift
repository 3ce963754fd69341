import Basics

/// Returns the media type of a file from its extension, as hosts of static sites do. The site forbids browsers to guess types (`nosniff`).
package enum ContentType {
  private static let types: [String: String] = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "vtt": "text/vtt; charset=utf-8", "xml": "application/xml",
    "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "ico": "image/x-icon", "mp4": "video/mp4", "webm": "video/webm",
    "mp3": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
    "flac": "audio/flac", "m4a": "audio/mp4", "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf",
    "otf": "font/otf", "pdf": "application/pdf", "epub": "application/epub+zip",
  ]

  package static func of(_ name: some StringProtocol) -> String {
    let name = Substring(name)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "application/octet-stream" }
    return types[name[name.utf8.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }

  package static func isPage(_ name: String) -> Bool { name.hasByteSuffix(".html") }
}
