// What a run takes from its surroundings rather than from its plan. A value.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "app/record/run_record.h"

namespace n2nq::plan {
class Permissions;
}

namespace n2nq::run {

class HostLinks;

struct SessionOptions {
  static constexpr std::chrono::milliseconds kSurvives{10'000};

  std::string programs{};                           // folder of the four programs that hosts run
  std::string runs_folder{};                        // a folder for each run is made in here
  std::string begun_folder{};                       // what is kept of where runs are; see journal/begun_runs.h
  std::chrono::milliseconds ready_timeout{10'000};  // from start of a process to its `ready`
  // How patient a stop is: senders are asked to stop; when nothing has moved for the plan's drain timeout, its stall
  // timeout and `quiet_timeout`, all are; then SIGTERM to senders and receivers, then SIGKILL, with `term_timeout`
  // between them. The queue is next only where it has not ended by itself `term_timeout` after the last of them.
  std::chrono::milliseconds quiet_timeout{2'000};
  std::chrono::milliseconds exit_timeout{7'000};  // from END, or the broker's summary, to the exit of all
  std::chrono::milliseconds term_timeout{2'000};
  std::chrono::milliseconds ping_interval{2'000};
  std::optional<record::CampaignPlace> campaign{};  // of the run that is made
  std::function<int64_t()> wall_clock{};  // in UTC, ns since 1970, for what starts at times of day; null: the system's
  // Told of each step of a campaign after which it could be cut off, from any thread; null: nobody is.
  std::function<void(const char* step)> at_step{};
  HostLinks* links = nullptr;  // to the hosts that plans name; outlives the runs. Null: there are none
  // What plans may send where; outlives the runs. Null: plans are the bench's own.
  const plan::Permissions* permissions = nullptr;
  // From when both are there until a first service of a process elsewhere has reached the queue.
  std::chrono::milliseconds reach_timeout{10'000};
  std::chrono::milliseconds reconnect_timeout{30'000};  // after the run, for the logs of a host whose link was lost

  // How long what runs on a host goes on by itself after the link to it is lost; a host may have it longer. By default,
  // and no longer, it stops at once where it is told of the loss by the end of its input.
  std::chrono::milliseconds survive = kSurvives;
  std::chrono::milliseconds survive_on(const std::string& host) const;
  bool survives_longer_on(const std::string& host) const { return survive_on(host) > kSurvives; }

  int64_t wall_now_ns() const {
    return wall_clock ? wall_clock()
                      : std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  void reached(const char* step) const {
    if (at_step) at_step(step);
  }
};

}  // namespace n2nq::run
