// A lab and a link into it, with what the link has said so far. The test's thread is the UI thread.
#pragma once

#include <gmock/gmock.h>

#include <QTest>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "app/launch/host_link.h"
#include "tests/helpers/lab/lab.h"
#include "tests/unit/app/launch/heard.h"

namespace n2nq::launch {

// A link, and all that it has signalled.
struct Told {
  explicit Told(HostLink& link);

  bool wait(const std::function<bool()>& until) const;
  bool wait_state(HostLink::State state) const;
  // Opens and waits for the outcome.
  bool open();
  std::string all() const;  // steps and failures, for a test's message
  std::string step(LinkStep step) const;

  HostLink& link;
  std::vector<StepReport> steps;
  std::vector<LinkFailure> failures;
  std::vector<LinkQuestion> questions;
  std::deque<std::optional<std::string>> answers;  // to questions to come, in order; then none is answered
  std::vector<LinkAnswer> unanswered;
};

// Whether a job was done, and with what.
struct Outcome {
  HostLink::Done done() {
    return [this](const Result<void>& result) {
      times++;
      ok = result.has_value();
      if (!result) text = result.error().text;
    };
  }
  bool wait() const;
  int times = 0;
  bool ok = false;
  std::string text;
};

class LabTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  virtual bool hosts_have_programs() const { return true; }

  hosts::Host host(const std::string& name) const;  // by the key without a passphrase
  std::vector<hosts::Host> list() const;
  LinkOptions options() const;
  std::unique_ptr<HostLink> link_to(const hosts::Host& host) const;
  // No process, and no file below the work folder that is not of the cache or of a run.
  void expect_clean(const std::string& name, test::Deadline deadline = test::Deadline(std::chrono::seconds(15))) const;
  std::vector<std::string> leftovers(const std::string& name) const;
  // A "broker" that is this shell script, in a work folder of its own.
  std::filesystem::path place_script(const std::string& host, const std::string& script) const;

  std::unique_ptr<test::Lab> lab_;
};

}  // namespace n2nq::launch
