#include "tests/launch/link_rig.h"

#include <algorithm>
#include <fstream>

namespace n2nq::launch {

Told::Told(HostLink& told) : link(told) {
  QObject::connect(&link, &HostLink::step_passed, &link, [this](const StepReport& report) { steps.push_back(report); });
  QObject::connect(&link, &HostLink::failed, &link,
                   [this](const LinkFailure& failure) { failures.push_back(failure); });
  QObject::connect(&link, &HostLink::asked, &link, [this](const LinkQuestion& question, const LinkAnswer& answer) {
    questions.push_back(question);
    if (answers.empty()) return unanswered.push_back(answer);
    const auto text = answers.front();
    answers.pop_front();
    answer(text);
  });
}

bool Told::wait(const std::function<bool()>& until) const {
  return QTest::qWaitFor(until, kPatienceMs * test::patience());
}

bool Told::wait_state(HostLink::State state) const {
  return wait([&] { return link.state() == state; });
}

bool Told::open() {
  const size_t before = failures.size();
  link.open();
  return wait([&] { return link.state() == HostLink::State::open || failures.size() > before; }) &&
         link.state() == HostLink::State::open;
}

std::string Told::all() const {
  std::string text;
  for (const StepReport& report : steps)
    text += to_text(report.step) + (report.ok ? ": " : " FAILED: ") + report.text + "\n";
  for (const LinkFailure& failure : failures) text += "failed: " + failure.text + "\n";
  for (const LinkQuestion& question : questions) text += "asked: " + question.text + "\n";
  return text;
}

std::string Told::step(LinkStep wanted) const {
  for (const StepReport& report : steps)
    if (report.step == wanted) return report.text;
  return {};
}

bool Outcome::wait() const {
  return QTest::qWaitFor([this] { return times > 0; }, kPatienceMs * test::patience());
}

void LabTest::SetUp() {
  if (const auto why = test::Lab::why_not()) GTEST_SKIP() << *why;
  lab_ = std::make_unique<test::Lab>(hosts_have_programs() ? N2NQ_PROGRAMS_FOR_HOSTS : "");
  lab_->enter();
}

void LabTest::TearDown() {
  lab_.reset();
}

hosts::Host LabTest::host(const std::string& name) const {
  return {.name = name,
          .address = lab_->address(name),
          .user = test::Lab::kUser,
          .key_file = lab_->key(),
          .jump = name == "vm3" ? "gate" : ""};
}

std::vector<hosts::Host> LabTest::list() const {
  return {host("vm1"), host("vm2"), host("vm3"), host("gate")};
}

LinkOptions LabTest::options() const {
  return {.programs = N2NQ_PROGRAMS_FOR_HOSTS, .known_hosts = lab_->known_hosts(), .use_agent = false};
}

std::unique_ptr<HostLink> LabTest::link_to(const hosts::Host& host) const {
  return std::make_unique<HostLink>(host, list(), options());
}

std::vector<std::string> LabTest::leftovers(const std::string& name) const {
  std::vector<std::string> found;
  for (const char* folder : {".cache/n2nq-bench", "small/work", "noexec/work"}) {
    std::error_code none;
    const auto root = lab_->inside(name, lab_->home(name) / folder / "cache");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root, none))
      if (entry.path().filename().string().starts_with(".")) found.push_back(entry.path());
  }
  return found;
}

void LabTest::expect_clean(const std::string& name, test::Deadline deadline) const {
  EXPECT_TRUE(lab_->wait_no_process(name, deadline))
      << name << " still has " << testing::PrintToString(lab_->processes(name));
  EXPECT_THAT(leftovers(name), testing::IsEmpty());
}

std::filesystem::path LabTest::place_script(const std::string& name, const std::string& script) const {
  const auto folder = lab_->home(name) / "placed";
  std::filesystem::create_directories(folder);
  std::filesystem::permissions(folder, std::filesystem::perms(0777));
  std::ofstream(folder / "n2nq-broker") << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(folder / "n2nq-broker", std::filesystem::perms(0755));
  return folder;
}

}  // namespace n2nq::launch
