// A link from closed to open: the steps, who is asked what, and what is brought there.
#include "tests/launch/link_rig.h"

namespace n2nq::launch {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Opening : public LabTest {};

TEST_F(Opening, GoesThroughEachStepAndBringsTheProgramsThereOnce) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  ASSERT_THAT(told.steps, SizeIs(6));
  EXPECT_THAT(told.step(LinkStep::login), HasSubstr("as lab, with the key"));
  EXPECT_EQ(told.step(LinkStep::upload), "3 programs brought there");
  EXPECT_EQ(link->work_folder(), lab_->home("vm1").string() + "/.cache/n2nq-bench");
  link->close();
  EXPECT_EQ(link->state(), HostLink::State::closed);
  told.steps.clear();
  ASSERT_TRUE(told.open()) << told.all();
  EXPECT_EQ(told.step(LinkStep::upload), "3 programs, there already");
  EXPECT_THAT(told.questions, IsEmpty());
  link.reset();
  expect_clean("vm1");
}

TEST_F(Opening, ABrokerStartedThereSpeaksTheControlProtocol) {
  auto link = link_to(host("vm1"));
  Told told(*link);
  ASSERT_TRUE(told.open()) << told.all();
  auto broker = link->launch({.role = Role::broker, .arguments = {"--controlled", "--listen", "127.0.0.1:0"}});
  Heard heard(*broker);
  ASSERT_TRUE(heard.wait_started());
  EXPECT_EQ(broker->place(), "vm1");
  EXPECT_GT(broker->pid(), 0);
  broker->channel().write("{\"type\":\"hello\",\"token\":\"s3cret\"}\n");
  ASSERT_TRUE(told.wait([&] { return broker->channel().canReadLine(); }));
  EXPECT_THAT(broker->channel().readLine().toStdString(), HasSubstr("\"type\":\"ready\""));
  broker->channel().write("{\"type\":\"stop\"}\n");
  ASSERT_TRUE(heard.wait_end());
  EXPECT_GE(heard.end->exit_code, 0) << heard.end->text;
  expect_clean("vm1");
}

}  // namespace
}  // namespace n2nq::launch
