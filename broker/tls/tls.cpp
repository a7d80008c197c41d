#include "broker/tls/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "broker/base/assert.h"
#include "broker/base/plain_file.h"

namespace n2nq::tls {
namespace {

struct KeyFree {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct CertificateFree {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyFree>;
using Certificate = std::unique_ptr<X509, CertificateFree>;

// A record of the largest size and its neighbours in one read.
constexpr size_t kTlsReadBytes = 64 * 1024;

void init_library() {
  // No configuration file of the host, and no module that one may name: what is in the program is what runs.
  static const int once = OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  N2NQ_ASSERT(once == 1);
}

SslContext new_context(const SSL_METHOD* method) {
  init_library();
  SslContext context(SSL_CTX_new(method));
  N2NQ_ASSERT(context);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION);
  SSL_CTX_set_max_proto_version(context.get(), TLS1_3_VERSION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_read_ahead(context.get(), 1);
  SSL_CTX_set_default_read_buffer_len(context.get(), kTlsReadBytes);
  // Each connection is a handshake of its own, so that all cost the same.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  return context;
}

// Nobody is there to be asked.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &length) != 1) return {};
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; i++) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

Certificate certificate_for(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  std::array<unsigned char, 16> serial{};
  if (!certificate || RAND_bytes(serial.data(), serial.size()) != 1) return nullptr;
  serial[0] &= 0x7f;
  BIGNUM* number = BN_bin2bn(serial.data(), serial.size(), nullptr);
  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.get()));
  BN_free(number);
  X509_set_version(certificate.get(), X509_VERSION_3);
  // Valid from a day ago, as clocks of hosts differ, for as long as any run may take.
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -24L * 3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 365L * 24 * 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("N2NQ run"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  if (X509_sign(certificate.get(), key, EVP_sha256()) == 0) return nullptr;
  return certificate;
}

// A certificate that was made for the run is known by its fingerprint, and signed by nobody else.
int judge_certificate(X509_STORE_CTX* store, void*) {
  const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  const auto* pinned = static_cast<const std::string*>(SSL_get_app_data(ssl));
  if (pinned == nullptr || pinned->empty()) return X509_verify_cert(store);
  const X509* certificate = X509_STORE_CTX_get0_cert(store);
  if (certificate != nullptr && fingerprint_of(certificate) == *pinned) return 1;
  X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
  return 0;
}

// The program is static and goes to any host, so that the places which its OpenSSL was built with do not suffice.
Result<void> trust_as_host(SSL_CTX* context, const TrustPlaces& places) {
  if (trust_of_environment() != nullptr) {
    SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  std::error_code none;
  const bool folder = !places.folder.empty() &&
                      std::filesystem::directory_iterator(places.folder, none) != std::filesystem::directory_iterator();
  if (folder) SSL_CTX_load_verify_dir(context, places.folder.c_str());
  const bool file = std::ranges::any_of(places.files, [context](const std::string& each) {
    return SSL_CTX_load_verify_file(context, each.c_str()) == 1;
  });
  ERR_clear_error();
  if (folder || file) return {};
  std::string looked = places.folder;
  for (const std::string& each : places.files) looked += ", " + each;
  return fail("this host trusts nobody: there are no certificates in " + looked +
              "; install its package ca-certificates, or give bus.tls_ca");
}

bool is_ip(const std::string& host) {
  std::array<unsigned char, 16> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

}  // namespace

Fault last_fault() {
  constexpr int kAlerts = 256;
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* words = code == 0 ? nullptr : ERR_reason_error_string(code);
  Fault fault{.text = words == nullptr ? "no reason given" : words};
  if (ERR_GET_LIB(code) != ERR_LIB_SSL) return fault;
  const int reason = ERR_GET_REASON(code);
  if (reason >= SSL_AD_REASON_OFFSET && reason < SSL_AD_REASON_OFFSET + kAlerts)
    fault.alert = reason - SSL_AD_REASON_OFFSET;
  fault.not_tls = reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
                  reason == SSL_R_HTTPS_PROXY_REQUEST || reason == SSL_R_PACKET_LENGTH_TOO_LONG;
  return fault;
}

std::string last_error() {
  return last_fault().text;
}

Result<Server> Server::made_for_run() {
  Server server;
  server.context_ = new_context(TLS_server_method());
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = key ? certificate_for(key.get()) : nullptr;
  if (!certificate || SSL_CTX_use_certificate(server.context_.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(server.context_.get(), key.get()) != 1)
    return fail("cannot make a certificate for the run: " + last_error());
  server.fingerprint_ = fingerprint_of(certificate.get());
  return server;
}

Result<Server> Server::given(const std::string& certificate_file, const std::string& key_file) {
  Server server;
  server.context_ = new_context(TLS_server_method());
  SSL_CTX* context = server.context_.get();
  SSL_CTX_set_default_passwd_cb(context, no_passphrase);
  for (const std::string* file : {&certificate_file, &key_file})
    if (const auto plain = open_plain_file(*file); !plain && plain.error().error_number == 0)
      return fail(*file + ": " + plain.error().text);
  if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1)
    return fail("cannot use the certificate " + certificate_file + ": " + last_error() +
                "; bus.tls_certificate must be a PEM file on this host");
  if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context) != 1)
    return fail("cannot use the private key " + key_file + ": " + last_error() +
                "; bus.tls_key must be the PEM file of the key of " + certificate_file + ", without a passphrase");
  return server;
}

SslPtr Server::open() const {
  SslPtr ssl(SSL_new(context_.get()));
  N2NQ_ASSERT(ssl);
  SSL_set_accept_state(ssl.get());
  return ssl;
}

Client Client::for_run() {
  Client client;
  client.context_ = new_context(TLS_client_method());
  SSL_CTX_set_verify(client.context_.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(client.context_.get(), judge_certificate, nullptr);
  return client;
}

const char* trust_of_environment() {
  const char* file = std::getenv(::X509_get_default_cert_file_env());
  return file != nullptr ? file : std::getenv(::X509_get_default_cert_dir_env());
}

TrustPlaces usual_trust_places() {
  return {.files = {"/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Alpine
                    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, Red Hat
                    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // the same, newer
                    "/etc/ssl/ca-bundle.pem",                             // openSUSE
                    "/etc/ssl/cert.pem"},                                 // Alpine, others
          .folder = ::X509_get_default_cert_dir()};
}

Result<Client> Client::for_given(const std::string& authorities, const TrustPlaces& places) {
  Client client = for_run();
  SSL_CTX* context = client.context_.get();
  if (authorities.empty()) {
    if (auto trusts = trust_as_host(context, places); !trusts) return std::unexpected(trusts.error());
    return client;
  }
  // Whoever is given is trusted, whether somebody else has signed its certificate or not.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(
      BIO_new_mem_buf(authorities.data(), static_cast<int>(authorities.size())), BIO_free);
  size_t taken = 0;
  while (const Certificate certificate{PEM_read_bio_X509(text.get(), nullptr, no_passphrase, nullptr)}) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1) break;
    taken++;
  }
  // It has read all once no further one begins.
  if (taken == 0 || ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
    return fail("bus.tls_ca: a certificate in it is damaged (" + last_error() + "); give PEM, as openssl writes it");
  ERR_clear_error();
  return client;
}

Result<Client> Client::for_server(const std::string& authorities) {
  auto client = for_given(authorities);
  if (!client) return client;
  SSL_CTX_set_min_proto_version(client->context_.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(client->context_.get(), SSL_OP_NO_RENEGOTIATION);
  return client;
}

SslPtr Client::open(const std::string& host, const std::string& fingerprint) const {
  SslPtr ssl(SSL_new(context_.get()));
  N2NQ_ASSERT(ssl);
  SSL_set_connect_state(ssl.get());
  SSL_set_app_data(ssl.get(), const_cast<std::string*>(&fingerprint));
  if (is_ip(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), host.c_str());
  } else {
    SSL_set_hostflags(ssl.get(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    SSL_set1_host(ssl.get(), host.c_str());
    SSL_set_tlsext_host_name(ssl.get(), host.c_str());
  }
  return ssl;
}

}  // namespace n2nq::tls
