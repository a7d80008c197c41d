// A session over the real programs, in a folder of its own; nothing may be left behind.
#pragma once

#include <gmock/gmock.h>

#include <sys/types.h>

#include <QTest>
#include <functional>
#include <map>
#include <memory>

#include "app/run/run_session.h"
#include "tests/helpers/log_file.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::run {

inline constexpr int kPatienceMs = 60'000;

// Five senders, four receivers, 20 messages each, 10 ms apart: a fifth of a second.
plan::RunPlan short_plan();
// The same for a minute, to be ended early.
plan::RunPlan long_plan();

// A process of that program that this one has started; -1: there is none.
pid_t child_called(const std::string& name);

class SessionRig : public testing::Test {
 protected:
  ~SessionRig() override;

  SessionOptions options() const;
  RunSession& make(const plan::RunPlan& plan) { return make(plan, options()); }
  RunSession& make(const plan::RunPlan& plan, const SessionOptions& options);

  bool wait(const std::function<bool()>& condition) const { return QTest::qWaitFor(condition, kPatienceMs); }
  bool wait_for(State state) {
    return wait([&] { return session_->state() >= state; });
  }
  bool wait_received(int64_t count) {
    return wait([&] { return session_->live().all_receivers().count >= count; });
  }
  const record::RunRecord& over();  // waits for the end
  int64_t pid_of(Role role) const;
  std::string story() const;  // the run log

  uint64_t logged(const std::string& role) const;  // message lines in the log files
  // Sets up N2NQ programs in a folder where one can be replaced by a script.
  std::string programs_with(const std::string& name, const std::string& script);

  test::TempDir dir_;
  std::unique_ptr<RunSession> session_;
};

}  // namespace n2nq::run
