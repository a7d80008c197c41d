#include "app/record/repeat.h"

#include <gmock/gmock.h>

namespace n2nq::record {
namespace {

using testing::ElementsAre;

TEST(RepeatRemarks, NameWhatTheProfileSaidOfTheBusThen) {
  RunRecord before;
  before.plan.bus = {.kind = "redis-streams", .settings = {{"profile", "throughput"}, {"fetch", "5"}}};
  before.machine_json = "{}";
  const std::vector<std::string> of_computer = repeat_remarks(before, "{}");
  before.bus_settings = bus_settings_of(before.plan.bus);
  EXPECT_EQ(repeat_remarks(before, "{}"), of_computer);
  before.bus_settings = R"({"profile": "throughput", "window": "77", "fetch": "5"})";
  const std::vector<std::string> remarks = repeat_remarks(before, "{}");
  EXPECT_THAT(std::vector(remarks.begin() + static_cast<ptrdiff_t>(of_computer.size()), remarks.end()),
              ElementsAre("changed since: bus.window, 77 then, 10000 now"));
}

TEST(RepeatRemarks, NameNothingThatIsInForceAgain) {
  RunRecord before;
  before.plan.bus = {.kind = "kafka", .settings = {}};
  before.machine_json = "{}";
  before.bus_settings = bus_settings_of(before.plan.bus);
  EXPECT_THAT(before.bus_settings, testing::HasSubstr(R"("quiet":"5s")"));
  EXPECT_THAT(repeat_remarks(before, "{}"), testing::Each(testing::Not(testing::HasSubstr("bus."))));
}

}  // namespace
}  // namespace n2nq::record
