#include "broker/server/broker_report.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "broker/base/clock.h"
#include "broker/base/machine_json.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"
#include "broker/process/process_figures.h"

namespace n2nq::server {
namespace {

using Json = nlohmann::ordered_json;

// With what is no text replaced: words of other programs may be anything.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* verdict(ExitCode code) {
  if (code == ExitCode::complete) return "complete";
  return code == ExitCode::incomplete ? "incomplete" : "failed";
}

const char* word(Server::Phase phase) {
  switch (phase) {
    case Server::Phase::assembling:
      return "assembling";
    case Server::Phase::running:
      return "running";
    case Server::Phase::draining:
      return "draining";
    case Server::Phase::ending:
      return "ending";
    case Server::Phase::over:
      return "over";
  }
  return "?";
}

void add_accounts(Json& json, const queue::Accounts& accounts, const Server::Counts& counts) {
  json["accepted"] = accounts.accepted;
  json["owed"] = accounts.owed;
  json["delivered"] = accounts.delivered;
  json["confirmed"] = accounts.confirmed;
  json["expired"] = accounts.expired;
  json["undeliverable"] = accounts.undeliverable;
  json["in_doubt"] = accounts.in_doubt;
  json["redelivered"] = accounts.redelivered;
  json["requests"] = accounts.requests + counts.late_requests;
  json["responses"] = accounts.responses;
  json["refused"] = accounts.refused;
  json["late"] = accounts.late;
  json["refused_connections"] = counts.refused_connections;
}

void add_replies(Json& json, const std::optional<Server::ReplyAccounts>& replies) {
  if (!replies) return;
  json["replies"] = replies->taken;
  json["replies_delivered"] = replies->delivered;
  json["replies_expired"] = replies->expired;
  json["replies_undeliverable"] = replies->undeliverable;
  json["replies_unclaimed"] = replies->unclaimed;
  json["replies_in_doubt"] = replies->in_doubt;
  json["replies_surplus"] = replies->surplus;
}

Json machine_json() {
  Json machine;
  put_machine(machine, read_machine_facts());
  return machine;
}

void add_process(Json& json) {
  json["cpu_ns"] = process::process_cpu_ns();
  json["peak_rss_bytes"] = process::peak_rss_bytes();
  const process::ProcessTotals totals = process::process_totals();
  json["disk_written_bytes"] = totals.disk_written_bytes;
  json["cpu_user_ns"] = totals.cpu_user_ns;
  json["cpu_system_ns"] = totals.cpu_system_ns;
  json["context_switches"] = totals.context_switches;
  json["disk_read_bytes"] = totals.disk_read_bytes;
}

std::string summary(const queue::Accounts& accounts, const std::optional<Server::ReplyAccounts>& replies,
                    const Server::Counts& counts, std::optional<uint64_t> untaken, ExitCode code,
                    const std::string& reason, std::optional<wire::EndReason> end) {
  Json json{{"type", "summary"}, {"role", "broker"}, {"services", counts.senders_joined + counts.receivers_joined}};
  json["senders"] = counts.senders_joined;
  json["receivers"] = counts.receivers_joined;
  json["senders_vanished"] = counts.senders_vanished;
  json["receivers_vanished"] = counts.receivers_vanished;
  json["senders_cut_off"] = counts.senders_cut_off;
  json["receivers_cut_off"] = counts.receivers_cut_off;
  add_accounts(json, accounts, counts);
  add_replies(json, replies);
  if (untaken) json["untaken"] = *untaken;
  json["reads"] = counts.reads;
  json["writes"] = counts.writes;
  json["wakeups"] = counts.wakeups;
  json["most_frame_writes"] = counts.most_frame_writes;
  add_process(json);
  json["exit_code"] = static_cast<int>(code);
  json["verdict"] = verdict(code);
  json["reason"] = reason;
  if (end) json["end"] = wire::word(*end);
  if (end == wire::EndReason::stopped) json["stopped"] = true;
  return text_of(json);
}

Json ready_json() {
  return {{"type", "ready"},
          {"role", "broker"},
          {"pid", ::getpid()},
          {"version", N2NQ_VERSION},
          {"machine", machine_json()}};
}

void add_servers(Json& json, const serve::Cluster& servers) {
  for (const auto& [index, server] : servers.ours())
    json["servers"].push_back(Json{{"number", index + 1},
                                   {"name", server->recipe().program},
                                   {"version", server->version()},
                                   {"address", server->address()},
                                   {"pid", server->pid()},
                                   {"log", server->log_file()}});
}

}  // namespace

std::string ready_line(uint16_t port, uint64_t run_id, const std::string& certificate, const serve::Cluster* servers) {
  Json json = ready_json();
  json["port"] = port;
  json["run_id"] = id_text(run_id);  // as text: 64 bits do not survive every JSON reader
  if (!certificate.empty()) json["certificate"] = certificate;
  if (servers != nullptr) add_servers(json, *servers);
  return text_of(json);
}

std::string servers_ready_line(const serve::Cluster& servers) {
  Json json = ready_json();
  add_servers(json, servers);
  return text_of(json);
}

std::string sites_line(const std::vector<serve::Site::Member>& sites, bool one_first) {
  Json json{{"type", "sites"}, {"one_first", one_first}, {"sites", Json::array()}};
  for (const serve::Site::Member& site : sites)
    json["sites"].push_back({{"address", site.listen.text()}, {"more_ports", site.more_ports}, {"name", site.name}});
  return text_of(json);
}

std::string first_ready_line() {
  return text_of({{"type", "first_ready"}});
}

std::string leader_line(size_t number, const std::string& why) {
  Json json{{"type", "leader"}, {"server", number}};
  if (!why.empty()) json["text"] = why;
  return text_of(json);
}

Result<std::vector<serve::Site::Member>> parse_members(const nlohmann::json& line) {
  constexpr size_t kMost = 64;
  const Error no{"form_cluster: members, each with address, more_ports and name, and a cookie are expected"};
  const auto members = line.find("members");
  if (members == line.end() || !members->is_array() || members->empty() || members->size() > kMost)
    return std::unexpected(no);
  std::vector<serve::Site::Member> all;
  try {
    for (const auto& one : *members) {
      serve::Site::Member member{.more_ports = one.at("more_ports").get<std::vector<uint16_t>>(),
                                 .name = one.at("name").get<std::string>()};
      auto address = net::resolve(one.at("address").get<std::string>());
      if (!address) return std::unexpected(address.error());
      member.listen = *address;
      // Names and addresses go into settings of servers.
      if (member.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
          std::string::npos)
        return std::unexpected(no);
      all.push_back(std::move(member));
    }
  } catch (const nlohmann::json::exception&) {
    return std::unexpected(no);
  }
  return all;
}

std::string server_line(const serve::Recipe& recipe, const std::optional<serve::Installed>& installed) {
  Json json{{"type", "server"}, {"kind", recipe.kind}, {"title", recipe.title}, {"program", recipe.program}};
  json["file"] = installed ? Json(installed->file) : Json();
  json["version"] = installed && !installed->version.empty() ? Json(installed->version) : Json();
  json["install"] = recipe.install;
  return text_of(json);
}

std::string warning_line(const std::string& text) {
  return text_of({{"type", "warning"}, {"text", text}});
}

std::string cause_line(const std::string& text) {
  return text_of({{"type", "warning"}, {"text", text}, {"cause", true}});
}

std::string server_gone_line(size_t number, size_t servers, bool killed, bool leads, int64_t monotonic_ns,
                             const std::string& text) {
  return text_of({{"type", "server_gone"},
                  {"server", number},
                  {"servers", servers},
                  {"killed", killed},
                  {"leads", leads},
                  {"monotonic_ns", monotonic_ns},
                  {"text", text}});
}

std::string telemetry_line(const Server& server) {
  Json json{{"type", "telemetry"}, {"role", "broker"}, {"monotonic_ns", now_ns()}, {"phase", word(server.phase())}};
  add_accounts(json, server.queue().accounts(), server.counts());
  add_replies(json, server.replies());
  json["senders"] = server.counts().senders_now;
  json["receivers"] = server.counts().receivers_now;
  json["kept_bytes"] = server.kept_bytes();
  json["max_bytes"] = server.max_bytes();
  json["cpu_ns"] = process::process_cpu_ns();
  json["rss_bytes"] = process::rss_bytes();
  return json.dump();
}

std::string summary_line(const Server& server, ExitCode code, const std::string& reason) {
  return summary(server.queue().accounts(), server.replies(), server.counts(), server.untaken(), code, reason,
                 server.end());
}

std::string early_summary_line(ExitCode code, const std::string& reason) {
  return summary({}, {}, {}, {}, code, reason, {});
}

}  // namespace n2nq::server
