#include "tests/helpers/certificates.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tests/helpers/process.h"

namespace n2nq::test {

Certificates::Certificates() {
  output_of(
      {"/bin/sh", "-c",
       "cd \"$1\" && new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes' && exec 2>openssl.log && "
       "for ca in ca stranger; do openssl req -x509 $new -keyout $ca.key -out $ca.pem -subj /CN=$ca -days 2; done && "
       "openssl req $new -keyout server.key -out server.csr -subj /CN=server && "
       "echo subjectAltName=DNS:localhost >names && sign='openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key "
       "-CAcreateserial -extfile names' && $sign -days 2 -out server.pem && $sign -days -1 -out expired.pem && "
       "echo subjectAltName=IP:127.0.0.1 >names && $sign -days 2 -out address.pem && "
       "openssl req -x509 -key server.key -out common.pem -subj /CN=localhost -days 2 && "
       "cat server.key server.pem >both.pem",
       "sh", dir_.path().string()});
  if (content_of(both()).empty()) throw std::runtime_error(content_of(file("openssl.log")));
}

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace n2nq::test
