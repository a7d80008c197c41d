#include "app/run/run_stage.h"

#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "app/launch/attached_worker.h"
#include "app/launch/run_token.h"
#include "app/live/host_history.h"
#include "app/plan/exact_text.h"
#include "app/record/run_folder.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::run {
namespace {

// A queue that starts a server is ready once that is; it gives up sooner than this, and says why.
constexpr std::chrono::milliseconds kServerStartsWithin{60'000};  // several: twice

Result<std::string> make_folder(const std::string& runs_folder, const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(runs_folder) / name;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail("the run folder " + folder.string() + " cannot be created: " + error.message() +
                    "; free some space, or choose another folder",
                error.value());
  return std::filesystem::absolute(folder, error).string();
}

bool is_any_address(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr == htonl(INADDR_ANY);
  return IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

// Where senders and receivers on this computer find a queue that listens there.
std::string address_for_workers(const net::Endpoint& listening) {
  if (!is_any_address(listening.address)) return listening.text();
  const bool v4 = listening.address.ss_family == AF_INET;
  return (v4 ? "127.0.0.1:" : "[::1]:") + std::to_string(listening.port());
}

std::string with_port(const std::string& address, uint16_t port) {
  return address.substr(0, address.rfind(':') + 1) + std::to_string(port);
}

std::string fleet_noun(Role role) {
  return role == Role::sender ? "senders" : "receivers";
}

// Podman makes the containers of a host one after the other.
std::chrono::milliseconds patience_with(const plan::ProcessLimits& held, size_t processes) {
  constexpr std::chrono::milliseconds kOfEach{500};
  return held.exist() ? kOfEach * static_cast<int64_t>(processes) : std::chrono::milliseconds(0);
}

launch::WorkerCommand command_of(Role role, std::vector<std::string> arguments, const plan::ProcessLimits& held) {
  return {.role = role,
          .arguments = std::move(arguments),
          .cpus = plan::exact_thousandths(held.cpu_thousandths),
          .memory = std::to_string(held.memory_bytes)};
}

}  // namespace

RunStage::RunStage(const SessionOptions& options)
    : options_(options), launcher_(options.programs), run_name_(record::new_run_name()) {}

Result<void> RunStage::open(const plan::RunPlan& plan, const std::optional<net::Endpoint>& listen, Places places,
                            const std::optional<std::string>& password) {
  places_ = std::move(places);
  broker_address_ = places_.listen;
  if (listen) {
    auto reservation = launch::PortReservation::make(*listen);
    if (!reservation) return std::unexpected(reservation.error());
    broker_address_ = reservation->endpoint().text();
    reservation_ = std::move(*reservation);
  }
  if (plan.bus.starts_server()) {
    if (auto taken = take_server_ports(plan.bus.servers(), listen); !taken) return taken;
  }
  if (plan.queue.token_file.empty()) {
    token_ = launch::random_token();
  } else {
    auto token = launch::token_from_file(plan.queue.token_file);
    if (!token) return std::unexpected(token.error());
    token_ = *token;
  }
  bus_password_ = password;
  if (const std::string file = plan.bus.setting(bus::kPasswordFileKey); !file.empty() && !password) {
    auto read = launch::password_from_file(file);
    if (!read) return std::unexpected(read.error());
    bus_password_ = std::move(*read);
  }
  if (const std::string file = plan.bus.setting(bus::kTlsCaKey); !file.empty()) {
    auto certificates = launch::certificates_from_file(file);
    if (!certificates) return std::unexpected(certificates.error());
    bus_ca_ = std::move(*certificates);
  }
  auto folder = make_folder(options_.runs_folder, run_name_);
  if (!folder) return std::unexpected(folder.error());
  folder_ = *folder;
  // What is fetched from hosts is for their user alone there, and stays so here.
  std::error_code ignored;
  if (!places_.folders.empty()) std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
  return {};
}

// Where the queue listens, at other ports.
Result<void> RunStage::take_server_ports(uint32_t servers, std::optional<net::Endpoint> listen) {
  for (const ServerPlace& place : places_.servers) server_listen_.push_back(place.listen);
  if (!server_listen_.empty() || !listen) return {};
  listen->set_port(0);
  for (uint32_t i = 0; i < servers; i++) {
    auto reservation = launch::PortReservation::make(*listen);
    if (!reservation) return std::unexpected(reservation.error());
    server_listen_.push_back(reservation->endpoint().text());
    server_reservations_.push_back(std::move(*reservation));
  }
  return {};
}

void RunStage::launch(const plan::RunPlan& plan, Role role) {
  if (role == Role::broker)
    launch_broker(plan);
  else
    launch_fleet(plan, role);
}

launch::Launcher& RunStage::launcher_on(const std::string& host) {
  if (hosts::is_local(host)) return launcher_;
  return options_.links->to(host);
}

bool RunStage::keeps_logs(const std::string& host) const {
  return hosts::is_local(host) || places_.folders.contains(host);
}

std::string RunStage::log_folder_on(const std::string& host) const {
  if (!keeps_logs(host)) return {};
  return hosts::is_local(host) ? folder_ : places_.folders.at(host);
}

std::string RunStage::queue_address(const std::string& host) const {
  const auto special = places_.addresses.find(host);
  const bool elsewhere = !places_.queue_host.empty();
  const auto port = [&] {
    return elsewhere ? places_.port : reservation_ ? reservation_->endpoint().port() : broker_port_;
  };
  if (special != places_.addresses.end()) return host_and_port(special->second, port());
  if (elsewhere) return host_and_port(places_.address, port());
  return reservation_ ? address_for_workers(reservation_->endpoint()) : broker_address_;
}

std::string RunStage::server_address(const std::string& host) const {
  std::string all;
  for (size_t i = 0; i < server_listen_.size(); i++) {
    const std::string& listen = server_listen_[i];
    const auto port = static_cast<uint16_t>(*parse_whole(std::string_view(listen).substr(listen.rfind(':') + 1)));
    add_part(all, ",",
             places_.servers.empty() ? with_port(queue_address(host), port)
                                     : host_and_port(places_.servers[i].address_from(host), port));
  }
  return all;
}

// A summary stays on its host until the bench has the folder and removes it: a link that is lost may take the one with
// it that was sent.
std::vector<std::string> RunStage::kept_there(std::vector<std::string> arguments, const std::string& host) const {
  if (hosts::is_local(host) || !keeps_logs(host)) return arguments;
  arguments.push_back("--keep-summary");
  return surviving(std::move(arguments), host);
}

std::vector<std::string> RunStage::surviving(std::vector<std::string> arguments, const std::string& host) const {
  if (!hosts::is_local(host) && keeps_logs(host) && options_.survives_longer_on(host))
    arguments.insert(arguments.end(), {"--control-timeout", std::to_string(options_.survive_on(host).count()) + "ms"});
  return arguments;
}

void RunStage::launch_broker(const plan::RunPlan& plan) {
  const std::string& host = places_.queue_host;
  const bool apart = servers_.started();
  auto process = launcher_on(host).launch(
      command_of(Role::broker,
                 kept_there(broker_arguments(plan, broker_address_, log_folder_on(host),
                                             apart ? std::vector<std::string>() : server_listen_),
                            host),
                 plan.queue.held));
  SessionOptions options = apart ? options_ : patient_for_servers(plan);
  options.ready_timeout += patience_with(plan.queue.held, 1);
  broker_.add(std::make_unique<Worker>(Worker::Identity{.name = "queue", .role = Role::broker, .share = {.host = host}},
                                       std::move(process), control::HelloCommand{token_}, options));
}

SessionOptions RunStage::patient_for_servers(const plan::RunPlan& plan) const {
  SessionOptions options = options_;
  if (plan.bus.starts_server()) options.ready_timeout += kServerStartsWithin * (server_listen_.size() > 1 ? 2 : 1);
  return options;
}

void RunStage::launch_servers(const plan::RunPlan& plan) {
  for (const std::string& host : plan.bus.server_hosts()) {
    std::vector<std::string> listen;
    std::string apart;
    for (const ServerPlace& place : places_.servers) {
      if (place.host != host) continue;
      listen.push_back(place.listen);
      apart = host_and_port(place.address, places_.common_port);
      if (place.ports.first == 0) continue;
      apart += "," + std::to_string(place.ports.first) + "-" + std::to_string(place.ports.last);
      if (host == places_.queue_host) apart += "," + std::to_string(places_.port);
    }
    auto process = launcher_on(host).launch(
        {.role = Role::broker, .arguments = server_arguments(plan, listen, apart, log_folder_on(host))});
    servers_.add(std::make_unique<Worker>(
        Worker::Identity{.name = live::servers_on(host), .role = Role::broker, .share = {.host = host}},
        std::move(process), control::HelloCommand{token_}, patient_for_servers(plan)));
  }
}

Worker* RunStage::keeper_of(uint32_t server) const {
  if (server == 0 || server > places_.servers.size()) return nullptr;
  for (const auto& worker : servers_.workers())
    if (worker->identity().share.host == places_.servers[server - 1].host) return worker.get();
  return nullptr;
}

std::unique_ptr<launch::WorkerProcess> RunStage::launch_recorder(const plan::RunPlan& plan, const std::string& host) {
  return launcher_on(host).launch({.role = Role::recorder, .arguments = surviving(recorder_arguments(plan), host)});
}

void RunStage::launch_fleet(const plan::RunPlan& plan, Role role) {
  const bool senders = role == Role::sender;
  const plan::Fleet& fleet = plan::fleet_of(plan, role);
  const std::vector<Share> shares = shares_of(fleet);
  const std::string input = senders && fleet.attach.empty() ? sender_input(plan) : "";
  SessionOptions options = options_;
  options.ready_timeout += patience_with(fleet.held, shares.size());
  for (const Share& share : shares) {
    std::string name = fleet_noun(role);
    if (shares.size() > 1)
      name += " " + std::to_string(share.first) + "-" + std::to_string(share.first + share.count - 1);
    const auto arguments = senders ? sender_arguments : receiver_arguments;
    auto process =
        fleet.attach.empty()
            ? launcher_on(share.host)
                  .launch(command_of(role,
                                     kept_there(arguments(plan, queue_address(share.host), share,
                                                          log_folder_on(share.host), server_address(share.host)),
                                                share.host),
                                     fleet.held))
            : launch::attach_worker(fleet.attach);
    auto worker = std::make_unique<Worker>(
        Worker::Identity{.name = name, .role = role, .share = share, .attached_at = fleet.attach}, std::move(process),
        control::HelloCommand{.token = token_,
                              .bus_password = bus_password_,
                              .bus_ca = bus_ca_,
                              .broker_certificate = queue_certificate()},
        options);
    if (senders) worker->give(input);
    group(role).add(std::move(worker));
  }
}

std::optional<std::string> RunStage::queue_certificate() const {
  for (const auto& queue : broker_.workers())
    if (queue->ready()) return queue->ready()->certificate;
  return {};
}

void RunStage::broker_is_ready(uint16_t port) {
  if (!reservation_) return;
  net::Endpoint endpoint = reservation_->endpoint();
  endpoint.set_port(port);
  broker_address_ = address_for_workers(endpoint);
  broker_port_ = port;
  reservation_.reset();
  server_reservations_.clear();
}

WorkerGroup& RunStage::group(Role role) {
  if (role == Role::broker) return broker_;
  return role == Role::sender ? senders_ : receivers_;
}

const Worker* RunStage::worker_of(Role role, uint32_t service) const {
  if (const Worker* keeper = role == Role::broker ? keeper_of(service) : nullptr) return keeper;
  for (const auto& worker : group(role).workers()) {
    const Share& share = worker->identity().share;
    if (role == Role::broker || (service >= share.first && service - share.first < share.count)) return worker.get();
  }
  return nullptr;
}

std::string RunStage::log_path(Role role, uint32_t service) const {
  if (role == Role::broker) return folder_ + "/" + record::log_name(role, service);
  const Worker* worker = worker_of(role, service);
  if (worker == nullptr) return {};
  const std::string& attached_at = worker->identity().attached_at;
  if (!attached_at.empty() && !plan::is_loopback(attached_at)) return {};
  const std::string folder = attached_at.empty() ? folder_ : worker->record().log_dir;
  return folder.empty() ? std::string() : folder + "/" + record::log_name(role, service);
}

std::optional<FarLog> RunStage::far_log(Role role, uint32_t service) const {
  const Worker* worker = worker_of(role, service);
  if (worker == nullptr || hosts::is_local(worker->identity().share.host)) return {};
  const std::string& host = worker->identity().share.host;
  if (!keeps_logs(host)) return {};
  return FarLog{.host = host, .path = places_.folders.at(host) + "/" + record::log_name(role, service)};
}

std::string RunStage::why_no_log(Role role, uint32_t service) const {
  const Worker* worker = worker_of(role, service);
  if (worker == nullptr || keeps_logs(worker->identity().share.host)) return {};
  return worker->identity().share.host + " has no shell: its processes keep no log files";
}

namespace {

void add_files(std::set<std::string>& files, const Worker& worker, size_t servers) {
  const auto& [first, count, host] = worker.identity().share;
  const Role role = worker.identity().role;
  files.insert(record::log_name(role, role == Role::broker ? 0 : first));
  files.insert(summary_name(role, first));
  if (role == Role::broker) {
    for (size_t i = 1; i <= servers; i++) files.insert(record::log_name(role, static_cast<uint32_t>(i)));
    return;
  }
  for (uint32_t i = 1; i < count; i++) files.insert(record::log_name(role, first + i));
}

}  // namespace

std::vector<FarFolder> RunStage::far_folders() const {
  std::vector<FarFolder> folders;
  for (const auto& [host, path] : places_.folders) {
    FarFolder folder{.host = host, .path = path};
    for (const WorkerGroup* group : {&broker_, &senders_, &receivers_}) {
      for (const auto& worker : group->workers()) {
        if (worker->identity().share.host != host) continue;
        folder.used = true;
        add_files(folder.files, *worker, servers_.started() ? 0 : server_listen_.size());
        folder.cut_off_ns = std::max(folder.cut_off_ns, worker->cut_off_ns());
      }
    }
    for (uint32_t i = 1; i <= places_.servers.size(); i++) {
      const Worker* keeper = keeper_of(i);
      if (keeper == nullptr || places_.servers[i - 1].host != host) continue;
      folder.used = true;
      folder.files.insert(record::log_name(Role::broker, i));
      folder.cut_off_ns = std::max(folder.cut_off_ns, keeper->cut_off_ns());
    }
    folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace n2nq::run
