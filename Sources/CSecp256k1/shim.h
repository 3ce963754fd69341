// The only header through which Swift uses libsecp256k1 (https://github.com/bitcoin-core/secp256k1, 0.2 and later).
#include <stdbool.h>
#include <stdint.h>

#include <secp256k1.h>
#include <secp256k1_extrakeys.h>
#include <secp256k1_schnorrsig.h>

// Whether a signature of 64 bytes is that of a key on a message of 32 bytes (BIP-340). The key is its x coordinate, 32 bytes.
//
// The library's static context suffices to verify signatures. It is constant, so that threads can share it.
static inline bool csecp256k1_is_signature(const uint8_t *signature, const uint8_t *message, const uint8_t *key) {
  secp256k1_xonly_pubkey point;
  return secp256k1_xonly_pubkey_parse(secp256k1_context_static, &point, key) &&
         secp256k1_schnorrsig_verify(secp256k1_context_static, signature, message, 32, &point);
}
