/// The style sheet of books and of single HTML files. The reader's fonts, colors and margins are kept. The style sheet only adds rules that
/// separate the parts of a thread.
enum BookStyle {
  static let sheet: StaticString = """
    html { line-height: 1.5; }
    h1, h2, h3 { line-height: 1.25; text-align: start; break-after: avoid; }
    h1 { font-size: 1.5em; margin: 0 0 0.4em; }
    h2 { font-size: 1.2em; margin: 1.4em 0 0.4em; }
    p, blockquote, figure { margin: 0.6em 0; }
    .post-text p { white-space: pre-wrap; overflow-wrap: break-word; }
    .post-text > p:first-child { margin-top: 0; }
    .thread-header { margin-bottom: 1.5em; }
    .thread-header p, .title-page p, .permalink, .note, .gap, .poll p, .card em { font-size: 0.85em; }
    .post { margin: 1.2em 0; }
    .permalink { text-align: end; opacity: 0.75; break-before: avoid; }
    .permalink p { margin: 0.2em 0; }
    .byline { font-size: 0.85em; }
    img { max-width: 100%; height: auto; max-height: 90vh; object-fit: contain; }
    .images figure, .video { break-inside: avoid; text-align: center; }
    .thread-header p > img, .byline img, blockquote > p > img { width: 1.5em; height: 1.5em; vertical-align: middle; border-radius: 50%; }
    img.emoji { width: 1.2em; height: 1.2em; vertical-align: -0.2em; border-radius: 0; }
    .embed > blockquote, .context > blockquote { margin: 0.8em 0; padding: 0.1em 0.8em; border-inline-start: 2px solid; }
    .card { margin: 0.8em 0; padding: 0.1em 0.8em; border: 1px solid; break-inside: avoid; }
    .card img { display: block; margin: 0.4em auto; }
    .poll { break-inside: avoid; }
    .poll ul { list-style: none; margin: 0; padding: 0; }
    .poll li { margin: 0.5em 0; }
    .poll .winner { font-weight: bold; }
    meter { display: block; width: 100%; height: 0.6em; }
    .pause { margin: 1em 0; text-align: center; }
    .gap, .note { margin: 1em 0; padding: 0.3em 0.8em; border: 1px dashed; }
    .branch, .answers, .replies { margin: 1.5em 0; padding-inline-start: 0.8em; border-inline-start: 1px solid; }
    .reply .reply { margin-inline-start: 1em; }
    .title-page { margin: 20% 0 0; text-align: center; }
    .title-page h1 { font-size: 2em; text-align: center; }
    .title-page .authors { font-size: 1.1em; }
    .introduction { margin: 2em 0; text-align: start; }
    nav ol { list-style: none; padding-inline-start: 1.2em; }
    nav > ol { padding: 0; }
    nav li { margin: 0.3em 0; }

    """
}
