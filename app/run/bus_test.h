// Tries one bus, step by step: the program of its server, the server itself, one sender and one receiver, ten messages,
// and the end. It makes a short real run, whose result is not kept. UI thread; never blocks.
// Destroying it ends the run at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/run_sequence.h"
#include "app/run/server_look.h"
#include "app/run/stepped_test.h"
#include "app/run/trial_folder.h"

namespace n2nq::run {

class BusTest : public SteppedTest {
  Q_OBJECT

 public:
  // `host`: where all of it runs; empty: this computer. Of the options runs_folder does not matter; its links outlive
  // the test.
  BusTest(const bus::BusTraits& bus, std::string host, SessionOptions options, QObject* parent = nullptr);
  ~BusTest() override;

  void start();
  // The run ends early, and over() comes as soon as it has; a second time kills it.
  void stop();
  const bus::BusTraits& bus() const { return bus_; }
  const std::string& host() const { return host_; }
  bool stopped() const { return stopped_; }
  // Over, and the program of its server is not there.
  bool lacks_server() const { return lacks_server_; }
  // Why the host could not be used; nothing: it could.
  const std::optional<launch::LinkFailure>& host_failure() const { return host_failure_; }
  // What was asked for it, where that was answered.
  const std::optional<InstalledServers>& servers() const { return servers_; }

 private:
  // Without a server the queue process alone is started, and the first is not there.
  enum class Step { program, start, services, messages, end };
  size_t at(Step step) const { return static_cast<size_t>(step) - (needs_server() ? 0 : 1); }
  bool needs_server() const { return !bus_.server.empty(); }
  void on_looked();
  void begin_run();
  void on_state();
  void pass(Step step, const std::string& text);
  void fail_at(size_t step, const std::string& text);
  void end_run();
  std::string started_text() const;
  std::string left_behind() const;

  const bus::BusTraits& bus_;
  std::string host_;
  SessionOptions options_;
  std::unique_ptr<ServerLook> look_;
  std::optional<InstalledServers> servers_;
  std::optional<launch::LinkFailure> host_failure_;
  std::unique_ptr<TrialFolder> folder_;
  std::unique_ptr<RunSequence> sequence_;
  std::vector<int64_t> processes_;  // here, as far as they are known
  bool lacks_server_ = false;
  bool stopped_ = false;
};

}  // namespace n2nq::run
