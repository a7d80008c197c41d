// Filters act: by senders, size and index, in any combination, changed during the run, reaching back to kept messages.
#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Sender n sends the sizes 10, 20, 30, 40, 50: index i has 10 i bytes.
struct FilterCase {
  std::string name;
  ForeignFilter filter;
  std::set<MessageId> wanted;
};

void PrintTo(const FilterCase& one, std::ostream* out) {
  *out << one.name;
}

std::set<MessageId> pairs(std::vector<uint32_t> of_senders, std::vector<uint64_t> of_indices) {
  std::set<MessageId> out;
  for (uint32_t sender : of_senders) {
    for (uint64_t index : of_indices) out.insert({sender, index});
  }
  return out;
}

const FilterCase kFilters[] = {
    {"all", {}, pairs({1, 2, 3}, {1, 2, 3, 4, 5})},
    {"one_sender", {.senders = {{{2, 2}}}}, pairs({2}, {1, 2, 3, 4, 5})},
    {"set_of_senders", {.senders = {{{1, 1}, {3, 9}}}}, pairs({1, 3}, {1, 2, 3, 4, 5})},
    {"no_sender", {.senders = {std::vector<std::pair<uint32_t, uint32_t>>{}}}, {}},
    {"size_inclusive", {.size = {{20, 40}}}, pairs({1, 2, 3}, {2, 3, 4})},
    {"size_between", {.size = {{21, 39}}}, pairs({1, 2, 3}, {3})},
    {"index_inclusive", {.index = {{3, 5}}}, pairs({1, 2, 3}, {3, 4, 5})},
    {"senders_and_size", {.senders = {{{1, 2}}}, .size = {{30, 1000}}}, pairs({1, 2}, {3, 4, 5})},
    {"all_three", {.senders = {{{2, 3}}}, .size = {{10, 30}}, .index = {{2, 9}}}, pairs({2, 3}, {2, 3})},
};

class Filters : public testing::TestWithParam<std::tuple<std::string, FilterCase, bool>> {};

TEST_P(Filters, LetThroughWhatMatchesAndNothingElse) {
  const auto& [mode, one, in_hello] = GetParam();
  bool balanced = mode == "load-balancer";
  Stage stage;
  stage.start_broker({"--mode", mode, "--drain-timeout", "300ms"});
  ForeignReceiver receiver(stage.port(),
                           {.wishes = kRequests, .filter = in_hello ? std::optional(one.filter) : std::nullopt});
  receiver.request(kAllMessages, false, in_hello ? std::nullopt : std::optional(one.filter));
  std::vector<ForeignSender> three;
  three.reserve(3);
  uint64_t fleet = 77;
  for (uint32_t number : {1U, 2U, 3U})
    three.emplace_back(stage.port(), Hello{.number = number, .fleet_size = 3, .fleet = fleet});
  for (auto& sender : three) {
    sender.begin();
    for (size_t size : {10, 20, 30, 40, 50}) sender.send_sized(size);
  }
  for (auto& sender : three) EXPECT_TRUE(sender.finish());
  receiver.take_all();
  ASSERT_TRUE(receiver.end());
  EXPECT_EQ(receiver.distinct(), one.wanted);
  EXPECT_EQ(receiver.deliveries().size(), one.wanted.size());
  EXPECT_EQ(counts(receiver.end()).expected, one.wanted.size());
  receiver.bye();
  RunEnded run = stage.finish();
  auto wanted = static_cast<int64_t>(one.wanted.size());
  // What no receiver of a load balancer wants is owed all the same: somebody should have taken it.
  EXPECT_EQ(books(run.broker), (Books{.accepted = 15,
                                      .owed = balanced ? 15 : wanted,
                                      .delivered = wanted,
                                      .undeliverable = balanced ? 15 - wanted : 0}))
      << run.story();
}

INSTANTIATE_TEST_SUITE_P(All, Filters,
                         testing::Combine(testing::Values("broadcaster", "load-balancer"), testing::ValuesIn(kFilters),
                                          testing::Bool()),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param) == "broadcaster" ? "broadcaster_" : "balancer_") +
                                  std::get<1>(one.param).name + (std::get<2>(one.param) ? "_in_hello" : "_in_request");
                         });

class FilterChange : public testing::Test {
 protected:
  FilterChange() { stage.start_broker({"--mode", "broadcaster", "--retention", "60s"}); }
  void join(const ForeignFilter& filter) {
    receiver.emplace(stage.port(), Hello{.wishes = kRequests, .filter = filter});
    sender.emplace(stage.port(), Hello{});
    receiver->begin();
    sender->begin();
    receiver->request(kAllMessages);
  }
  // Alternating sizes: an odd index has 10 bytes, an even one 50.
  void send_alternating(size_t messages) {
    for (size_t i = 0; i < messages; ++i) sender->send_sized(sender->sent() % 2 == 0 ? 10 : 50);
  }
  EndCounts end() {
    EXPECT_TRUE(sender->finish());
    receiver->take_all();
    receiver->bye();
    return counts(receiver->end());
  }
  Stage stage;
  std::optional<ForeignReceiver> receiver;
  std::optional<ForeignSender> sender;
};

TEST_F(FilterChange, ActsFromThePositionOn) {
  join({.size = {{10, 10}}});
  send_alternating(7);  // ends with a match: once that came, the position is behind all seven
  EXPECT_THAT(indices(receiver->take(4)), ElementsAre(1, 3, 5, 7));
  receiver->request(0, false, ForeignFilter{.size = {{50, 50}}});
  send_alternating(5);
  EXPECT_THAT(indices(receiver->take(3)), ElementsAre(8, 10, 12));
  EXPECT_EQ(end(), (EndCounts{.expected = 7, .delivered = 7, .why = 0}));
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
  EXPECT_EQ(run.broker.total("owed"), 7);
}

TEST_F(FilterChange, ToEverythingIsAFilterOfLengthZero) {
  join({.size = {{10, 10}}});
  send_alternating(3);
  EXPECT_THAT(indices(receiver->take(2)), ElementsAre(1, 3));
  std::string everything = request_frame(0);
  put(everything, 5, 1, 1);  // a filter follows, and it is empty
  receiver->client().send(everything);
  send_alternating(3);
  EXPECT_THAT(indices(receiver->take(3)), ElementsAre(4, 5, 6));
  EXPECT_EQ(end().expected, 5U);
}

TEST_F(FilterChange, WithAnIndexRangeReachesBackToKeptMessagesNotYetHad) {
  join({.index = {{1, 3}}});
  sender->send(10);
  EXPECT_THAT(indices(receiver->take(3)), ElementsAre(1, 2, 3));
  receiver->request(0, false, ForeignFilter{.index = {{2, 6}}});
  EXPECT_THAT(indices(receiver->take(3)), ElementsAre(4, 5, 6));
  receiver->request(0, false, ForeignFilter{.index = {{8, 12}}});
  EXPECT_THAT(indices(receiver->take(3)), ElementsAre(8, 9, 10));
  sender->send(5);
  EXPECT_THAT(indices(receiver->take(2)), ElementsAre(11, 12));
  EXPECT_EQ(end(), (EndCounts{.expected = 11, .delivered = 11, .why = 0}));
}

TEST_F(FilterChange, ReachesBackOnlyAsFarAsWasAskedFor) {
  join({.index = {{1, 2}}});
  sender->send(10);
  EXPECT_THAT(indices(receiver->take(2)), ElementsAre(1, 2));
  receiver->request(2, true, ForeignFilter{.index = {{1, 10}}});
  EXPECT_THAT(indices(receiver->take(2)), ElementsAre(3, 4));
  EXPECT_THAT(receiver->take_in_window(kLook), IsEmpty());
  receiver->request(kAllMessages);
  EXPECT_EQ(indices(receiver->take(6)), range(5, 10));
  EXPECT_EQ(end().expected, 10U);
}

TEST_F(FilterChange, ToTheSameFilterChangesNothing) {
  ForeignFilter same{.index = {{1, 100}}};
  join(same);
  sender->send(5);
  EXPECT_EQ(indices(receiver->take(5)), range(1, 5));
  for (int i = 0; i < 300; ++i) receiver->request(0, false, same);
  sender->send(5);
  EXPECT_EQ(indices(receiver->take(5)), range(6, 10));
  EXPECT_EQ(end(), (EndCounts{.expected = 10, .delivered = 10, .why = 0}));
}

// The broker remembers 256 former filters of a receiver, no more: one that it has no room for changes nothing, and the
// receiver hears so.
TEST_F(FilterChange, BeyondWhatIsRememberedIsRefusedInWordsAndTheReceiverGoesOn) {
  join({.index = {{1, 1}}});
  sender->send(1);
  EXPECT_THAT(indices(receiver->take(1)), ElementsAre(1));
  for (uint64_t last = 2; last <= 258; ++last) receiver->request(0, false, ForeignFilter{.index = {{1, last}}});
  const Frame error = receiver->client().await(kError);
  EXPECT_EQ(error.u16(8), 17);
  EXPECT_THAT(error.text(), testing::HasSubstr("256"));
  sender->send(300);
  EXPECT_EQ(indices(receiver->take(256)), range(2, 257)) << "the 257th change, up to 258, was not taken";
  EXPECT_EQ(end(), (EndCounts{.expected = 257, .delivered = 257, .why = 0}));
  RunEnded run = stage.finish();
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << run.story();
}

// The option of the worker, judged by the log files.
class FilterOption : public testing::TestWithParam<std::string> {};

TEST_P(FilterOption, SelfPinsEachSenderToOneReceiver) {
  Stage stage;
  stage.start_broker({"--mode", GetParam()});
  stage.start(receivers(3, {"--requests", "5", "--filter", "senders=self"}));
  stage.start(senders(3, {"--messages", "20", "--delay", "1ms"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_THAT(check_summaries_equal_logs(run, GetParam() == "load-balancer"), IsEmpty());
  ASSERT_EQ(run.receiver_logs.size(), 3U);
  for (const auto& [number, log] : run.receiver_logs) {
    EXPECT_EQ(log.rows.size(), 20U);
    for (const auto& row : log.rows) EXPECT_EQ(row.sender, number);
  }
  EXPECT_EQ(run.broker.total("owed"), 60);
}

INSTANTIATE_TEST_SUITE_P(Modes, FilterOption, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

TEST(FilterOptionText, NamesSendersSizesAndIndices) {
  Stage stage;
  stage.start_broker({"--mode", "broadcaster"});
  stage.start(receivers(2, {"--requests", "4", "--filter", "senders=1..2,4;size=20B..60B;index=3..18"}));
  stage.start(senders(4, {"--messages", "20", "--delay", "1ms", "--size", "10B..100B"}));
  RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  std::set<MessageId> wanted;
  for (const auto& [number, log] : run.sender_logs) {
    for (const auto& row : log.rows) {
      bool match = number != 3 && row.size_bytes >= 20 && row.size_bytes <= 60 && row.index >= 3 && row.index <= 18;
      if (match) wanted.insert({row.sender, row.index});
    }
  }
  ASSERT_EQ(run.receiver_logs.size(), 2U);
  for (const auto& [number, log] : run.receiver_logs) {
    std::set<MessageId> had;
    for (const auto& row : log.rows) had.insert({row.sender, row.index});
    EXPECT_EQ(had, wanted);
    EXPECT_EQ(log.rows.size(), wanted.size());
  }
  EXPECT_EQ(run.broker.total("owed"), static_cast<int64_t>(2 * wanted.size()));
}

}  // namespace
}  // namespace n2nq::test
