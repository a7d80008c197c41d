#include "app/run/run_comings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/record/backlog.h"
#include "app/record/pauses.h"
#include "app/text/quantity.h"

namespace n2nq::run {

RunComings::RunComings(const plan::RunPlan& plan, const RunStage& stage, const live::LiveFigures& live, TakeNote note,
                       Elapsed elapsed)
    : plan_(plan.receivers),
      stage_(stage),
      live_(live),
      note_(std::move(note)),
      elapsed_(std::move(elapsed)),
      timer_([this] { make_due(); }),
      changes_(plan::changes_of(plan_.away)),
      away_(plan.receivers.fleet.count) {}

void RunComings::send_to(Worker& receivers) const {
  if (const auto away = plan_.away_at_first()) receivers.send(control::GoAwayCommand{*away});
}

void RunComings::begin() {
  if (const auto away = plan_.away_at_first()) note({.begins = true, .receivers = *away}, {});
  while (next_ < changes_.size() && changes_[next_].at_ns == 0) next_++;  // those are in it
  look_ns_ = plan_.scaling.every_ns;
  make_due();
}

void RunComings::end() {
  timer_.stop();
  next_ = changes_.size();
  look_ns_ = 0;
}

void RunComings::make_due() {
  const int64_t now_ns = elapsed_().value_or(0);
  for (; next_ < changes_.size() && changes_[next_].at_ns <= now_ns; next_++) make(changes_[next_]);
  if (look_ns_ > 0 && look_ns_ <= now_ns) look();
  if (next_ < changes_.size()) timer_.wait(changes_[next_].at_ns - elapsed_().value_or(0));
  if (look_ns_ > 0) timer_.wait(look_ns_ - elapsed_().value_or(0));
}

// By as many as are there, so that the last that came goes first.
void RunComings::look() {
  look_ns_ = elapsed_().value_or(0) + plan_.scaling.every_ns;
  const auto messages = waiting();
  if (!messages) return;
  const auto all = static_cast<uint32_t>(away_.size());
  const auto there = static_cast<uint32_t>(std::ranges::count(away_, false));
  const uint32_t next = plan::next_count(plan_.scaling, there, all, *messages);
  if (next == there) return;
  const uint32_t moves = std::max(next, there);
  make({.begins = next < there, .receivers = {.ranges = {{.first = moves, .last = moves}}}},
       text::count(std::llround(*messages)) + (*messages == 1 ? " message waits" : " messages wait"));
}

// Up to the moment that all workers have spoken of; nothing before they have.
std::optional<double> RunComings::waiting() const {
  const auto slots = live_.series().points(0, live_.complete_until_ns(), live::TimeSeries::kMaxSlots);
  if (slots.empty()) return std::nullopt;
  return record::backlog_of(slots, 1).back().deliveries;
}

bool RunComings::any_away(const control::ServiceSet& receivers) const {
  for (uint32_t i = 0; i < away_.size(); i++)
    if (away_[i] && receivers.contains(i + 1)) return true;
  return false;
}

// Who is there at the end removes what the run has made at a server.
bool RunComings::somebody_stays() {
  const live::ServiceState first = live_.receivers().front().state;
  const bool stays = first < live::ServiceState::stopped;
  if (first == live::ServiceState::gone && !std::exchange(told_, true))
    note_({.severity = record::Severity::warning,
           .text = "receiver 1 is gone: no other is sent away any more, so that somebody takes what waits"});
  return stays;
}

void RunComings::make(const plan::ReceiverChange& change, const std::string& why) {
  if (change.begins ? !somebody_stays() : !any_away(change.receivers)) return;
  for (const auto& worker : stage_.group(Role::receiver).workers()) {
    if (change.begins)
      worker->send(control::GoAwayCommand{change.receivers});
    else
      worker->send(control::ComeCommand{change.receivers});
  }
  note(change, why);
}

void RunComings::note(const plan::ReceiverChange& change, const std::string& why) {
  for (uint32_t i = 0; i < away_.size(); i++)
    if (change.receivers.contains(i + 1)) away_[i] = change.begins;
  note_(record::coming_note(change.receivers, change.begins, static_cast<uint64_t>(std::ranges::count(away_, false)),
                            away_.size(), why));
}

}  // namespace n2nq::run
