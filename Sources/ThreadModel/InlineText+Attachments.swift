extension InlineText {
  /// The text without the links at its end that lead to what is attached to the post, and without the white space before them.
  ///
  /// - Parameter isAttachment: whether an address is that of an attachment.
  func withoutLastLinks(where isAttachment: (String) -> Bool) -> InlineText {
    guard case .link(let url, _)? = entities.last?.kind, isAttachment(url) else { return self }
    var scalars = Array(text.unicodeScalars)
    var kept = entities
    while let last = kept.last, case .link(let url, _) = last.kind, isAttachment(url),
      scalars[last.range.upperBound...].allSatisfy(\.properties.isWhitespace)
    {
      kept.removeLast()
      scalars.removeSubrange(last.range.lowerBound...)
      let floor = kept.last?.range.upperBound ?? 0
      while scalars.count > floor, scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: scalars)
    return InlineText(String(rest), entities: kept)
  }
}

extension Post.Facts {
  /// A text of the post without the addresses of the quoted post and of the post's own media at its end.
  ///
  /// A sighting that does not say what a post quotes, or what media it has, shows the network's addresses of these in the
  /// text; where another sighting says it, they would be shown twice.
  func withoutAttachments(_ text: InlineText) -> InlineText {
    guard quotes != nil || !media.isEmpty, !text.entities.isEmpty else { return text }
    let own = media.isEmpty ? [] : [id.value] + earlierVersions.map(\.value)
    return text.withoutLastLinks { url in
      let parts = url.split(separator: "/").map { $0.prefix { $0 != "?" && $0 != "#" } }
      guard parts.count > 2, let last = parts.last else { return false }
      if let quotes, last == quotes.value { return true }
      // `…/status/<id>/photo/1`
      let kind = parts[parts.count - 2]
      return (kind == "photo" || kind == "video") && own.contains { parts[parts.count - 3] == $0 }
    }
  }
}
