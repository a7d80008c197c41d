// A plan as the command lines of its processes. No secret is in them. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::run {

// Which services one process of a fleet has, and where: as equal parts as possible, in order; first over the hosts,
// then over the processes of each.
struct Share {
  uint32_t first = 1;
  uint32_t count = 0;
  std::string host{};  // empty: this computer
  bool operator==(const Share&) const = default;
};
std::vector<Share> shares_of(const plan::Fleet& fleet);

// What a process leaves in its --log-dir beside its logs: its summary where nobody may have taken it, by its first
// service.
std::string summary_name(Role role, uint32_t first_service);

// `log_dir`: on the host of that process; empty: it keeps no logs. `servers`: where those that are started for the run
// listen; `server`: where workers reach them, "a:1,a:2"; empty: none is started.
std::vector<std::string> broker_arguments(const plan::RunPlan& plan, const std::string& listen,
                                          const std::string& log_dir, const std::vector<std::string>& servers = {});
// Of bus.hosts: those on one of them, and how others reach them: as --serve-apart has it.
std::vector<std::string> server_arguments(const plan::RunPlan& plan, const std::vector<std::string>& servers,
                                          const std::string& apart, const std::string& log_dir);
std::vector<std::string> sender_arguments(const plan::RunPlan& plan, const std::string& broker, const Share& share,
                                          const std::string& log_dir, const std::string& server = {});
// What senders read from their input before anything else: what was in the files of their plan. Empty: nothing.
std::string sender_input(const plan::RunPlan& plan);
std::vector<std::string> receiver_arguments(const plan::RunPlan& plan, const std::string& broker, const Share& share,
                                            const std::string& log_dir, const std::string& server = {});
std::vector<std::string> recorder_arguments(const plan::RunPlan& plan);

}  // namespace n2nq::run
