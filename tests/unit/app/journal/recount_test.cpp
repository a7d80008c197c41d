// What is made of the counts of processes that left no summary.
#include "app/journal/recount.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/figures/metric.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/log_text.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::journal {
namespace {

using log::LogRole;
using record::test::write_file;
using test::LogText;
using testing::HasSubstr;
using testing::IsEmpty;

const figures::Metric& sent_metric() {
  return *std::ranges::find(figures::all_metrics(), "sent", &figures::Metric::name);
}

// A sender and a receiver of their own processes; of the sender 3 messages were heard, the queue took 5.
struct Recount : testing::Test {
  n2nq::test::TempDir dir;
  record::RunRecord record;

  Recount() {
    record.folder = dir.path().string();
    record.began_utc_ns = 1;
    record.plan.log = plan::LogLevel::full;
    record.processes = {
        {.name = "senders", .role = Role::sender, .first_service = 1, .services = 1, .figures_from = "telemetry"},
        {.name = "receivers", .role = Role::receiver, .first_service = 1, .services = 1, .figures_from = "summary"}};
    live::ServiceFigures sender{{}, Role::sender, 1};
    sender.count = sender.accepted = 3;
    live::ServiceFigures receiver{{}, Role::receiver, 1};
    receiver.count = 9;
    record.services = {sender, receiver};
    record.totals = {.sent = 5, .accepted = 5, .received = 9};
  }
  static LogText sent(uint64_t messages) {
    LogText text(LogRole::sender);
    for (uint64_t i = 1; i <= messages; i++) text.message(i, 1);
    return text;
  }
  void put(const std::string& text) { write_file(dir / "sender-1.log", text); }
  void settle() {
    const auto settled = settle_counts(record);
    ASSERT_TRUE(settled) << settled.error().text;
  }
};

TEST_F(Recount, OfAWholeLogIsExact) {
  std::string text = sent(12).text();
  log::append_end(text, "sent=12 accepted=11", 12, 0);
  put(text);
  settle();
  EXPECT_EQ(record.processes[0].figures_from, "logs");
  EXPECT_EQ(record.totals.sent, 12u);
  EXPECT_EQ(record.totals.accepted, 11u);
  EXPECT_EQ(record.services[0].count, 12);
  EXPECT_EQ(record.totals.received, 9u) << "its summary told, and its log is not here";
  EXPECT_THAT(record.notes, IsEmpty());
  EXPECT_FALSE(record::is_at_least(record, Role::sender));
  EXPECT_EQ(figures::text_of(sent_metric(), record, ""), "12");
}

TEST_F(Recount, OfRequestsAndRepliesTakesEachLineForWhatItIs) {
  record.plan.queue.mode = plan::Mode::request_reply;
  record.processes[1].figures_from = "telemetry";
  LogText asked(LogRole::sender);
  for (uint64_t i = 1; i <= 4; i++) asked.message(i, 1);
  asked.message(1, 1, log::kLogReply);
  asked.message(1, 1, log::kLogReply | log::kLogDuplicate);
  asked.message(2, 1, log::kLogReply | log::kLogCorrupt);
  asked.message(3, 1, log::kLogReply | log::kLogLate);
  asked.message(4, 1, log::kLogReply);
  asked.message(4, 2, log::kLogReply | log::kLogFurther);
  std::string text = asked.text();
  log::append_end(text, "sent=4 accepted=4 replies=2 timeouts=2", 10, 0);
  put(text);
  LogText replied(LogRole::receiver);
  for (uint64_t i = 1; i <= 4; i++) replied.message(i, 1);
  for (uint64_t i = 1; i <= 4; i++) replied.message(i, 1, log::kLogReply);
  write_file(dir / "receiver-1.log", replied.with_end(8));
  record.services = {};
  record.totals = {};
  settle();
  EXPECT_EQ(record.totals.sent, 4u);
  EXPECT_EQ(record.totals.received, 4u);
  EXPECT_EQ(record.totals.replies, 2u);
  EXPECT_EQ(record.totals.timeouts, 2u);
  EXPECT_EQ(record.totals.late_replies, 1u);
  EXPECT_EQ(record.totals.double_replies, 1u);
  EXPECT_EQ(record.totals.corrupt, 1u);
  EXPECT_EQ(record.totals.duplicates, 0u) << "of messages";
  EXPECT_EQ(record.services[1].replies, 4);
}

TEST_F(Recount, OfALogWithoutItsLastLineIsAtLeastThat) {
  put(sent(12).text());
  settle();
  EXPECT_EQ(record.totals.sent, 12u) << "the result never has less than its master file";
  EXPECT_EQ(record.processes[0].figures_from, "telemetry");
  EXPECT_TRUE(record::is_at_least(record, Role::sender));
  EXPECT_FALSE(record::is_at_least(record, Role::receiver));
  EXPECT_EQ(figures::text_of(sent_metric(), record, ""), "at least 12");
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_THAT(record.notes[0].text, HasSubstr("senders: left no summary"));
  EXPECT_THAT(record.notes[0].text, HasSubstr("at least 12"));
}

TEST_F(Recount, KnowsNothingThatNobodyCounted) {
  record.services[0].held = control::kNotCounted;
  put(sent(12).text());
  settle();
  EXPECT_EQ(record.services[0].count, 12);
  EXPECT_EQ(record.services[0].held, control::kNotCounted);
}

TEST_F(Recount, OfLinesThatADiskRefusedIsNotWhole) {
  std::string text = sent(2).text();
  log::append_end(text, "sent=12 accepted=12", 2, 10);
  put(text);
  settle();
  EXPECT_EQ(record.processes[0].figures_from, "telemetry");
  EXPECT_TRUE(record::is_at_least(record, Role::sender));
}

TEST_F(Recount, WithoutLogsSaysWhatIsUncertain) {
  record.plan.log = plan::LogLevel::summary;
  settle();
  EXPECT_EQ(record.totals.sent, 5u) << "by the queue";
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_THAT(record.notes[0].text, HasSubstr("at least 5"));
}

// Of a bench that was killed: the receivers' last lines say what was due to them.
struct CutOffLosses : Recount {
  CutOffLosses() {
    record.verdict = record::Verdict::cut_off;
    record.plan.receivers.fleet.count = 2;
    record.processes[1].figures_from = "telemetry";
    record.processes[1].services = 2;
    record.services[1].count = record.services[1].lost = 1;
    record.totals = {.sent = 5, .accepted = 5, .received = 1};
  }
  void put_receiver(int number, const std::string& end) {
    std::string text = LogText(LogRole::receiver).message(1, 1).message(2, 1).text();
    log::append_end(text, end, 2, 0);
    write_file(dir / ("receiver-" + std::to_string(number) + ".log"), text);
  }
};

TEST_F(CutOffLosses, AreWhatWholeLogsOfAllReceiversSay) {
  put_receiver(1, "received=2 expected=9 expired=4 undeliverable=3");
  put_receiver(2, "received=2 expected=2 expired=0 undeliverable=0");
  ASSERT_TRUE(recount(record));
  EXPECT_EQ(record.totals.received, 4u);
  EXPECT_EQ(record.totals.expected, 11u);
  EXPECT_EQ(record.totals.lost, 7u);
  EXPECT_EQ(record.totals.expired, 4u);
  EXPECT_EQ(record.totals.undeliverable, 3u);
  EXPECT_EQ(record.services[1].lost, 7);
}

TEST_F(CutOffLosses, AreAtLeastWhatSomeLogsSay) {
  put_receiver(1, "received=2 expected=9 expired=4 undeliverable=3");
  put_receiver(2, "received=2 expired=1 undeliverable=0");
  ASSERT_TRUE(recount(record));
  EXPECT_FALSE(record.totals.expected) << "the second was not told";
  EXPECT_FALSE(record.totals.lost);
  EXPECT_EQ(record.totals.expired, 5u);
}

TEST_F(CutOffLosses, OfALoadBalancerAreNotKnownToItsReceivers) {
  record.plan.queue.mode = plan::Mode::load_balancer;
  put_receiver(1, "received=2 expected=2 expired=0 undeliverable=0");
  put_receiver(2, "received=2 expected=2 expired=0 undeliverable=0");
  ASSERT_TRUE(recount(record));
  EXPECT_FALSE(record.totals.lost);
}

TEST_F(Recount, ReadsNothingWhereAllLeftASummary) {
  record.processes[0].figures_from = "summary";
  put(sent(12).text());
  settle();
  EXPECT_EQ(record.totals.sent, 5u);
  EXPECT_THAT(record.notes, IsEmpty());
}

TEST_F(Recount, LeavesTotalsThatFetchedSummariesTold) {
  record.processes[0].figures_from = "fetched";
  record.totals.sent = record.totals.accepted = 11;
  put(sent(12).with_end(12));
  settle();
  EXPECT_EQ(record.services[0].count, 12) << "the summary has no figures of services";
  EXPECT_EQ(record.totals.sent, 11u);
  EXPECT_EQ(record.processes[0].figures_from, "fetched");
}

}  // namespace
}  // namespace n2nq::journal
