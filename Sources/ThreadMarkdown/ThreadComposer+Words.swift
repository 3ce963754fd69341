import Templates
import ThreadModel
import UTF8Text

extension ThreadComposer {
  /// Words of the site's owner; nothing for none. They are Markdown of somebody who may say anything here, and stay as they are.
  mutating func ownersWords(_ name: ComponentName, _ text: String?) throws(ThreadMarkdownError) {
    guard let text else { return }
    try append(name, ["content": .markup(UTF8Buffer(text))])
  }
}
