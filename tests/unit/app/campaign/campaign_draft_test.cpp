#include "app/campaign/campaign_draft.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/campaign/campaign_reader.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::campaign {
namespace {

using testing::HasSubstr;

struct CampaignDraftTest : testing::Test {
  std::string path() const { return (dir / "last-campaign.json").string(); }
  n2nq::test::TempDir dir;
};

CampaignForm called(const char* name) {
  CampaignForm form;
  form.rest.name = name;
  return form;
}

TEST_F(CampaignDraftTest, OutlivesARestartHalfTyped) {
  {
    CampaignDraft draft(path());
    EXPECT_FALSE(draft.form());
    draft.begin(called("first"), "first");
    draft.edit("pause", [](CampaignForm& form) { form.pause = "2 s, or"; });
  }
  const CampaignDraft again(path());
  ASSERT_TRUE(again.form());
  EXPECT_EQ(again.form()->rest.name, "first");
  EXPECT_EQ(again.form()->pause, "2 s, or");
  EXPECT_FALSE(again.trouble());
}

TEST_F(CampaignDraftTest, WhatIsTypedAfterAStepWasEndedIsAStepOfItsOwn) {
  CampaignDraft draft(path());
  EXPECT_EQ(draft.end_step(), 0u);
  draft.begin(called("first"), "first");
  draft.edit("pause", [](CampaignForm& form) { form.pause = "1"; });
  EXPECT_EQ(draft.end_step(), 2u);
  draft.edit("pause", [](CampaignForm& form) { form.pause = "1s"; });
  EXPECT_EQ(draft.steps(), 3u);
  EXPECT_EQ(draft.undo(), "pause");
  EXPECT_EQ(draft.steps(), 2u);
  EXPECT_EQ(draft.form()->pause, "1");
  for (int i = 0; i < 500; i++)
    draft.edit(std::to_string(i), [i](CampaignForm& form) { form.pause = std::to_string(i); });
  EXPECT_EQ(draft.steps(), 502u) << "also those that are too many to be kept";
}

TEST_F(CampaignDraftTest, TakesBackFieldByField) {
  CampaignDraft draft(path());
  draft.begin(called("first"), "first");
  for (const char* text : {"1", "1s"}) draft.edit("pause", [text](CampaignForm& form) { form.pause = text; });
  draft.edit("limit", [](CampaignForm& form) { form.limit = "p"; });
  draft.begin(called("second"), "second");
  EXPECT_EQ(draft.undo(), "second");
  EXPECT_EQ(draft.form()->rest.name, "first");
  EXPECT_EQ(draft.form()->limit, "p");
  EXPECT_EQ(draft.undo(), "limit");
  EXPECT_EQ(draft.form()->pause, "1s");
  EXPECT_EQ(draft.undo(), "pause") << "one step for all that was typed there";
  EXPECT_EQ(draft.form()->pause, "0s");
  EXPECT_EQ(draft.redo(), "pause");
  EXPECT_EQ(draft.form()->pause, "1s");
}

TEST_F(CampaignDraftTest, IsCalledAfterItsBusesUntilItIsGivenAName) {
  CampaignDraft draft(path());
  draft.begin(form_of_buses({}, {"kafka", "rabbitmq"}), "begin");
  EXPECT_EQ(draft.form()->rest.name, "Kafka and RabbitMQ") << "a plan without a name adds nothing";
  const auto set_values = [&](const char* values) {
    draft.edit("values", [values](CampaignForm& form) { form.axes.front().values = values; });
    return draft.form()->rest.name;
  };
  EXPECT_EQ(set_values("nats, redis-streams, rabbi"), "NATS, Redis Streams and rabbi");
  EXPECT_EQ(set_values("nats, redis-streams"), "NATS and Redis Streams");
  draft.edit("base", [](CampaignForm& form) { form.rest.base.name = "night"; });
  EXPECT_EQ(draft.form()->rest.name, "night over NATS and Redis Streams");
  draft.edit("name", [](CampaignForm& form) { form.rest.name = "mine"; });
  EXPECT_EQ(set_values("nats, kafka"), "mine");
  draft.undo();
  draft.undo();
  EXPECT_EQ(draft.form()->rest.name, "night over NATS and Redis Streams");
}

TEST_F(CampaignDraftTest, PutsADamagedFileAside) {
  std::ofstream(path()) << "{\"campaign\":";
  const CampaignDraft draft(path());
  EXPECT_FALSE(draft.form());
  ASSERT_TRUE(draft.trouble());
  EXPECT_THAT(*draft.trouble(), HasSubstr(".damaged-"));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST(CheckOfACampaign, SaysWhatItComesToAndWhatKeepsItFromStarting) {
  CampaignForm form = form_of_plan({});
  Check checked = check(form, {}, "/tmp");
  EXPECT_EQ(checked.problem, std::nullopt);
  EXPECT_EQ(checked.estimate.runs, 6u);
  EXPECT_TRUE(checked.free_bytes);
  EXPECT_FALSE(checked.reads_external);
  form.rest.base.receivers.fleet.hosts = {kExternal};
  checked = check(form, {}, "/tmp");
  EXPECT_TRUE(checked.reads_external);
  EXPECT_EQ(checked.problem, std::nullopt) << "without hosts it runs here";
  form.external_senders = "vm9";
  EXPECT_THAT(check(form, {}, "/tmp").problem.value_or(""), HasSubstr("vm9"));
  form.external_senders.clear();
  form.rest.base.senders.messages = 1'000'000'000;
  checked = check(form, {}, "/tmp");
  EXPECT_TRUE(checked.too_large) << checked.problem.value_or("");
  EXPECT_THAT(checked.problem.value_or(""), HasSubstr("free some space there"));
}

}  // namespace
}  // namespace n2nq::campaign
