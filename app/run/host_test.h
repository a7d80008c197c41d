// Tries one host, step by step: the way to it, what is there, and what runs need of it. UI thread; never blocks.
// Destroying it ends the trial; the link is left as it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/host_link.h"
#include "app/run/run_sequence.h"
#include "app/run/stepped_test.h"
#include "app/run/trial_folder.h"

namespace n2nq::run {

// Short real runs after the steps of the link, in which processes connect to a queue as they do in any run.
struct HostTrial {
  SessionOptions options{};  // runs_folder does not matter
  std::string queue{};       // the host that the plan has its queue on; empty: this computer
  std::string listen{};      // and where it listens there, as the plan says
};

class HostTest : public SteppedTest {
  Q_OBJECT

 public:
  // The link outlives the test; in no run. It is opened again, so that each step is seen.
  explicit HostTest(launch::HostLink& link, std::optional<HostTrial> trial = {}, QObject* parent = nullptr);
  ~HostTest() override;

  void start();
  // Over, and runs may have their processes there: the steps of the link have passed, and it is open.
  bool usable() const;
  bool reached() const;  // whatever else does not work, commands run there
  // How far a clock there may be off the queue's, as the last short run found; nothing: it has one clock, or none ran.
  std::optional<int64_t> clock_error_ns() const { return clock_error_ns_; }

 private:
  void on_step(const launch::StepReport& report);
  void on_failed(const launch::LinkFailure& failure);
  void on_state();
  void look_further();
  void look_at_port(const std::string& address, bool own);
  void go_on();
  void begin_run(size_t step);
  void end_run(size_t step);
  void conclude(size_t step, TestStep::Mark mark, const std::string& text);
  void end();

  launch::HostLink& link_;
  std::optional<int64_t> clock_error_ns_;
  std::vector<launch::Job> jobs_;
  std::optional<HostTrial> trial_;
  std::unique_ptr<TrialFolder> folder_;
  std::unique_ptr<RunSequence> sequence_;
  bool opening_ = false;
};

}  // namespace n2nq::run
