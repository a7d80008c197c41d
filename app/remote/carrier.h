// What carries the processes of one host: SSH, or a command of this computer. UI thread.
// States: closed -> opening -> open; closed from any (close(), `failed`, or the events' `lost`).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/remote/exec.h"
#include "app/remote/link_events.h"
#include "broker/base/result.h"

namespace n2nq::remote {

struct CarrierEvents {                                                  // all from the event loop
  std::function<void(const StepReport&)> step_passed{};                 // opening; ok only
  std::function<void(const LinkQuestion&, const LinkAnswer&)> asked{};  // opening
  std::function<void()> opened{};                                       // opening -> open
  std::function<void(const LinkFailure&)> failed{};                     // opening, open -> closed; `broken` from open
};

// What a command is for, as the template of a command host may name it.
struct Occasion {
  std::string role = "shell";  // {role}: of a process of a run sender, receiver, queue, recorder
  std::string cpus = "0";      // {cpus}: its limit; 0: none
  std::string memory = "0";    // {memory}: in bytes
};

class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void open() = 0;
  virtual void close() = 0;
  // open. Never fails by itself: what goes wrong comes as its end.
  virtual std::unique_ptr<Exec> exec(const std::vector<std::string>& arguments, const Occasion& occasion) = 0;
  // Whether a signal reaches the process there, and not only what carries it.
  virtual bool signals_reach() const = 0;
};

}  // namespace n2nq::remote
