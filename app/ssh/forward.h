// A direct-tcpip channel to somewhere behind a host, joined to one end of a pair of sockets. The session's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ssh/handle.h"
#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::ssh {

class Forward {
 public:
  Forward(ssh_session session, std::string address, uint16_t port);

  bool turn();  // true: something moved
  // What was said into it before it ends goes on its way, as far as the other side takes it at once.
  void carry_last();
  bool over() const { return over_; }
  // Once it is known: the other end of the pair, or why there is none.
  std::optional<Result<Fd>> take_outcome();

  int fd() const { return fd_.get(); }
  short events() const;

 private:
  bool open();
  bool carry_in();
  bool carry_out();

  ssh_session session_;
  std::string address_;
  uint16_t port_;
  ChannelHandle channel_;
  Fd fd_;
  std::optional<Result<Fd>> outcome_;
  std::vector<char> to_socket_, to_channel_;
  bool opened_ = false;
  bool over_ = false;
};

}  // namespace n2nq::ssh
