// Finds where a run takes place, before anything is started: asks for the password of its server, has its hosts
// prepared, and the queue's address looked up.
// UI thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/address_lookup.h"
#include "app/run/host_setup.h"
#include "app/run/log_fetch.h"
#include "app/run/note_log.h"

namespace n2nq::run {

class PlaceFinder {
 public:
  struct Tell {
    TakeNote note;
    std::function<void()> changed;  // status_text()
    std::function<void(const std::string& text)> failed;
    // places() is complete. Nothing to listen at: the queue is on another host.
    std::function<void(const std::optional<net::Endpoint>& listen)> found;
  };

  // `links` to the hosts that the plan names; null: there are none.
  PlaceFinder(const plan::RunPlan& plan, HostLinks* links, std::string run_name, Tell tell);

  // Tells at once, or later from the event loop.
  void start();
  void give_up();  // on its hosts, and on an answer

  // Of the server that messages go through, where the plan has it typed.
  const std::optional<std::string>& password() const { return password_; }
  void judge_password(bool began);  // one with which a run does not begin may be wrong
  Places places() const { return setup_ ? setup_->places() : Places(); }
  std::string status_text() const;
  std::vector<FarFolder> folders() const;  // that were made on hosts so far
  // Also where nobody gave the password: that is of no host.
  const std::optional<launch::LinkFailure>& failure() const { return setup_ ? setup_->failure() : failure_; }
  const std::vector<launch::LinkFailure>& failures() const { return setup_ ? setup_->failures() : failures_; }
  const std::string& better_queue_host() const;

 private:
  launch::LinkQuestion question() const;
  void ask_password();
  void take_password(std::optional<std::string> typed);
  void fail_password(const std::string& text);
  void find_places();
  void prepare_hosts();
  void on_prepared();
  void look_up(const std::string& listen);
  void take(const Result<net::Endpoint>& listen);

  const plan::RunPlan& plan_;
  HostLinks* links_;
  std::string run_name_;
  Tell tell_;
  std::optional<std::string> password_;
  std::optional<launch::LinkFailure> failure_;  // of the password
  std::vector<launch::LinkFailure> failures_;
  std::shared_ptr<bool> asks_;           // with the answer, which may come when all else is gone
  std::unique_ptr<HostSetup> setup_;     // null: the run has no hosts
  std::optional<AddressLookup> lookup_;  // of the queue's address, where somebody has to be asked
};

}  // namespace n2nq::run
