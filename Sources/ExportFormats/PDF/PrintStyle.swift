/// The style sheet of printed books, in addition to ``BookStyle``: pages with running headers and numbers (CSS Paged Media and Generated
/// Content for Paged Media).
///
/// WeasyPrint 57, the version of Debian 12, does not know logical properties, so the sheet repeats those that matter as physical ones.
enum PrintStyle {
  static let sheet: StaticString = """
    @page {
      size: A5;
      margin: 19mm 17mm 21mm;
      @top-center { content: string(thread, first-except); font-size: 8pt; font-style: italic; }
      @bottom-center { content: counter(page); font-size: 8.5pt; }
    }
    @page :first { @top-center { content: none; } @bottom-center { content: none; } }
    @page contents { @top-center { content: none; } }
    html { font: 10pt/1.45 "Noto Serif", "Source Serif 4", "Libertinus Serif", "DejaVu Serif", "Noto Serif CJK JP", "Noto Sans CJK JP", "Noto Naskh Arabic", serif; }
    body { margin: 0; }
    a { color: inherit; text-decoration: none; }
    p { orphans: 2; widows: 2; }
    .title-page { margin: 0; padding-top: 45mm; break-after: page; }
    .title-page h1 { font-size: 22pt; font-weight: normal; }
    nav { page: contents; break-after: page; }
    nav h2 { margin: 0 0 1em; font-weight: normal; }
    nav ol { padding: 0; }
    nav a::after { content: leader(". ") target-counter(attr(href), page); }
    .thread { break-before: page; }
    .thread > nav { page: auto; break-after: auto; font-size: 0.9em; }
    .thread-header { padding-top: 14mm; margin-bottom: 7mm; }
    .title-page h1 { bookmark-level: none; }
    .thread-header h1, .thread-header h2 { string-set: thread content(); font-size: 17pt; font-weight: normal; text-align: left; bookmark-level: 1; overflow-wrap: anywhere; }
    [dir="rtl"] .thread-header h1, [dir="rtl"] .thread-header h2 { text-align: right; }
    .post-text h2, .post-text h3, .post-text h4 { bookmark-level: 2; font-size: 1.1em; margin: 1.2em 0 0.4em; }
    .post { margin: 0.7em 0; }
    .post-text p { text-align: justify; hyphens: auto; }
    .permalink { font-size: 0.85em; text-align: right; opacity: 0.7; margin: 0; }
    [dir="rtl"] .permalink { text-align: left; }
    figure, .video { break-inside: avoid; }
    figure img { max-height: 78mm; }
    .embed > blockquote, .context > blockquote { margin: 0.8em 0; padding: 0.1em 0.8em; border-left: 1.5pt solid #999; }
    .branch, .answers, .replies { padding-left: 0.8em; border-left: 0.75pt solid #999; }
    meter { display: none; }

    """
}
