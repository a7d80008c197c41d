// Campaigns that are not finished: what is shown of them, and that they go on by clicks. What a bench that is killed
// leaves is in tests/headless/campaign_kill_test.cpp.
#include <csignal>

#include "tests/gui/campaign_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

const char* const kEachPointOnce = "1|1|1\n2|1|1\n3|1|1\n4|1|1\n";

class CampaignAgain : public CampaignRig {
 protected:
  std::string passed() const {
    return sql(
        "SELECT campaign_point, campaign_repeat, count(*) FROM results WHERE verdict = 'passed' GROUP BY 1, 2 "
        "ORDER BY 1, 2");
  }
  std::string verdicts() const { return sql("SELECT verdict, count(*) FROM results GROUP BY 1 ORDER BY 1"); }
};

// Its senders stand still, so that stopping takes until it is killed.
TEST_F(CampaignAgain, AKilledRunLeavesNoProcessAndTheCampaignGoesOn) {
  open_small("", "300ms");
  start();
  ASSERT_TRUE(wait([&] { return pids_of("n2nq-sender").size() == 1 && state().contains(": running"); }));
  const auto sender = static_cast<pid_t>(pids_of("n2nq-sender").front());
  ::kill(sender, SIGSTOP);
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return text_of("Stop campaign") == "Kill now"; })) << state().toStdString();
  EXPECT_THAT(find("Stop campaign")->toolTip().toStdString(), HasSubstr("messages in flight are lost"));
  EXPECT_EQ(message(), "The campaign stops after this run; you can resume it later.");
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); })) << state().toStdString();
  EXPECT_NE(::kill(sender, 0), 0) << "it is gone";
  EXPECT_EQ(processes_left(), std::vector<std::string>());
  EXPECT_EQ(text_of("Stop campaign"), "Stop") << "the next stop stops";
  EXPECT_EQ(state(), "not finished: can be resumed");
  EXPECT_THAT(message(), HasSubstr("stopped by the user: 0 of 4 runs completed"));
  ASSERT_TRUE(wait([&] { return cell("Campaigns", 1, "State") == "can be resumed"; }));
  EXPECT_EQ(cell("Campaigns", 1, "Runs"), "0 of 4");
  show_part(kPoints);
  EXPECT_EQ(cell("Points", 0, "Repeat 1"), "to be repeated");
  EXPECT_EQ(verdicts(), "stopped|1\n");
  ASSERT_EQ(text_of("Start campaign"), "Resume");
  start();
  ASSERT_TRUE(wait_over()) << state().toStdString();
  EXPECT_THAT(message(), HasSubstr("all 4 runs completed"));
  EXPECT_EQ(passed(), kEachPointOnce);
  EXPECT_EQ(verdicts(), "passed|4\nstopped|1\n");
  EXPECT_EQ(cell("Points", 0, "Repeat 1"), "completed, try 2");
}

TEST_F(CampaignAgain, OneThatIsOverGoesOnWhereAResultWasDeleted) {
  make_small();
  EXPECT_FALSE(shows("Start campaign") && find("Start campaign")->isEnabled()) << "nothing is left";
  sql("UPDATE results SET deleted_utc_ns = started_utc_ns WHERE id = 2");
  click("Page Results");
  click("Page Campaigns");
  ASSERT_TRUE(wait([&] { return state() == "finished, but results are missing: can be resumed"; }))
      << state().toStdString();
  EXPECT_TRUE(wait([&] { return text_of("Runs completed") == "3 of 4 runs"; }))
      << text_of("Runs completed").toStdString();
  ASSERT_EQ(text_of("Start campaign"), "Resume");
  start();
  ASSERT_TRUE(wait_over()) << state().toStdString();
  EXPECT_TRUE(wait([&] { return text_of("Runs completed") == "4 of 4 runs"; }))
      << text_of("Runs completed").toStdString();
  EXPECT_EQ(sql("SELECT count(*) FROM results WHERE deleted_utc_ns IS NULL"), "4\n");
}

// How many runs a search takes turns out.
TEST_F(CampaignAgain, ASearchSaysHowManyRunsThereAreSoFar) {
  const auto file = dir_ / "most.json";
  std::ofstream(file) << R"({"version": 1, "name": "most services",
    "base": {"senders": {"messages": 3, "delay": "100ms"}},
    "search": {"vary": "services", "from": 1, "to": 4, "limits": ["lost = 0"]}})";
  open_page();
  drop(file, QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return state().startsWith("a search: about "); })) << state().toStdString() << message();
  start();
  const auto in_list = [&] { return cell("Campaigns", rows("Campaigns") - 1, "Runs"); };
  EXPECT_EQ(in_list(), "0 so far");
  ASSERT_TRUE(wait([&] { return text_of("Runs completed").startsWith("1 of about "); }))
      << text_of("Runs completed").toStdString();
  EXPECT_TRUE(wait([&] { return in_list() == "1 so far"; })) << in_list().toStdString();
  EXPECT_TRUE(shows("Campaign progress")) << "of as many as it takes at most";
  click("Stop campaign");
  ASSERT_TRUE(wait([&] { return !find("Stop campaign")->isEnabled(); }));
  ASSERT_TRUE(wait([&] { return cell("Campaigns", rows("Campaigns") - 1, "State") == "can be resumed"; }));
  EXPECT_THAT(in_list().toStdString(), testing::EndsWith(" so far"));
  start();
  ASSERT_TRUE(wait_over()) << state().toStdString();
  ASSERT_TRUE(wait([&] { return cell("Campaigns", rows("Campaigns") - 1, "State") == "finished"; }));
  const QString made = QString::fromStdString(sql("SELECT count(*) FROM results WHERE verdict = 'passed'")).trimmed();
  EXPECT_EQ(in_list(), made);
  EXPECT_EQ(text_of("Runs completed"), made + " runs");
  close_window();
  open_page();
  ASSERT_TRUE(wait([&] { return cell("Campaigns", rows("Campaigns") - 1, "State") == "finished"; }));
  EXPECT_EQ(in_list(), made) << "as it is listed from the store";
}

}  // namespace
}  // namespace n2nq::test
