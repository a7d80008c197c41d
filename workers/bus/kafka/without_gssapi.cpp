// The archive of librdkafka refers to Cyrus SASL, of which it needs only logins by GSSAPI (Kerberos). Those load
// libraries that hosts need not have, so that a static program does without: whoever asks for one is told so.
#include <cstddef>

extern "C" {

constexpr int kSaslOk = 0;
constexpr int kSaslNoMechanism = -4;

int sasl_client_init(const void*) {
  return kSaslOk;
}
int sasl_client_new(const char*, const char*, const char*, const char*, const void*, unsigned, void**) {
  return kSaslNoMechanism;
}
int sasl_client_start(void*, const char*, void**, const char**, unsigned*, const char**) {
  return kSaslNoMechanism;
}
int sasl_client_step(void*, const char*, unsigned, void**, const char**, unsigned*) {
  return kSaslNoMechanism;
}
int sasl_getprop(void*, int, const void**) {
  return kSaslNoMechanism;
}
int sasl_listmech(void*, const char*, const char*, const char*, const char*, const char**, unsigned*, int*) {
  return kSaslNoMechanism;
}
void sasl_dispose(void**) {}
const char* sasl_errdetail(void*) {
  return "these programs know no login by GSSAPI";
}
const char* sasl_errstring(int, const char*, const char**) {
  return "these programs know no login by GSSAPI";
}
}
