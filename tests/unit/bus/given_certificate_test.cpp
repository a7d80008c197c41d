// Certificates that are given as files: signed for the right host by the right authority, or refused.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tests/helpers/certificates.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;

template <class T, void (*free)(T*)>
struct Free {
  void operator()(T* one) const { free(one); }
};
using OwnKey = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY, EVP_PKEY_free>>;
using OwnCertificate = std::unique_ptr<X509, Free<X509, X509_free>>;

void add_extension(X509* certificate, int kind, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

struct Signed {
  OwnKey key{EVP_EC_gen("P-256")};
  OwnCertificate certificate{X509_new()};

  // `by`: null: itself, as an authority.
  Signed(const char* name, const char* subject_names, const Signed* by) {
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), by == nullptr ? 1 : 2);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), X509_get_subject_name((by == nullptr ? *this : *by).certificate.get()));
    if (by == nullptr)
      add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
    else
      add_extension(certificate.get(), NID_subject_alt_name, subject_names);
    X509_sign(certificate.get(), (by == nullptr ? *this : *by).key.get(), EVP_sha256());
  }
  void write(const std::string& certificate_file, const std::string& key_file) const {
    FILE* out = std::fopen(certificate_file.c_str(), "w");
    PEM_write_X509(out, certificate.get());
    std::fclose(out);
    out = std::fopen(key_file.c_str(), "w");
    PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(out);
  }
};

class GivenCertificate : public testing::Test {
 protected:
  // What becomes of a sender that trusts `ca`, where receivers show a certificate for `names` that `signer` signed.
  std::string outcome(const Signed& signer, const char* names, const Signed& ca) {
    const Signed own("receiver", names, &signer);
    own.write(file("cert.pem"), file("key.pem"));
    ca.write(file("ca.pem"), file("ca-key.pem"));
    BusRig rig({.kind = "websocket",
                .settings = {{"tls", "true"}, {"tls_certificate", file("cert.pem")}, {"tls_key", file("key.pem")}},
                .authorities = content_of(file("ca.pem"))});
    rig.receiver(1);
    EXPECT_EQ(rig.address(1).find('#'), std::string::npos);
    Service& sender = rig.sender(7, rig.peers());
    EXPECT_TRUE(rig.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }));
    const Heard heard = rig.heard(sender);
    return heard.ready ? "ready" : heard.lost.front().text;
  }
  std::string file(const std::string& name) const { return (dir_ / name).string(); }
  TempDir dir_;
  Signed authority_{"authority", "", nullptr};
};

TEST_F(GivenCertificate, IsTrustedIfTheAuthoritySignedItForTheHost) {
  EXPECT_EQ(outcome(authority_, "IP:127.0.0.1", authority_), "ready");
}

TEST_F(GivenCertificate, OfAnotherHostIsRefused) {
  EXPECT_THAT(outcome(authority_, "IP:127.0.0.2", authority_),
              HasSubstr("its certificate is not trusted: IP address mismatch"));
}

TEST_F(GivenCertificate, OfAnotherAuthorityIsRefused) {
  const Signed other("authority", "", nullptr);
  EXPECT_THAT(outcome(other, "IP:127.0.0.1", authority_), HasSubstr("its certificate is not trusted"));
}

TEST_F(GivenCertificate, WithTheKeyOfAnotherIsRefusedByTheReceiver) {
  Signed("a", "IP:127.0.0.1", &authority_).write(file("cert.pem"), file("unused.pem"));
  Signed("b", "IP:127.0.0.1", &authority_).write(file("unused.pem"), file("key.pem"));
  BusRig rig({.kind = "http",
              .settings = {{"tls", "true"}, {"tls_certificate", file("cert.pem")}, {"tls_key", file("key.pem")}}});
  Service& receiver = rig.receiver(1);
  const Heard heard = rig.heard(receiver);
  ASSERT_FALSE(heard.lost.empty());
  EXPECT_THAT(heard.lost.front().text, HasSubstr("cannot use the private key " + file("key.pem")));
}

TEST_F(GivenCertificate, WithAKeyThatNeedsAPassphraseIsRefusedByTheReceiver) {
  const Signed own("a", "IP:127.0.0.1", &authority_);
  own.write(file("cert.pem"), file("key.pem"));
  FILE* out = std::fopen(file("key.pem").c_str(), "w");
  const unsigned char phrase[] = "phrase";
  PEM_write_PrivateKey(out, own.key.get(), EVP_aes_128_cbc(), phrase, 6, nullptr, nullptr);
  std::fclose(out);
  BusRig rig({.kind = "http",
              .settings = {{"tls", "true"}, {"tls_certificate", file("cert.pem")}, {"tls_key", file("key.pem")}}});
  Service& receiver = rig.receiver(1);
  const Heard heard = rig.heard(receiver);
  ASSERT_FALSE(heard.lost.empty());
  EXPECT_THAT(heard.lost.front().text, HasSubstr("without a passphrase"));
}

// A sender that was given whom to trust does not trust whatever an address names.
TEST_F(GivenCertificate, IsNotReplacedByOneThatWasMadeForTheRun) {
  authority_.write(file("cert.pem"), file("key.pem"));
  BusRig made({.kind = "http", .settings = {{"tls", "true"}}});
  made.receiver(1);
  BusRig given({.kind = "http",
                .settings = {{"tls", "true"}, {"tls_certificate", file("cert.pem")}, {"tls_key", file("key.pem")}}});
  Service& sender = given.sender(7, made.peers());
  ASSERT_TRUE(given.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }));
  const Heard heard = given.heard(sender);
  ASSERT_FALSE(heard.ready);
  EXPECT_THAT(heard.lost.front().text, HasSubstr("give senders and receivers the same --bus-set"));
}

}  // namespace
}  // namespace n2nq::bus::test
