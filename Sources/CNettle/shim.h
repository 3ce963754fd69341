// The only header through which Swift uses Nettle (https://www.lysator.liu.se/~nisse/nettle/, 3.4 and later).
#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// Since version 4, these functions always write whole digests and have no length argument.
#if NETTLE_VERSION_MAJOR >= 4
#define CNETTLE_FINISH(function, context, size, digest) function(context, digest)
#else
#define CNETTLE_FINISH(function, context, size, digest) function(context, size, digest)
#endif

static inline void cnettle_md5_finish(struct md5_ctx *context, uint8_t *digest) {
  CNETTLE_FINISH(md5_digest, context, MD5_DIGEST_SIZE, digest);
}

static inline void cnettle_sha1_finish(struct sha1_ctx *context, uint8_t *digest) {
  CNETTLE_FINISH(sha1_digest, context, SHA1_DIGEST_SIZE, digest);
}

static inline void cnettle_sha256_finish(struct sha256_ctx *context, uint8_t *digest) {
  CNETTLE_FINISH(sha256_digest, context, SHA256_DIGEST_SIZE, digest);
}

static inline void cnettle_hmac_sha256_finish(struct hmac_sha256_ctx *context, uint8_t *digest) {
  CNETTLE_FINISH(hmac_sha256_digest, context, SHA256_DIGEST_SIZE, digest);
}
