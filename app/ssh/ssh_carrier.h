// A host over SSH: as many connections as its processes need, and where it lies behind another host, the way through
// that. UI thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/ssh/connection.h"

namespace n2nq::ssh {

class SshCarrier : public remote::Carrier {
 public:
  // `via`: the jump hosts, the one next to the host first; may be empty.
  SshCarrier(const hosts::Host& host, const std::vector<hosts::Host>& via, const Options& options,
             remote::CarrierEvents events);
  ~SshCarrier() override;

  void open() override;
  void close() override;
  std::unique_ptr<remote::Exec> exec(const std::vector<std::string>& arguments,
                                     const remote::Occasion& occasion) override;
  bool signals_reach() const override { return true; }

  // A socket that leads to there from here on. open.
  void forward(const std::string& address, uint16_t port, Connection::Forwarded done);

 private:
  struct Line;  // a connection, or one that waits for the way to it

  Connection::Events first_events();
  Connection::Events further_events(Line& line);
  void connect(Line& line, bool first);
  Line& line_with_room();
  void fail(const remote::LinkFailure& failure);
  void let_go(std::unique_ptr<Line> line);

  hosts::Host host_;
  Options options_;
  remote::CarrierEvents events_;
  Secrets secrets_;
  std::unique_ptr<SshCarrier> jump_;
  bool jump_open_ = false;
  bool wanted_ = false;  // opened, and not closed since
  bool failing_ = false;
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<std::unique_ptr<Line>> leaving_;  // until their threads are done
  threads::PostBox box_;
};

}  // namespace n2nq::ssh
