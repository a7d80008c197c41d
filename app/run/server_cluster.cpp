#include "app/run/server_cluster.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "app/launch/run_token.h"
#include "broker/base/clock.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::run {
namespace {

using record::Severity;

constexpr std::chrono::seconds kStopPatience{15};
constexpr int kAskAgainMs = 200;
constexpr int64_t kLeaderWithinNs = 20'000'000'000;  // as on one computer

}  // namespace

ServerCluster::ServerCluster(const plan::RunPlan& plan, RunStage& stage, TakeNote note)
    : plan_(plan), stage_(stage), note_(std::move(note)) {
  WorkerGroup& group = stage_.servers();
  connect(&group, &WorkerGroup::changed, this, &ServerCluster::changed);
  connect(&group, &WorkerGroup::noted, this,
          [this](Severity severity, const QString& text) { note_(severity, text.toStdString()); });
  connect(&group, &WorkerGroup::server_gone, this, &ServerCluster::take);
  connect(&group, &WorkerGroup::leader_told, this, &ServerCluster::on_leader);
  again_.setSingleShot(true);
  again_.setInterval(kAskAgainMs);
  connect(&again_, &QTimer::timeout, this, &ServerCluster::ask_for_leader);
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, [this] {
    for (const auto& worker : stage_.servers().workers())
      if (!worker->over()) note_(Severity::warning, worker->identity().name + ": does not end, killed");
    kill_all();
  });
}

void ServerCluster::launch() {
  stage_.launch_servers(plan_);
}

bool ServerCluster::ready() const {
  return plan_.bus.server_hosts().empty() || stage_.servers().all_at_least(Worker::State::ready);
}

std::optional<std::string> ServerCluster::failure() const {
  if (stopping_ || begun_) return std::nullopt;
  for (const auto& keeper : stage_.servers().workers())
    if (auto trouble = trouble_of(*keeper)) return keeper->identity().name + ": " + *trouble;
  return std::nullopt;
}

std::optional<std::string> ServerCluster::trouble_of(const Worker& keeper) const {
  if (keeper.over()) {
    const std::string reason = keeper.reason();
    return keeper.state_text() + (reason.empty() ? "" : ": " + reason);
  }
  std::vector<uint32_t> wanted, said;
  for (uint32_t number = 1; number <= plan_.bus.servers(); number++)
    if (stage_.keeper_of(number) == &keeper) wanted.push_back(number);
  if (keeper.ready())
    for (const control::ServedFacts& one : keeper.ready()->servers) said.push_back(one.number);
  std::ranges::sort(said);
  const bool good = keeper.ready() ? said == wanted : !keeper.sites() || keeper.sites()->sites.size() == wanted.size();
  return good ? std::nullopt
              : std::optional<std::string>(
                    "it has not the servers that it was to start; is it a program of this version?");
}

std::string ServerCluster::status_text() const {
  if (!started() || ready()) return {};
  std::string hosts;
  for (const auto& worker : stage_.servers().workers())
    if (!worker->ready()) add_part(hosts, ", ", worker->identity().share.host);
  return "starting the servers on " + hosts;
}

void ServerCluster::take_steps() {
  if (!started()) return;
  if (!stopping_ && !failure()) form();
  note_ends();
}

// All at once, or the one with the first server before the others.
void ServerCluster::form() {
  const auto& keepers = stage_.servers().workers();
  if (told_all_ || !std::ranges::all_of(keepers, [](const auto& keeper) { return keeper->sites().has_value(); }))
    return;
  Worker* first = stage_.keeper_of(1);
  if (!cluster_) {
    cluster_.emplace(control::FormClusterCommand{.cookie = launch::random_token()});
    std::map<const Worker*, size_t> taken;
    for (uint32_t number = 1; number <= plan_.bus.servers(); number++) {
      const Worker* keeper = stage_.keeper_of(number);
      cluster_->members.push_back(keeper->sites()->sites[taken[keeper]++]);
    }
    first->send(*cluster_);
  }
  if (first->sites()->one_first && !first->first_ready()) return;
  told_all_ = true;
  for (const auto& keeper : keepers)
    if (keeper.get() != first) keeper->send(*cluster_);
}

// Of one that ends before the run does its servers are gone, or nobody knows of them any more.
void ServerCluster::note_ends() {
  if (stopping_ || !begun_) return;
  for (uint32_t number = 1; number <= plan_.bus.servers(); number++) {
    const Worker* keeper = stage_.keeper_of(number);
    if (keeper == nullptr || !keeper->over() || !keeper->ready()) continue;
    const std::string reason = keeper->reason();
    take({.server = number,
          .servers = plan_.bus.servers(),
          .text = "went with the process that kept it on " + keeper->identity().share.host + ": " +
                  keeper->state_text() + (reason.empty() ? "" : ": " + reason)});
  }
  if (asked_ == nullptr || !asked_->over()) return;
  // One that was told to kill has taken it with it.
  if (told_to_kill_)
    leader_done();
  else
    ask_for_leader();
}

std::vector<control::ServedFacts> ServerCluster::facts() const {
  std::vector<control::ServedFacts> all;
  for (const auto& keeper : stage_.servers().workers())
    if (keeper->ready()) all.insert(all.end(), keeper->ready()->servers.begin(), keeper->ready()->servers.end());
  std::ranges::sort(all, {}, &control::ServedFacts::number);
  return all;
}

bool ServerCluster::is_gone(uint32_t server) const {
  return std::ranges::find(gone_, server, &control::ServerGone::server) != gone_.end();
}

// When it was, by the clock here; of one whose host has not told its own, now.
void ServerCluster::take(control::ServerGone gone) {
  if (is_gone(gone.server)) return;
  const auto offset = offsets_ns_.find(stage_.keeper_of(gone.server));
  gone.monotonic_ns =
      offset == offsets_ns_.end() || gone.monotonic_ns == 0 ? now_ns() : since(offset->second, gone.monotonic_ns);
  gone_.push_back(gone);
  Q_EMIT server_gone(gone);
  if (gone.leads && asked_ != nullptr) leader_done();
}

void ServerCluster::kill(const std::string& server) {
  if (server == bus::kLeader) {
    if (leaders_++ == 0) kill_next_leader();
    return;
  }
  const auto number = parse_whole(server);
  if (Worker* keeper = number ? stage_.keeper_of(static_cast<uint32_t>(*number)) : nullptr)
    keeper->send(control::KillServerCommand{.server = server});
}

void ServerCluster::kill_next_leader() {
  asked_ = nullptr;
  ask_until_ns_ = now_ns() + kLeaderWithinNs;
  if (leaders_ > 0) ask_for_leader();
}

// Whoever has a server that lives asks it.
void ServerCluster::ask_for_leader() {
  asked_ = nullptr;
  told_to_kill_ = false;
  if (stopping_) return;
  control::KillServerCommand command{.server = std::string(bus::kLeader)};
  for (const control::ServerGone& gone : gone_) command.dead.push_back(gone.server);
  for (uint32_t number = 1; number <= plan_.bus.servers() && asked_ == nullptr; number++)
    if (Worker* keeper = stage_.keeper_of(number); keeper != nullptr && !keeper->over() && !is_gone(number))
      asked_ = keeper;
  if (asked_ != nullptr) return asked_->send(command);
  leaders_ = 0;
  note_(Severity::warning, "no server was killed: none of them runs");
}

void ServerCluster::leader_done() {
  if (leaders_ > 0) leaders_--;
  kill_next_leader();
}

void ServerCluster::ask_again(const std::string& why) {
  if (now_ns() < ask_until_ns_) return again_.start();
  note_(Severity::warning, "no server was killed: " + why);
  leader_done();
}

void ServerCluster::on_leader(const control::Leader& leader) {
  if (asked_ == nullptr || again_.isActive()) return;
  // Nobody leads, as far as anybody says; or who did has ended before it could be killed.
  if (leader.server == 0 && told_to_kill_) return ask_again(leader.text);
  Worker* keeper = stage_.keeper_of(leader.server);
  if (keeper == nullptr) {
    note_(Severity::warning, "no server was killed: " + leader.text);
    return leader_done();
  }
  if (keeper->over() || is_gone(leader.server)) return ask_again("the one that is said to lead has ended");
  asked_ = keeper;
  told_to_kill_ = true;
  keeper->send(control::KillServerCommand{.server = std::to_string(leader.server), .leads = true});
}

void ServerCluster::begin() {
  begun_ = true;
  for (const auto& keeper : stage_.servers().workers()) {
    const int64_t sent_ns = now_ns();
    connect(
        keeper.get(), &Worker::answered, this,
        [this, keeper = keeper.get(), sent_ns](const control::Pong& pong) {
          offsets_ns_[keeper] = since(sent_ns + (now_ns() - sent_ns) / 2, pong.monotonic_ns);
        },
        Qt::SingleShotConnection);
    keeper->send(control::PingCommand{.id = 1});
  }
}

void ServerCluster::stop() {
  if (over() || std::exchange(stopping_, true)) return;
  stage_.servers().stop();
  patience_.start(kStopPatience);
}

void ServerCluster::kill_all() {
  stopping_ = true;
  stage_.servers().kill();
}

}  // namespace n2nq::run

#include "moc_server_cluster.cpp"
