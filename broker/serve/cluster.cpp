#include "broker/serve/cluster.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ranges>
#include <utility>

#include "broker/base/clock.h"
#include "broker/base/random.h"

namespace n2nq::serve {
namespace {

constexpr int64_t kTellsLeaderWithinNs = 1'000'000'000;
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
                                              .log_file = log_of(wish_.log_dir, i),
                                              .password = wish_.password,
                                              .settings = wish_.settings,
                                              .container = wish_.container},
                                 Served::Callbacks{.on_ready = [this] { is_ready(); },
                                                   .on_lost = [this, i](const std::string& why) { lost(i, why); }}));
  killed_.resize(servers_.size());
}

Cluster::~Cluster() {
  end();
}

Result<void> Cluster::start() {
  for (const auto& server : servers_)
    if (auto held = server->hold_port(); !held) return held;
  for (const auto& server : servers_) {
    if (auto prepared = server->prepare(); !prepared) return prepared;
    const Site& site = server->site();
    members_.push_back({.listen = site.listen, .more_ports = site.more_ports, .name = site.name()});
  }
  cookie_ = id_text(random_id()) + id_text(random_id());
  return start_from(0);
}

// All of them, or the first alone.
Result<void> Cluster::start_from(size_t index) {
  for (size_t i = index; i < servers_.size(); i++) {
    if (auto started = servers_[i]->start(members_, i, cookie_); !started) return started;
    if (i == 0 && recipe().one_first) break;
  }
  return {};
}

void Cluster::is_ready() {
  if (++ready_ == servers_.size()) return callbacks_.on_ready();
  if (ready_ != 1 || !recipe().one_first) return;
  const auto started = start_from(1);
  if (const auto on_lost = started ? nullptr : std::exchange(callbacks_.on_lost, nullptr))
    on_lost(started.error().text);
}

std::string Cluster::name_of(size_t index) const {
  if (size() == 1) return "the server of this run, " + std::string(recipe().title) + ",";
  return "server " + std::to_string(index + 1) + " of " + std::to_string(size()) + " of this run, " +
         std::string(recipe().title) + ",";
}

void Cluster::lost(size_t index, const std::string& why) {
  if (ready_ < servers_.size() || std::ranges::none_of(servers_, [](const auto& one) { return one->runs(); })) {
    const auto on_lost = std::exchange(callbacks_.on_lost, nullptr);
    const bool all = ready_ == servers_.size() && size() > 1;
    if (on_lost)
      on_lost(!all             ? name_of(index) + " " + why
              : killed_[index] ? "all servers of this run have ended, the last one as it was killed"
                               : "all servers of this run have ended; the last one, number " +
                                     std::to_string(index + 1) + ", " + why);
    return;
  }
  if (!killed_[index] && callbacks_.on_gone) callbacks_.on_gone(index, why);
}

Result<Cluster::Killed> Cluster::kill_now(size_t index, bool leads) {
  if (index >= size()) return fail("there is no server " + std::to_string(index + 1) + " of " + std::to_string(size()));
  if (!lives(index) || servers_[index]->pid() <= 0)
    return fail("server " + std::to_string(index + 1) + " has ended before");
  const int64_t at_ns = now_ns();
  if (::kill(servers_[index]->pid(), SIGKILL) != 0)
    return fail("server " + std::to_string(index + 1) + " cannot be killed: " + std::strerror(errno), errno);
  killed_[index] = true;
  return Killed{.index = index, .leads = leads, .at_ns = at_ns};
}

bool Cluster::lives(size_t index) const {
  return servers_[index]->runs() && !killed_[index];
}

void Cluster::kill(size_t index, const OnKilled& done) {
  done(kill_now(index, /*leads=*/false));
}

void Cluster::kill_leader(OnKilled done) {
  if (recipe().leader == nullptr && recipe().find_leader == nullptr)
    return done(fail("of " + std::string(recipe().title) + " nobody leads"));
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
  while (asked_ < size() && !lives(asked_)) asked_++;
  if (asked_ == size()) return not_found(why_no_leader_.empty() ? "none of them runs" : why_no_leader_);
  if (recipe().find_leader != nullptr) return take_leader(recipe().find_leader(servers_[asked_]->site()));
  auto question =
      Question::ask(loop_, servers_[asked_]->site().listen, recipe().leader_question(servers_[asked_]->site()),
                    {.on_answer =
                         [this](const std::string& so_far) {
                           if (const auto leader = recipe().leader(servers_[asked_]->site(), so_far))
                             take_leader(leader);
                         },
                     .on_failed = [this](const std::string& why) { not_found(why); }});
  if (!question) return not_found(question.error().text);
  question_ = std::move(*question);
  no_answer_.arm_at(now_ns() + kTellsLeaderWithinNs);
}

void Cluster::take_leader(std::optional<size_t> leader) {
  if (!leader) return not_found("nobody, as far as it has answered");
  if (*leader < size() && !lives(*leader))
    return not_found("server " + std::to_string(*leader + 1) + ", which is dead");
  if (question_) question_->close();
  no_answer_.disarm();
  answer(kill_now(*leader, /*leads=*/true));
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
  if (++asked_ < size()) return ask_for_leader();
  asked_ = 0;
  const bool any = std::ranges::any_of(std::views::iota(size_t{0}, size()), [this](size_t i) { return lives(i); });
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
