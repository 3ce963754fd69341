// The only header through which Swift uses libxml2's HTML parser (https://gitlab.gnome.org/GNOME/libxml2, 2.9 and later).
#include <libxml/xmlversion.h>
// The system's ICU headers differ from those in Swift's Foundation. The functions used here do not need them.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>

// Creates a parser that keeps all white space. By default, libxml2 drops white space between elements that it considers ignorable.
static inline htmlParserCtxtPtr cxml2_new_html_parser(void) {
  htmlParserCtxtPtr parser = htmlNewParserCtxt();
  if (parser != NULL && parser->sax != NULL) parser->sax->ignorableWhitespace = parser->sax->characters;
  return parser;
}

// Parses UTF-8, whatever encoding the document declares. Nothing is loaded or printed.
static inline htmlDocPtr cxml2_read_html(htmlParserCtxtPtr parser, const char *bytes, int count) {
  return htmlCtxtReadMemory(
    parser, bytes, count, NULL, "UTF-8",
    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD);
}

// Whether the parser stopped before the end, as it does for elements nested more than 256 deep.
static inline int cxml2_was_stopped(htmlParserCtxtPtr parser) { return parser->disableSAX != 0; }

// Parses an XML document as UTF-8 or in its declared encoding. Nothing is loaded or printed, and no entity is replaced.
static inline xmlDocPtr cxml2_read_xml(xmlParserCtxtPtr parser, const char *bytes, int count) {
  return xmlCtxtReadMemory(
    parser, bytes, count, NULL, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
}

// Returns the line of the first error in a document; 0 if there are no errors.
static inline int cxml2_error_line(xmlParserCtxtPtr parser) { return parser->wellFormed ? 0 : parser->lastError.line; }

// Returns the message of the error, which ends with a line break; NULL if there is none.
static inline const char *cxml2_error_message(xmlParserCtxtPtr parser) { return parser->lastError.message; }

// xmlFree is a variable with a function pointer, which Swift treats as shared mutable state.
static inline void cxml2_free(xmlChar *text) { xmlFree(text); }
