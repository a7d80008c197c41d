// TLS: what servers and clients of a bus need of OpenSSL, and certificates made for one run. A certificate made for
// the run is trusted by its fingerprint alone, which the bench passes on; one that was given, by whoever signed it.
// Thread: the loop's.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::tls {

struct SslFree {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using SslPtr = std::unique_ptr<SSL, SslFree>;
using SslContext = std::unique_ptr<SSL_CTX, SslFree>;

class Server {
 public:
  static Result<Server> made_for_run();
  // PEM files; the certificate may be followed by those that lead to its authority.
  static Result<Server> given(const std::string& certificate_file, const std::string& key_file);

  SslPtr open() const;
  // Of the certificate, 64 lower-case hexadecimal digits; empty if it was given.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  SslContext context_;
  std::string fingerprint_;
};

// Where a host keeps whom it trusts: the first of these files that is there, and a folder.
struct TrustPlaces {
  std::vector<std::string> files;
  std::string folder;
};
// Where distributions have them.
TrustPlaces usual_trust_places();
// What is named in their place by SSL_CERT_FILE, or else SSL_CERT_DIR; null: nothing.
const char* trust_of_environment();

class Client {
 public:
  // Knows certificates by their fingerprints alone.
  static Client for_run();
  // `authorities`: who must have signed certificates, as control::certificates_in() takes them out of a text; what it
  // cannot see, whether they are well inside, is said here. Empty: whoever this host trusts.
  static Result<Client> for_given(const std::string& authorities, const TrustPlaces& places = usual_trust_places());
  // The same at servers that are not ours, which may have TLS 1.2 yet.
  static Result<Client> for_server(const std::string& authorities);

  // `fingerprint`: the only certificate that will do; empty: one that the authority signed for `host`. It must outlive
  // the connection.
  SslPtr open(const std::string& host, const std::string& fingerprint) const;

 private:
  SslContext context_;
};

// Whom a client has at the other end of its connections.
struct Trust {
  Client client;
  std::string host;         // as the user has it
  std::string certificate;  // fingerprint of the only one that will do; empty: one that is signed for `host`
  SslPtr open() const { return client.open(host, certificate); }
};

// What OpenSSL says went wrong last.
struct Fault {
  std::string text;      // for people
  int alert = 0;         // by which the other side said so; 0: none
  bool not_tls = false;  // what came is something else
};
Fault last_fault();
// The same, for people.
std::string last_error();

}  // namespace n2nq::tls
