#include "app/campaign/search_spec.h"

#include <gmock/gmock.h>

#include "app/campaign/campaign_file.h"
#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using test::rate_search;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

plan::RunPlan plan_at(const std::string& vary, double value) {
  plan::RunPlan plan;
  const auto put = put_value(*find_variable(vary), value, plan);
  EXPECT_TRUE(put) << put.error().text;
  return plan;
}

TEST(SearchSpec, ARateIsThatOfAllSendersForAsLongAsThePlanSends) {
  plan::RunPlan plan;  // 10 senders, 500 messages each, one in 20 ms
  ASSERT_TRUE(put_value(*find_variable("rate"), 2000, plan));
  EXPECT_EQ(plan.senders.delay_ns, 5'000'000);
  EXPECT_EQ(plan.senders.duration_ns, 10'000'000'000);
  EXPECT_TRUE(has_value(*find_variable("rate"), 2000, plan));
  EXPECT_FALSE(has_value(*find_variable("rate"), 2010, plan));
}

TEST(SearchSpec, ServicesAreSendersAndReceivers) {
  const plan::RunPlan plan = plan_at("services", 40);
  EXPECT_EQ(plan.senders.fleet.count, 40u);
  EXPECT_EQ(plan.receivers.fleet.count, 40u);
  EXPECT_EQ(plan_at("senders.count", 40).receivers.fleet.count, 10u);
  EXPECT_EQ(plan_at("senders.delay", 2e6).senders.delay_ns, 2'000'000);
  EXPECT_EQ(plan_at("senders.size", 4096).senders.size_bytes, (SizeRange{4096, 4096}));
  EXPECT_TRUE(has_value(*find_variable("senders.size"), 4096, plan_at("senders.size", 4096)));
}

TEST(SearchSpec, WhatIsVariedIsANumber) {
  EXPECT_THAT(variable_names(), Contains("queue.retention"));
  EXPECT_THAT(variable_names(), Not(Contains("queue.mode")));
  EXPECT_THAT(find_variable("queue.mode").error().text, HasSubstr("is not a number"));
  EXPECT_THAT(find_variable("senders.cuont").error().text, HasSubstr("did you mean senders.count?"));
}

TEST(SearchSpec, ValuesReadBackAsTheyAreShown) {
  const auto back = [](const char* vary, const char* text) {
    const auto variable = find_variable(vary);
    const auto value = read_value(*variable, text);
    EXPECT_TRUE(value) << value.error().text;
    EXPECT_EQ(read_value(*variable, exact_value(*variable, *value)).value_or(0), *value);
    return value_text(*variable, *value);
  };
  EXPECT_EQ(back("rate", "2000"), "2,000 /s");
  EXPECT_EQ(back("rate", "2000/s"), "2,000 /s");
  EXPECT_EQ(back("services", "1200"), "1,200");
  EXPECT_EQ(back("senders.delay", "1.5ms"), "1.5 ms");
  EXPECT_EQ(back("senders.size", "4096"), "4 KiB");
  for (const char* wrong : {"0", "-5", "nan", "1e99", "", "fast"})
    EXPECT_FALSE(read_value(*find_variable("rate"), wrong)) << wrong;
  EXPECT_FALSE(read_value(*find_variable("services"), "2.5"));
  EXPECT_THAT(read_value(*find_variable("senders.delay"), "20").error().text, HasSubstr("a duration such as 20ms"));
}

TEST(SearchSpec, PrecisionIsAPart) {
  EXPECT_EQ(read_precision("5%"), 0.05);
  EXPECT_EQ(read_precision("0.05"), 0.05);
  EXPECT_EQ(precision_text(0.05), "5%");
  for (const char* wrong : {"0", "51%", "0.01%", "x", ""}) EXPECT_FALSE(read_precision(wrong)) << wrong;
}

TEST(SearchSpec, ProblemsNameTheField) {
  const auto problem = [](auto change) {
    Campaign campaign = rate_search();
    change(campaign);
    return problem_of(campaign).value_or("none");
  };
  EXPECT_EQ(problem([](Campaign&) {}), "none");
  EXPECT_THAT(problem([](Campaign& c) { c.search->limits.clear(); }), HasSubstr("search.limits: none given"));
  EXPECT_THAT(problem([](Campaign& c) { c.search->limits = {"p99"}; }), HasSubstr("search.limits[0]: "));
  EXPECT_THAT(problem([](Campaign& c) { c.search->to = c.search->from; }), HasSubstr("search.to: it equals"));
  EXPECT_THAT(problem([](Campaign& c) { c.search->to = 1e12; }), HasSubstr("search.to: "));
  EXPECT_THAT(problem([](Campaign& c) { c.search->from = 1; }), HasSubstr("has no messages from some senders"));
  EXPECT_THAT(problem([](Campaign& c) { c.search->confirm = 0; }), HasSubstr("search.confirm: expected 1 to 25"));
  EXPECT_THAT(problem([](Campaign& c) { c.search->precision = 1; }), HasSubstr("search.precision: expected 0.1% to"));
  EXPECT_THAT(problem([](Campaign& c) { c.repeats = 2; }), HasSubstr("repeats: a search has none"));
  EXPECT_THAT(problem([](Campaign& c) { c.stop.overload = true; }), HasSubstr("stop: a search ends by itself"));
  EXPECT_THAT(problem([](Campaign& c) { c.axes = {{.name = "x", .values = {{.label = "a", .set = {}}}}}; }),
              HasSubstr("axes: a search has none"));
  EXPECT_THAT(problem([](Campaign& c) {
                c.base.senders.duration_ns = 0;
                c.base.senders.delay_ns = 0;
              }),
              HasSubstr("search.from: senders.duration: "));
  EXPECT_THAT(problem([](Campaign& c) {
                c.search->vary = "senders.size";
                c.search->to = 8 << 20;
              }),
              HasSubstr("search.to: queue.max_message: "));
}

TEST(SearchSpec, ALimitOnRepliesWantsAPlanThatHasThem) {
  Campaign campaign = rate_search();
  for (const char* metric : {"turnaround-p99 <= 5ms", "reply-rate >= 100", "timeouts = 0"}) {
    campaign.search->limits = {"p99 <= 5ms", metric};
    campaign.base.queue.mode = plan::Mode::load_balancer;
    const std::string name = std::string(metric).substr(0, std::string(metric).find(' '));
    EXPECT_EQ(
        problem_of(campaign).value_or("none"),
        "search.limits[1]: " + name +
            " is of replies, and in load-balancer mode there are none; remove it, or set queue.mode to request-reply");
    campaign.base.queue.mode = plan::Mode::request_reply;
    EXPECT_EQ(problem_of(campaign).value_or("none"), "none") << "p99 is there too, of the way to the repliers";
  }
}

std::string with_search(const std::string& search) {
  return R"({"version": 1, "name": "s", "search": )" + search + "}";
}

TEST(SearchFile, ReadsBackWhatItWrites) {
  const auto campaign = parse_campaign(with_search(
      R"({"vary": "senders.delay", "from": "20ms", "to": "10us", "limits": ["p99 <= 5ms", "lost = 0"], "precision": "2%", "confirm": 5})"));
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(*campaign->search, (SearchSpec{.vary = "senders.delay",
                                           .from = 2e7,
                                           .to = 1e4,
                                           .limits = {"p99 <= 5ms", "lost = 0"},
                                           .precision = 0.02,
                                           .confirm = 5}));
  EXPECT_EQ(parse_campaign(to_json(*campaign)).value(), *campaign);
  EXPECT_EQ(parse_campaign(to_json(rate_search())).value(), rate_search());
}

TEST(SearchFile, SaysWhatIsWrong) {
  const auto trouble = [](const std::string& search) {
    const auto campaign = parse_campaign(with_search(search));
    return campaign ? "none" : campaign.error().text;
  };
  EXPECT_EQ(trouble(R"({"from": 1, "to": "2/s"})"), "none");
  EXPECT_THAT(trouble("5"), HasSubstr("search: 5 is not an object; expected one with vary, from, to"));
  EXPECT_THAT(trouble("[]"), HasSubstr("[] is not an object; expected one with vary"));
  EXPECT_THAT(trouble("{}"), HasSubstr("search.from: it is missing"));
  EXPECT_THAT(trouble(R"({"from": 1})"), HasSubstr("search.to: it is missing"));
  EXPECT_THAT(trouble(R"({"from": 1, "to": 2, "form": 3})"), HasSubstr("search.form: there is no such field"));
  EXPECT_THAT(trouble(R"({"vary": "speed", "from": 1, "to": 2})"), HasSubstr("search.vary: \"speed\" is neither"));
  EXPECT_THAT(trouble(R"({"from": [1], "to": 2})"), HasSubstr("search.from: expected a number or text, not [1]"));
  EXPECT_THAT(trouble(R"({"from": -1, "to": 2})"), HasSubstr("search.from: \"-1\" is not a value of rate"));
  EXPECT_THAT(trouble(R"({"from": 1e300, "to": 2})"), HasSubstr("search.from: "));
  EXPECT_THAT(trouble(R"({"from": 1, "to": 2, "limits": "p99 <= 5ms"})"), HasSubstr("search.limits: "));
  EXPECT_THAT(trouble(R"({"from": 1, "to": 2, "confirm": 1000000})"), HasSubstr("search.confirm: "));
  EXPECT_THAT(trouble(R"({"from": 1, "to": 2, "precision": {}})"), HasSubstr("search.precision: "));
}

TEST(SearchSpec, APartOfALoadIsSearchedAndItsRateIsNot) {
  plan::RunPlan plan;
  plan.senders.shape = *measure::parse_shape("spike 500/s..5000/s at 10s for 2s over 30s");
  EXPECT_THAT(variable_names(), Contains("senders.shape.to"));
  const auto to = find_variable("senders.shape.to");
  ASSERT_TRUE(to) << to.error().text;
  ASSERT_TRUE(put_value(*to, 7000, plan));
  EXPECT_EQ(measure::exact_shape(plan.senders.shape), "spike 500/s..7000/s at 10s for 2s over 30s");
  EXPECT_TRUE(has_value(*to, 7000, plan));
  EXPECT_EQ(exact_value(*to, 0.00001), "0.00001");
  ASSERT_TRUE(put_value(*to, 0.00001, plan)) << "a rate is no power of ten";
  EXPECT_EQ(plan.senders.shape.to_per_s, 0.00001);
  EXPECT_THAT(put_value(*find_variable("rate"), 2000, plan).error().text, HasSubstr("such as senders.shape.to"));
}

}  // namespace
}  // namespace n2nq::campaign
