#include "app/campaign/search_form.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/campaign/campaign_file.h"
#include "app/campaign/campaign_form.h"
#include "app/campaign/campaign_reader.h"
#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using test::rate_search;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SearchForm whole_form() {
  return {.on = true, .from = "100", .to = "100,000", .limits = {{.value = "5 ms"}}};
}

plan::RunPlan timed_plan() {
  return rate_search().base;
}

// What is told beside that field.
std::string told(const SearchForm& form, const std::string& field) {
  for (const FieldProblem& problem : problems_of(form, timed_plan()))
    if (problem.field == field) return problem.text;
  return "";
}

TEST(SearchForm, HasTheDefaultsOfItsPage) {
  const SearchForm form;
  const SearchSpec spec;
  EXPECT_FALSE(form.on);
  EXPECT_EQ(form.vary, spec.vary);
  EXPECT_EQ(form.precision, precision_text(spec.precision));
  EXPECT_EQ(form.confirm, std::to_string(spec.confirm));
  EXPECT_EQ(parse_search_form(nlohmann::json::object()), form);
}

TEST(SearchForm, TakesWhatIsTypedWithBlanksAndCommas) {
  const auto search = search_of(whole_form(), timed_plan());
  ASSERT_TRUE(search) << search.error().text;
  EXPECT_EQ(*search, *rate_search().search);
  SearchForm sizes = whole_form();
  sizes.vary = "senders.size";
  sizes.from = "100 B";
  sizes.to = "1 MiB";
  sizes.limits = {{.metric = "rate", .relation = ">=", .value = "20,000"},
                  {.metric = "lost", .relation = "=", .value = " 0 "}};
  sizes.precision = "0.5 %";
  sizes.confirm = "25";
  const auto of_sizes = search_of(sizes, timed_plan());
  ASSERT_TRUE(of_sizes) << of_sizes.error().text;
  EXPECT_EQ(of_sizes->to, 1 << 20);
  EXPECT_THAT(of_sizes->limits, ElementsAre("rate >= 20000", "lost = 0"));
  EXPECT_DOUBLE_EQ(of_sizes->precision, 0.005);
  EXPECT_EQ(of_sizes->confirm, 25u);
}

TEST(SearchForm, TellsWhatIsWrongWithEachField) {
  EXPECT_THAT(problems_of(whole_form(), timed_plan()), IsEmpty());
  SearchForm form = whole_form();
  form.from = "2,00";
  EXPECT_THAT(told(form, "from"), HasSubstr("\"2,00\" is not a value")) << "no 200";
  form.from = "";
  form.to = "fast";
  form.limits = {{.value = ""},
                 {.value = "5"},
                 {.metric = "lost", .relation = "=", .value = "5ms"},
                 {.metric = "p9", .relation = "<=", .value = "5ms"}};
  form.precision = "90%";
  form.confirm = "26";
  EXPECT_EQ(told(form, "from"), "it is missing; expected messages per second, such as 2000");
  EXPECT_EQ(told(form, "to"), "\"fast\" is not a value of rate; expected messages per second, such as 2000, above 0");
  EXPECT_EQ(told(form, "limit 1"), "its value is missing; expected a duration such as 5ms");
  EXPECT_EQ(told(form, "limit 2"), "\"5\" is not a limit for p99; expected a duration such as 5ms");
  EXPECT_EQ(told(form, "limit 3"), "\"5ms\" is not a limit for lost; expected a number");
  EXPECT_THAT(told(form, "limit 4"), HasSubstr("\"p9\" is not a metric; there are p50, "));
  EXPECT_THAT(told(form, "precision"), HasSubstr("is not a precision; expected 0.1% to 50%"));
  EXPECT_EQ(told(form, "confirm"), "\"26\" is not valid; expected 1 to 25");
  EXPECT_EQ(search_of(form, timed_plan()).error().text,
            "search: from: it is missing; expected messages per second, such as 2000");
  form = whole_form();
  form.limits.clear();
  form.to = form.from;
  EXPECT_THAT(told(form, "limits"), HasSubstr("there is none"));
  EXPECT_THAT(told(form, "to"), HasSubstr("it equals from"));
  form.limits.assign(kMostLimits + 1, {.value = "5ms"});
  EXPECT_EQ(told(form, "limits"), "there are more than 8");
  form.vary = "queue.mode";
  EXPECT_EQ(told(form, "vary"), "queue.mode is not a number, a duration or a size");
}

TEST(SearchForm, TellsWhatAnEmptyFieldNeeds) {
  SearchForm form = whole_form();
  form.vary = "services";
  form.from = " ";
  form.to = "x";
  form.limits = {{.value = ""}, {.metric = "lost"}, {.metric = "p9"}};
  std::vector<std::string> needs;
  for (const FieldProblem& problem : problems_of(form, timed_plan()))
    needs.push_back(problem.field + ": " + problem.needs);
  EXPECT_THAT(needs, ElementsAre("from: a whole number from 1", "to: ", "limit 1: a duration such as 5ms",
                                 "limit 2: a number", "limit 3: "));
}

TEST(SearchForm, TellsWhatThePlanCannotBeAskedFor) {
  SearchForm form = whole_form();
  form.from = "0.1";
  EXPECT_THAT(told(form, "from"), HasSubstr("increase senders.duration"));
  form.vary = "services";
  form.from = "1";
  form.to = "900,000,000";
  EXPECT_THAT(told(form, "to"), HasSubstr(".count: "));
}

TEST(SearchForm, OfAPlanWithRepliesLimitsTheirTurnaround) {
  plan::RunPlan plan = timed_plan();
  EXPECT_EQ(first_search_of(plan).limits.front().metric, "p99");
  SearchForm form = whole_form();
  form.limits = {{.metric = "turnaround-p99", .relation = "<=", .value = "5ms"}};
  EXPECT_EQ(told(form, "limit 1"),
            "turnaround-p99 is of replies, and in broadcaster mode there are none; remove it, or set queue.mode to "
            "request-reply");
  plan.queue.mode = plan::Mode::request_reply;
  EXPECT_EQ(first_search_of(plan).limits.front().metric, "turnaround-p99");
  EXPECT_THAT(problems_of(form, plan), IsEmpty());
}

TEST(SearchForm, KnowsEverythingThatCanBeVaried) {
  for (const std::string& name : variable_names()) {
    EXPECT_NE(meaning_of_variable(name), "") << name;
    SearchForm form = whole_form();
    form.vary = name;
    EXPECT_EQ(told(form, "vary"), "") << name;
  }
}

TEST(SearchForm, OfASearchReadsBackAsTheSearch) {
  Campaign campaign = rate_search();
  for (const char* limit : {"p99 <= 5ms", "rate >= 20000", "lost = 0", "p50 < 1ms", "sent-rate > 10"}) {
    campaign.search->limits = {limit};
    const auto again = campaign_of(form_of(campaign));
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(*again, campaign) << limit;
    EXPECT_EQ(parse_campaign(to_json(*again))->search, campaign.search);
  }
  campaign.search = SearchSpec{.vary = "senders.delay",
                               .from = 20e6,
                               .to = 10e3,
                               .limits = {"p99.9 <= 20ms", "lost = 0"},
                               .precision = 0.1,
                               .confirm = 5};
  EXPECT_EQ(campaign_of(form_of(campaign))->search, campaign.search);
}

TEST(SearchForm, KeepsTheAxesWhileItIsOnAndIsKeptWhileItIsOff) {
  CampaignForm form = form_of_plan(timed_plan());
  form.limit = "p99 > 5ms";
  form.rest.stop = {.failure = true, .overload = true};
  const Campaign by_axes = *campaign_of(form);
  const CampaignForm before = form;
  form.search = whole_form();
  const auto searching = campaign_of(form);
  ASSERT_TRUE(searching) << searching.error().text;
  EXPECT_EQ(problem_of(*searching), std::nullopt) << "nothing of the axes is in its way";
  EXPECT_EQ(searching->search, rate_search().search);
  EXPECT_THAT(searching->axes, IsEmpty());
  EXPECT_TRUE(searching->stop.failure);
  form.search.from = "half";
  EXPECT_EQ(*parse_form(to_json(form)), form);
  form.search.on = false;
  EXPECT_EQ(*campaign_of(form), by_axes) << "whatever the search says";
  EXPECT_EQ(parse_form(to_json(form))->search.from, "half");
  form.search = before.search;
  EXPECT_EQ(form, before);
}

TEST(SearchForm, IsKeptHalfTyped) {
  CampaignForm form;
  form.search = {.on = true,
                 .vary = "what",
                 .from = "1x",
                 .to = "",
                 .limits = {{.metric = "?", .relation = "", .value = "\""}, {.value = "5"}},
                 .precision = "",
                 .confirm = "many"};
  EXPECT_EQ(*parse_form(to_json(form)), form);
  form.search.limits.clear();
  EXPECT_EQ(*parse_form(to_json(form)), form);
}

TEST(SearchForm, IsCheckedForTheWindow) {
  plan::RunPlan plan = timed_plan();
  plan.log = plan::LogLevel::off;  // whatever the disk has left
  CampaignForm form = form_of_plan(plan);
  form.search = whole_form();
  Check checked = check(form, {}, ".");
  EXPECT_EQ(checked.problem, std::nullopt);
  EXPECT_TRUE(checked.estimate.search);
  EXPECT_EQ(checked.estimate.runs, expected_runs(*checked.campaign.search));
  form.search.limits[0].value = "soon";
  checked = check(form, {}, ".");
  EXPECT_THAT(checked.search_problems,
              ElementsAre(FieldProblem{"limit 1", "\"soon\" is not a limit for p99; expected a duration such as 5ms"}));
  EXPECT_THAT(checked.problem.value_or(""), AllOf(HasSubstr("search: limit 1: "), HasSubstr("soon")));
  form.search.on = false;
  EXPECT_THAT(check(form, {}, ".").search_problems, IsEmpty());
}

}  // namespace
}  // namespace n2nq::campaign
