// Where a worker's lines go and where its commands come from: stdout alone, stdin and stdout (--controlled), or a
// controller that attaches over TCP (--control), which gets what stdout gets. Thread: the control loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/control/control_link.h"
#include "broker/control/control_listener.h"
#include "broker/net/event_loop.h"
#include "workers/control/commands.h"
#include "workers/fleet/options.h"

namespace n2nq::fleet {

// Lines on stderr for people. A thousand services with the same trouble make a few lines and one that counts the rest.
// Any thread.
class Complaints {
 public:
  explicit Complaints(std::string program) : program_(std::move(program)) {}

  void say(const std::string& text);
  // One of possibly many alike.
  void say_one_of_many(const std::string& who, const std::string& text);
  // How many were not printed.
  void close();

 private:
  static constexpr uint64_t kShown = 3;

  void print(const std::string& text);

  std::string program_;
  std::mutex mutex_;
  uint64_t many_ = 0;
};

class ControlDesk {
 public:
  struct Callbacks {
    std::function<void(const control::Token&, const control::BusAccess&)>
        on_hello;                                 // --controlled only: now it may connect
    std::function<void(std::string)> on_refused;  // --controlled only: it never will
    std::function<Result<void>(const control::Command&)> on_command;
    std::function<void(std::string reason)> on_lost;  // the controller is gone
    std::function<void()> on_attached;                // a controller came over TCP and knows nothing yet
  };

  ControlDesk(net::EventLoop& loop, const WorkerOptions& options, Callbacks callbacks);

  // Listens, where --control says so. The error names the address.
  Result<void> listen(const control::Token& token);
  std::optional<uint16_t> port() const;

  void start() { console_->start(); }
  // Lines for people who script: always. Events and telemetry: where somebody listens for them.
  void say(std::string_view line);
  void say_live(std::string_view line);
  // As say_live(); with --keep-summary it is also kept, for the file of the summary, until the controller has heard it.
  void say_telemetry(const std::string& line, uint64_t sequence);
  void heard(uint64_t sequence);
  // As say_live(), but with the last line, whose end is waited for: there may be more than the queue of lines takes.
  void say_last(const std::vector<std::string>& lines);
  bool idle() const;  // a line of telemetry can be said
  uint64_t dropped_lines() const { return console_->dropped_lines(); }
  // What was kept for the end, and the last line; where stdout does not take it, it goes to a file in the log folder.
  // `keep`: also into the log folder, as whoever would read it may be gone, behind the telemetry that was not heard.
  Result<void> finish(const std::string& summary, const std::string& noun, bool keep);

 private:
  Result<void> take(const std::string& type, const nlohmann::json& message);
  // Then lines wait and merge, as where the output does not take them.
  static constexpr size_t kMostUnheardBytes = 8 << 20;

  struct Unheard {
    uint64_t sequence = 0;
    std::string line{};
  };

  control::ControlLink* visitor() const { return listener_ ? listener_->controller() : nullptr; }

  net::EventLoop& loop_;
  const WorkerOptions& options_;
  Callbacks callbacks_;
  std::unique_ptr<control::ControlLink> console_;
  std::unique_ptr<control::ControlListener> listener_;
  std::string ready_;  // for whoever attaches later
  std::deque<Unheard> unheard_;
  size_t unheard_bytes_ = 0;
  std::string last_lines_;
};

}  // namespace n2nq::fleet
