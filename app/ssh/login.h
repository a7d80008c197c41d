// Getting in: agent, keys with and without passphrase, what the host asks, password. The session's thread.
#pragma once

#include <expected>

#include "app/hosts/host.h"
#include "app/remote/link_events.h"
#include "app/ssh/asker.h"
#include "app/ssh/handle.h"
#include "app/ssh/options.h"
#include "app/ssh/secrets.h"

namespace n2nq::ssh {

class Login {
 public:
  Login(ssh_session session, const hosts::Host& host, const Options& options, Asker& asker, Secrets& secrets);

  // "as lab, with the agent"; or why not.
  std::expected<std::string, remote::LinkFailure> run();

 private:
  enum class Way { in, more, no, broken };  // more: taken, and the host wants another proof
  Way by_keys();
  Way by_agent();
  Way by_key(const std::string& file, bool ask);
  Way by_prompts();
  Way by_password();
  Way judge(int result, const std::string& with);
  std::string secret(remote::LinkQuestion::Kind kind, const std::string& what, const std::string& text, bool hidden,
                     bool again, bool& given);
  remote::LinkFailure refused() const;

  ssh_session session_;
  const hosts::Host& host_;
  const Options& options_;
  Asker& asker_;
  Secrets& secrets_;
  std::string user_;
  std::string with_;       // what got in
  std::string tried_;      // "agent, key ~/.ssh/id_ed25519, password"
  bool given_up_ = false;  // a question was answered with no
};

}  // namespace n2nq::ssh
