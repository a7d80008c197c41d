#include "app/launch/run_token.h"

#include <sys/random.h>

#include "broker/base/assert.h"
#include "broker/control/token.h"

namespace n2nq::launch {

std::string random_token() {
  unsigned char bytes[24];
  N2NQ_ASSERT(::getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  std::string token;
  for (const unsigned char byte : bytes) {
    token.push_back("0123456789abcdef"[byte >> 4]);
    token.push_back("0123456789abcdef"[byte & 15]);
  }
  return token;
}

Result<std::string> token_from_file(const std::string& path) {
  const auto token = control::Token::read_file(path);
  if (!token) return fail("the token file: " + token.error().text);
  return token->reveal();
}

}  // namespace n2nq::launch
