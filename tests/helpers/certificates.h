// Certificates that a test makes, in a folder that goes with them: of an authority, and of servers whom it signed. One
// thread.
#pragma once

#include <string>

#include "tests/helpers/temp_dir.h"

namespace n2nq::test {

class Certificates {
 public:
  Certificates();

  // Files, all of them PEM.
  std::string authority() const { return file("ca.pem"); }
  std::string stranger() const { return file("stranger.pem"); }   // another authority
  std::string server() const { return file("server.pem"); }       // for localhost, by name alone
  std::string by_address() const { return file("address.pem"); }  // for 127.0.0.1
  std::string common() const { return file("common.pem"); }       // of its own, for localhost by its common name alone
  std::string expired() const { return file("expired.pem"); }     // the same, of yesterday
  std::string key() const { return file("server.key"); }          // of all of them
  std::string both() const { return file("both.pem"); }           // key and certificate

 private:
  std::string file(const std::string& name) const { return (dir_ / name).string(); }

  TempDir dir_;
};

// What is in a file.
std::string content_of(const std::string& file);

}  // namespace n2nq::test
