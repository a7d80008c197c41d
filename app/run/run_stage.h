// Where a run takes place: its folder, its token, the queue's address, and the processes of the three roles.
// UI thread.
#pragma once

#include <optional>
#include <string>

#include "app/launch/local_launcher.h"
#include "app/launch/port_reservation.h"
#include "app/plan/run_plan.h"
#include "app/run/session_options.h"
#include "app/run/worker_group.h"

namespace n2nq::run {

class RunStage {
 public:
  explicit RunStage(const SessionOptions& options);

  // Makes the folder and the token, and takes the queue's address, before anything is launched.
  Result<void> open(const plan::RunPlan& plan, const net::Endpoint& listen);
  void launch(const plan::RunPlan& plan, Role role);
  // The broker listens now: from here on its port is its own.
  void broker_is_ready(uint16_t port);

  const std::string& folder() const { return folder_; }
  WorkerGroup& group(Role role);
  const WorkerGroup& group(Role role) const { return const_cast<RunStage*>(this)->group(role); }
  // The log of a service; number 0 is the broker's. Empty where an attached worker keeps it on another computer.
  std::string log_path(Role role, uint32_t service) const;

 private:
  void launch_broker(const plan::RunPlan& plan);
  void launch_fleet(const plan::RunPlan& plan, Role role);

  SessionOptions options_;
  launch::LocalLauncher launcher_;
  std::string folder_;
  std::string token_;
  std::string broker_address_;
  std::optional<launch::PortReservation> reservation_;
  WorkerGroup broker_{Role::broker};
  WorkerGroup senders_{Role::sender};
  WorkerGroup receivers_{Role::receiver};
};

}  // namespace n2nq::run
