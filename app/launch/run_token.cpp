#include "app/launch/run_token.h"

#include <cstdlib>

#include "broker/base/plain_file.h"
#include "broker/control/token.h"

namespace n2nq::launch {

std::string random_token() {
  unsigned char bytes[24];
  ::arc4random_buf(bytes, sizeof bytes);
  std::string token;
  for (const unsigned char byte : bytes) {
    token.push_back("0123456789abcdef"[byte >> 4]);
    token.push_back("0123456789abcdef"[byte & 15]);
  }
  return token;
}

Result<std::string> token_from_file(const std::string& path) {
  if (const auto plain = open_plain_file(path); !plain && plain.error().error_number == 0)
    return fail("the token file: " + path + ": " + plain.error().text);
  const auto token = control::Token::read_file(path);
  if (!token) return fail("the token file: " + token.error().text);
  return token->reveal();
}

Result<std::string> password_from_file(const std::string& path) {
  auto password = control::read_password_file(path);
  if (!password) return fail("bus.password_file: " + password.error().text);
  return password;
}

Result<void> check_typed_password(const std::string& typed) {
  if (const auto good = control::check_password(typed); !good)
    return fail("bus.password_file: what was given when the run started cannot be it: " + good.error().text);
  return {};
}

Result<std::string> certificates_from_file(const std::string& path) {
  auto certificates = control::read_certificates_file(path);
  if (!certificates) return fail("bus.tls_ca: " + certificates.error().text);
  return certificates;
}

}  // namespace n2nq::launch
