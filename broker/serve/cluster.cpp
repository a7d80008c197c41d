#include "broker/serve/cluster.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "broker/net/resolve.h"

namespace n2nq::serve {
namespace {

constexpr int64_t kTellsLeaderWithinNs = 1'000'000'000;
constexpr int64_t kProgramTellsWithinNs = 2'000'000'000;  // which has to start first
constexpr int64_t kAskForLeaderAgainNs = 200'000'000;
constexpr int64_t kLeaderWithinNs = 20'000'000'000;  // those that live may call a dead one the leader for some seconds

std::string log_of(const std::string& folder, size_t index) {
  if (folder.empty()) return {};
  return folder + (index == 0 ? "/server.log" : "/server-" + std::to_string(index + 1) + ".log");
}

}  // namespace

Cluster::Cluster(net::EventLoop& loop, Wish wish, Callbacks callbacks)
    : loop_(loop),
      wish_(std::move(wish)),
      callbacks_(std::move(callbacks)),
      no_answer_(loop, [this] { on_no_answer(); }) {
  for (size_t i = 0; i < wish_.listen.size(); i++)
    servers_.push_back(
        std::make_unique<Served>(loop_,
                                 Served::Wish{.recipe = wish_.recipe,
                                              .program = wish_.program,
                                              .listen = wish_.listen[i],
                                              .beside = wish_.log_dir,
                                              .password = wish_.password,
                                              .settings = wish_.settings,
                                              .container = wish_.container,
                                              .apart = wish_.apart},
                                 Served::Callbacks{.on_ready = [this, i] { is_ready(i); },
                                                   .on_lost = [this, i](const std::string& why) { lost(i, why); }}));
}

Cluster::~Cluster() {
  end();
}

Result<void> Cluster::start() {
  auto members = prepare();
  if (!members) return std::unexpected(members.error());
  return form(std::move(*members), id_text(random_id()) + id_text(random_id()));
}

Result<std::vector<Site::Member>> Cluster::prepare() {
  std::vector<Site::Member> members;
  for (const auto& server : servers_)
    if (auto held = server->hold_port(); !held) return std::unexpected(held.error());
  for (const auto& server : servers_) {
    if (auto prepared = server->prepare(); !prepared) return std::unexpected(prepared.error());
    const Site& site = server->site();
    net::Endpoint reached = site.listen;
    if (wish_.apart) {
      auto resolved = net::resolve(wish_.apart->address);
      if (!resolved) return std::unexpected(resolved.error());
      if (recipe().apart_by_v4 && resolved->address.ss_family != AF_INET)
        return fail("servers of " + std::string(recipe().title) +
                    " on several hosts reach each other by IPv4 alone; set such a data_address of each host");
      if ((host_of(*resolved).starts_with("127.") || host_of(*resolved) == "::1") &&
          wish_.apart->address != resolved->text())
        return fail("its data_address, " + wish_.apart->address.substr(0, wish_.apart->address.rfind(':')) +
                    ", is here the computer itself (" + host_of(*resolved) + "); set a number that others reach");
      reached = *resolved;
      reached.set_port(site.listen.port());
    }
    members.push_back({.listen = reached, .more_ports = site.more_ports, .name = site.name()});
  }
  return members;
}

Result<void> Cluster::form(std::vector<Site::Member> members, const std::string& cookie) {
  if (!members_.empty()) return fail("the cluster is formed already");
  std::vector<size_t> indices;
  for (const auto& server : servers_) {
    const auto found = std::ranges::find(members, server->site().name(), &Site::Member::name);
    if (found == members.end()) return fail("of the servers here one is not in this cluster");
    if (found->more_ports != server->site().more_ports) return fail("a server is not at the ports that it has");
    indices.push_back(static_cast<size_t>(found - members.begin()));
  }
  std::set<std::string> names;
  for (const Site::Member& one : members) names.insert(one.name);
  if (names.size() < members.size()) return fail("two members have one name");
  if (std::ranges::any_of(members, [&](const auto& one) { return one.more_ports.size() < recipe().more_ports; }))
    return fail("a server lacks ports");
  members_ = std::move(members);
  indices_ = std::move(indices);
  cookie_ = cookie;
  start_those(/*first=*/recipe().one_first && place_of(0).has_value());
  return {};
}

// The first of all alone; or all that are not started.
void Cluster::start_those(bool first) {
  for (size_t at = 0; at < servers_.size(); at++) {
    if ((first && indices_[at] != 0) || servers_[at]->runs()) continue;
    const std::string log = log_of(wish_.log_dir, indices_[at]);
    const auto started = servers_[at]->start(members_, indices_[at], cookie_, log);
    if (started) continue;
    if (const auto on_lost = std::exchange(callbacks_.on_lost, nullptr)) on_lost(started.error().text);
    return;
  }
}

void Cluster::is_ready(size_t at) {
  const bool first = recipe().one_first && indices_[at] == 0;
  if (first && callbacks_.on_first_ready) callbacks_.on_first_ready();
  if (++ready_ == servers_.size()) return callbacks_.on_ready();
  if (first) start_those(/*first=*/false);
}

std::optional<size_t> Cluster::place_of(size_t index) const {
  const auto found = std::ranges::find(indices_, index);
  return found == indices_.end() ? std::nullopt : std::optional(static_cast<size_t>(found - indices_.begin()));
}

std::vector<Cluster::Ours> Cluster::ours() const {
  std::vector<Ours> all;
  for (size_t at = 0; at < indices_.size(); at++) all.push_back({.index = indices_[at], .server = servers_[at].get()});
  return all;
}

std::optional<std::string> Cluster::full_disk() const {
  for (const Ours& one : ours())
    if (const auto full = one.server->full_disk()) return name_of(one.index) + " " + *full;
  return std::nullopt;
}

std::string Cluster::name_of(size_t index) const {
  if (size() == 1) return "the server of this run, " + std::string(recipe().title) + ",";
  return "server " + std::to_string(index + 1) + " of " + std::to_string(size()) + " of this run, " +
         std::string(recipe().title) + ",";
}

void Cluster::lost(size_t at, const std::string& why) {
  const size_t index = indices_[at];
  const bool was_ready = ready_ == servers_.size();
  const bool any = wish_.apart || std::ranges::any_of(servers_, [](const auto& one) { return one->runs(); });
  if (!was_ready || !any) {
    const auto on_lost = std::exchange(callbacks_.on_lost, nullptr);
    const bool all = was_ready && size() > 1;
    if (on_lost)
      on_lost(!all                      ? name_of(index) + " " + why
              : killed_.contains(index) ? "all servers of this run have ended, the last one as it was killed"
                                        : "all servers of this run have ended; the last one, number " +
                                              std::to_string(index + 1) + ", " + why);
    return;
  }
  if (!killed_.contains(index) && callbacks_.on_gone) callbacks_.on_gone(index, why);
}

Result<Cluster::Killed> Cluster::kill_now(size_t index, bool leads) {
  if (index >= size()) return fail("there is no server " + std::to_string(index + 1) + " of " + std::to_string(size()));
  const auto at = place_of(index);
  if (!at) return fail("server " + std::to_string(index + 1) + " is on another computer");
  if (!lives(index) || servers_[*at]->pid() <= 0)
    return fail("server " + std::to_string(index + 1) + " has ended before");
  const int64_t at_ns = now_ns();
  if (!servers_[*at]->kill())
    return fail("server " + std::to_string(index + 1) + " cannot be killed: " + std::strerror(errno), errno);
  killed_.insert(index);
  return Killed{.index = index, .leads = leads, .at_ns = at_ns};
}

bool Cluster::lives(size_t index) const {
  const auto at = place_of(index);
  return at ? servers_[*at]->runs() && !killed_.contains(index) : !dead_elsewhere_.contains(index);
}

void Cluster::kill(size_t index, bool leads, const OnKilled& done) {
  done(kill_now(index, leads));
}

void Cluster::kill_leader(const std::set<size_t>& dead, OnKilled done) {
  if (recipe().leader == nullptr) return done(fail("of " + std::string(recipe().title) + " nobody leads"));
  dead_elsewhere_.insert(dead.begin(), dead.end());
  on_leader_.push_back(std::move(done));
  if (on_leader_.size() == 1) find_leader();
}

void Cluster::find_leader() {
  asked_ = 0;
  ask_until_ns_ = now_ns() + kLeaderWithinNs;
  ask_for_leader();
}

void Cluster::ask_for_leader() {
  if (question_) asked_before_ = std::move(question_);
  while (asked_ < servers_.size() && !lives(indices_[asked_])) asked_++;
  if (asked_ == servers_.size()) return not_found(why_no_leader_.empty() ? "none of them runs" : why_no_leader_);
  const Site& site = servers_[asked_]->site();
  Question::Callbacks callbacks{.may_ask = [this] { return servers_[asked_]->has_its_port(); },
                                .on_answer =
                                    [this, &site](const std::string& so_far) {
                                      if (const auto leader = recipe().leader(site, so_far)) take_leader(*leader);
                                    },
                                .on_failed = [this](const std::string& why) { not_found(why); }};
  auto question = recipe().leader_command != nullptr
                      ? Question::ask_by(loop_, recipe().leader_command(site), std::move(callbacks))
                      : Question::ask(loop_, site.listen, recipe().leader_question(site), std::move(callbacks));
  if (!question) return not_found(question.error().text);
  question_ = std::move(*question);
  no_answer_.arm_at(now_ns() + (recipe().leader_command != nullptr ? kProgramTellsWithinNs : kTellsLeaderWithinNs));
}

void Cluster::take_leader(size_t leader) {
  question_->close();
  if (leader >= size()) return not_found("one that there is not");
  if (!lives(leader)) return not_found("server " + std::to_string(leader + 1) + ", which is dead");
  no_answer_.disarm();
  answer(place_of(leader) ? kill_now(leader, /*leads=*/true)
                          : Killed{.index = leader, .leads = true, .elsewhere = true});
}

void Cluster::answer(const Result<Killed>& killed) {
  on_leader_.front()(killed);
  on_leader_.pop_front();
  if (!on_leader_.empty()) find_leader();
}

void Cluster::not_found(const std::string& why) {
  if (question_) question_->close();
  why_no_leader_ = why;
  no_answer_.disarm();
  if (++asked_ < servers_.size()) return ask_for_leader();
  asked_ = 0;
  const bool any = std::ranges::any_of(indices_, [this](size_t index) { return lives(index); });
  if (any && now_ns() < ask_until_ns_) {
    again_ = true;
    return no_answer_.arm_at(now_ns() + kAskForLeaderAgainNs);
  }
  answer(fail("no server says who leads: " + why));
}

void Cluster::on_no_answer() {
  if (std::exchange(again_, false)) return ask_for_leader();
  not_found("nobody, as far as it has answered");
}

void Cluster::end() {
  no_answer_.disarm();
  question_.reset();
  asked_before_.reset();
  for (const auto& server : servers_) server->begin_to_end();
  for (const auto& server : servers_) server->end();
}

}  // namespace n2nq::serve
