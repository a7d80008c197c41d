// What the broker prints: ready, telemetry (off unless asked for) and the summary; one JSON object a line.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/exit_code.h"
#include "broker/base/result.h"
#include "broker/serve/cluster.h"
#include "broker/serve/installed.h"
#include "broker/server/server.h"

namespace n2nq::server {

// `servers`: of the run's own, if there are any.
// `certificate`: the fingerprint of the one that was made for the run; empty: none was.
std::string ready_line(uint16_t port, uint64_t run_id, const std::string& certificate, const serve::Cluster* servers);
// Of servers without a queue (--serve-apart). First where each is, before they are told of the others; then, where
// others wait for it, that the first of all is ready; then that all of these are.
std::string sites_line(const std::vector<serve::Site::Member>& sites, bool one_first);
std::string first_ready_line();
std::string servers_ready_line(const serve::Cluster& servers);
// Of them, where the leader is to be killed: which one it is, from 1, and not one of these; 0: nobody is, and why.
std::string leader_line(size_t number, const std::string& why = {});
Result<std::vector<serve::Site::Member>> parse_members(const nlohmann::json& line);
// Of --list-servers; nothing: it is not installed here.
std::string server_line(const serve::Recipe& recipe, const std::optional<serve::Installed>& installed);
std::string warning_line(const std::string& text);
std::string cause_line(const std::string& text);  // a warning that other failures of the run follow from
// One of the servers of the run was killed as it was asked for, or has ended by itself; `number`: from 1.
std::string server_gone_line(size_t number, size_t servers, bool killed, bool leads, int64_t monotonic_ns,
                             const std::string& text);
std::string telemetry_line(const Server& server);
std::string summary_line(const Server& server, ExitCode code, const std::string& reason);
// The summary of a broker that ended before it had a server.
std::string early_summary_line(ExitCode code, const std::string& reason);

}  // namespace n2nq::server
