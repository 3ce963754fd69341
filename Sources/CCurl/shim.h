// The one header through which Swift sees libcurl (https://curl.se/libcurl/c/, 7.85 and later).
#include <curl/curl.h>
