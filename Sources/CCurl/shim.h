#ifndef THREADSITE_CCURL_SHIM_H
#define THREADSITE_CCURL_SHIM_H

// The only header through which Swift uses libcurl (https://curl.se/libcurl/c/, 7.85 and later).
//
// Swift cannot call variadic C functions, so there is one function below for each kind of argument. Callbacks and
// their data are set together, so that neither is set without the other.

// The macros that check types require constant options, but options are variables here.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#ifdef __APPLE__
#include <netinet/tcp.h>
#endif
#include <string.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/prctl.h>
#else
#include <pthread.h>
#endif

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the string.
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the bytes. CURLOPT_POSTFIELDSIZE_LARGE must be set first.
static inline CURLcode ccurl_set_post_bytes(CURL *handle, const void *bytes) {
  return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

// The list must outlive the transfer.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

// The buffer has CURL_ERROR_SIZE bytes and must outlive the handle.
static inline CURLcode ccurl_set_error_buffer(CURL *handle, char *buffer) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode ccurl_set_share(CURL *handle, CURLSH *share) {
  return curl_easy_setopt(handle, CURLOPT_SHARE, share);
}

static inline CURLcode ccurl_set_body_callback(CURL *handle, curl_write_callback callback, void *data) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, data);
}

// For a body that is read while it is sent, and that may have to be sent again.
static inline CURLcode ccurl_set_read_callback(CURL *handle, curl_read_callback read, curl_seek_callback seek, void *data) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, data);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_SEEKDATA, data);
}

static inline CURLcode ccurl_set_header_callback(CURL *handle, curl_write_callback callback, void *data) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, data);
}

static inline CURLcode ccurl_set_socket_callback(CURL *handle, curl_opensocket_callback callback, void *data) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, data);
}

// An abandoned transfer does not wait for the system's resolver (7.87 and later). The resolver's thread ends by itself.
static inline CURLcode ccurl_set_forgets_resolver(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_OK;
#endif
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode ccurl_share_data(CURLSH *share, curl_lock_data data) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

// Copies the 4 or 16 bytes of an address in network order, and returns their number; 0 for other families.
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
  // `addr` is declared as the short general type, but its memory contains the type of the address family.
  if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in four;
    memcpy(&four, &address->addr, sizeof four);
    memcpy(bytes, &four.sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 six;
    memcpy(&six, &address->addr, sizeof six);
    memcpy(bytes, &six.sin6_addr, 16);
    return 16;
  }
  return 0;
}

// Opens a socket like libcurl, but child programs do not inherit it.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
  curl_socket_t descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor != CURL_SOCKET_BAD) (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

// Returns the local port of a transfer's connection; 0 as long as there is no connection.
static inline long ccurl_connection_port(CURL *handle) {
  long port = 0;
  return curl_easy_getinfo(handle, CURLINFO_LOCAL_PORT, &port) == CURLE_OK ? port : 0;
}

// Returns the socket of a connection that was opened with CURLOPT_CONNECT_ONLY; CURL_SOCKET_BAD if it was closed.
static inline curl_socket_t ccurl_connected_socket(CURL *handle) {
  curl_socket_t descriptor = CURL_SOCKET_BAD;
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK ? descriptor : CURL_SOCKET_BAD;
}

// Returns the local port of a socket; 0 if it is not connected, -1 if the descriptor is not an open socket.
static inline long ccurl_socket_port(int descriptor) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return -1;
}

// Returns the number of bytes that a TCP connection has received so far, of any meaning; -1 if the system does not report it.
static inline long long ccurl_received_bytes(int descriptor) {
#if defined(__linux__)
  // `tcpi_bytes_received` of `struct tcp_info` in linux/tcp.h (4.1 and later), which cannot be included beside libc's own declaration. Its
  // offset is a part of the kernel's interface.
  enum { offset = 128, option = 11 /* TCP_INFO */ };
  unsigned char information[offset + sizeof(unsigned long long)];
  socklen_t length = sizeof information;
  if (getsockopt(descriptor, IPPROTO_TCP, option, information, &length) != 0 || length < sizeof information) return -1;
  unsigned long long received;
  memcpy(&received, information + offset, sizeof received);
  return (long long)received;
#elif defined(__APPLE__)
  struct tcp_connection_info information;
  socklen_t length = sizeof information;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_CONNECTION_INFO, &information, &length) != 0) return -1;
  return (long long)information.tcpi_rxbytes;
#else
  return -1;
#endif
}

// Sets the name of the current thread in debuggers.
static inline void ccurl_name_thread(const char *name) {
#ifdef __linux__
  (void)prctl(PR_SET_NAME, name, 0, 0, 0);
#else
  (void)pthread_setname_np(name);
#endif
}

#endif
