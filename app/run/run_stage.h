// Where a run takes place: its folder, its token, the queue's address, and the processes of the three roles.
// UI thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/local_launcher.h"
#include "app/launch/port_reservation.h"
#include "app/plan/run_plan.h"
#include "app/run/host_setup.h"
#include "app/run/log_fetch.h"
#include "app/run/session_options.h"
#include "app/run/worker_group.h"

namespace n2nq::run {

// A log that is on another host.
struct FarLog {
  std::string host{};
  std::string path{};  // there
};

class RunStage {
 public:
  explicit RunStage(const SessionOptions& options);

  const std::string& run_name() const { return run_name_; }
  // Makes the folder and the token, and takes the queue's address, before anything is launched. Nothing to listen at:
  // the queue is on another host, where nobody holds the port for it.
  // `password`: of the server that messages go through, where it is in no file.
  Result<void> open(const plan::RunPlan& plan, const std::optional<net::Endpoint>& listen, Places places,
                    const std::optional<std::string>& password);
  void launch(const plan::RunPlan& plan, Role role);
  // Of bus.hosts: a process on each, which starts the servers there; none where they are started by the queue.
  void launch_servers(const plan::RunPlan& plan);
  // The broker listens now: from here on its port is its own.
  void broker_is_ready(uint16_t port);

  const std::string& folder() const { return folder_; }
  WorkerGroup& group(Role role);
  const WorkerGroup& group(Role role) const { return const_cast<RunStage*>(this)->group(role); }
  WorkerGroup& servers() { return servers_; }
  const WorkerGroup& servers() const { return servers_; }
  // Which of those has this one, from 1.
  Worker* keeper_of(uint32_t server) const;
  // The log of a service; number 0 is the broker's (from 1: its servers'). Empty where an attached worker keeps it on
  // another computer. Of a service on a host: where it will be once it was fetched.
  std::string log_path(Role role, uint32_t service) const;
  // For a service on a host, while the run goes on.
  std::optional<FarLog> far_log(Role role, uint32_t service) const;
  // Why a service keeps no log at all; empty where it does, or is not there yet.
  std::string why_no_log(Role role, uint32_t service) const;
  std::vector<FarFolder> far_folders() const;
  // Where processes on that host (empty: this computer) find the queue.
  std::string queue_address(const std::string& host) const;
  // The servers that are started for the run, "a:1,a:2", as that host finds them; empty where none is.
  std::string server_address(const std::string& host) const;
  const std::string& token() const { return token_; }
  // Of the certificate that the queue has made for the run, once it is there.
  std::optional<std::string> queue_certificate() const;
  std::unique_ptr<launch::WorkerProcess> launch_recorder(const plan::RunPlan& plan, const std::string& host);

 private:
  Result<void> take_server_ports(uint32_t servers, std::optional<net::Endpoint> listen);
  launch::Launcher& launcher_on(const std::string& host);
  bool keeps_logs(const std::string& host) const;
  std::vector<std::string> kept_there(std::vector<std::string> arguments, const std::string& host) const;
  std::vector<std::string> surviving(std::vector<std::string> arguments, const std::string& host) const;
  std::string log_folder_on(const std::string& host) const;  // empty: it keeps none
  const Worker* worker_of(Role role, uint32_t service) const;
  void launch_broker(const plan::RunPlan& plan);
  SessionOptions patient_for_servers(const plan::RunPlan& plan) const;
  void launch_fleet(const plan::RunPlan& plan, Role role);

  SessionOptions options_;
  launch::LocalLauncher launcher_;
  std::string run_name_;
  Places places_;
  std::string folder_;
  std::string token_;
  std::optional<std::string> bus_password_, bus_ca_;
  std::string broker_address_;
  uint16_t broker_port_ = 0;
  std::optional<launch::PortReservation> reservation_;
  std::vector<launch::PortReservation> server_reservations_;
  std::vector<std::string> server_listen_;  // of each; empty: none is started
  WorkerGroup servers_{Role::broker};
  WorkerGroup broker_{Role::broker};
  WorkerGroup senders_{Role::sender};
  WorkerGroup receivers_{Role::receiver};
};

}  // namespace n2nq::run
