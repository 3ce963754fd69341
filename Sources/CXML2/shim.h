// The one header through which Swift sees libxml2's HTML parser (https://gitlab.gnome.org/GNOME/libxml2, 2.9 and later).
#include <libxml/xmlversion.h>
// ICU's headers of the system are others than those within Swift's Foundation; nothing that is used here needs them.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>

// A parser that keeps every blank: by itself libxml2 drops white space between elements where it thinks that no document needs it.
static inline htmlParserCtxtPtr cxml2_new_html_parser(void) {
  htmlParserCtxtPtr parser = htmlNewParserCtxt();
  if (parser != NULL && parser->sax != NULL) parser->sax->ignorableWhitespace = parser->sax->characters;
  return parser;
}

// UTF-8 in, whatever the document says of itself; nothing is loaded, nothing is printed.
static inline htmlDocPtr cxml2_read_html(htmlParserCtxtPtr parser, const char *bytes, int count) {
  return htmlCtxtReadMemory(
    parser, bytes, count, NULL, "UTF-8",
    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD);
}

// Whether the parser gave up before the end, as it does for elements nested more than 256 deep.
static inline int cxml2_was_stopped(htmlParserCtxtPtr parser) { return parser->disableSAX != 0; }

// An XML document as UTF-8 or as it says; nothing is loaded, no entity is replaced, nothing is printed.
static inline xmlDocPtr cxml2_read_xml(xmlParserCtxtPtr parser, const char *bytes, int count) {
  return xmlCtxtReadMemory(
    parser, bytes, count, NULL, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
}

// The line of the first thing that is wrong with a document; 0 where nothing is.
static inline int cxml2_error_line(xmlParserCtxtPtr parser) { return parser->wellFormed ? 0 : parser->lastError.line; }

// What it is, ended by a line break; NULL where nobody says.
static inline const char *cxml2_error_message(xmlParserCtxtPtr parser) { return parser->lastError.message; }

// xmlFree is a variable that holds a function, which Swift takes for shared state.
static inline void cxml2_free(xmlChar *text) { xmlFree(text); }
