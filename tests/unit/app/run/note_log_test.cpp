#include "app/run/note_log.h"

#include <gmock/gmock.h>

namespace n2nq::run {
namespace {

using record::Severity;
using testing::SizeIs;

struct NoteLogTest : testing::Test {
  bool add(const std::string& text, Severity severity = Severity::info) {
    return log.add({.utc_ns = 1, .since_begin_ns = {}, .severity = severity, .text = text});
  }
  void fill() {
    for (size_t i = 0; i < NoteLog::kMost; i++) ASSERT_TRUE(add(std::to_string(i)));
  }
  NoteLog log;
};

TEST_F(NoteLogTest, SaysOnceThatItIsFull) {
  fill();
  EXPECT_TRUE(add("too many"));
  ASSERT_THAT(log.all(), SizeIs(NoteLog::kMost + 1));
  EXPECT_EQ(log.all().back().text, "further notes are dropped: this run already has 10,000 notes");
  EXPECT_EQ(log.all().back().severity, Severity::warning);
  EXPECT_FALSE(add("one more"));
  EXPECT_THAT(log.all(), SizeIs(NoteLog::kMost + 1));
}

TEST_F(NoteLogTest, KeepsWhatItHasInItsPlace) {
  fill();
  add("too many");
  add("a failure", Severity::error);
  EXPECT_EQ(log.all().front().text, "0");
  EXPECT_EQ(log.all()[NoteLog::kMost - 1].text, std::to_string(NoteLog::kMost - 1));
}

TEST_F(NoteLogTest, HasRoomForErrorsBeyond) {
  fill();
  add("too many");
  EXPECT_TRUE(add("a failure", Severity::error));
  EXPECT_EQ(log.all().back().text, "a failure");
  for (size_t i = 0; i < 2 * NoteLog::kMostErrors; i++) add("a failure", Severity::error);
  EXPECT_THAT(log.all(), SizeIs(NoteLog::kMost + NoteLog::kMostErrors));
}

TEST_F(NoteLogTest, HasRoomForEventsBeyond) {
  fill();
  add("too many");
  EXPECT_TRUE(log.add({.text = "senders: 1 of 1 paused", .kind = record::EventKind::pause}));
  EXPECT_EQ(log.all().back().kind, record::EventKind::pause);
}

TEST_F(NoteLogTest, EndsWithHowManyWereNotKeptAndTheVerdict) {
  fill();
  for (int i = 0; i < 1234; i++) add("too many");
  log.add_last({.utc_ns = 1, .since_begin_ns = {}, .severity = Severity::info, .text = "passed"});
  ASSERT_THAT(log.all(), SizeIs(NoteLog::kMost + 3));
  EXPECT_EQ(log.all()[NoteLog::kMost + 1].text, "1,234 notes were dropped");
  EXPECT_EQ(log.all().back().text, "passed");
}

TEST_F(NoteLogTest, SaysNothingOfItselfInAnUsualRun) {
  add("queue: started");
  log.add_last({.utc_ns = 1, .since_begin_ns = {}, .severity = Severity::info, .text = "passed"});
  EXPECT_THAT(log.all(), SizeIs(2));
}

}  // namespace
}  // namespace n2nq::run
