#include "app/run/look_record.h"

#include <gmock/gmock.h>

namespace n2nq::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LookRecord, HasTheHopsAndWhatWentThrough) {
  record::RunRecord record;
  const control::Looked looked{.path = control::PathFigures{.hops = {{.address = "10.0.0.1", .round_trip_ns = 52'000},
                                                                     {},
                                                                     {.address = "10.1.0.5", .round_trip_ns = 80'000}},
                                                            .reached = true,
                                                            .port = 7400,
                                                            .source_port = 40001},
                               .bandwidth = control::BandwidthFigures{.bytes = 64 << 20, .duration_ns = 500'000'000}};
  EXPECT_THAT(add_look(record, looked, "vm2", "vm1"), IsEmpty());
  ASSERT_EQ(record.paths.size(), 3u);
  EXPECT_EQ(record.paths[0], (record::HopRecord{.from = "vm2",
                                                .to = "vm1",
                                                .hop = 1,
                                                .address = "10.0.0.1",
                                                .round_trip_ns = 52'000,
                                                .port = 7400,
                                                .source_port = 40001}));
  EXPECT_EQ(record.paths[1].address, "") << "a router that is silent";
  EXPECT_TRUE(record.paths[2].reached);
  ASSERT_EQ(record.bandwidths.size(), 1u);
  EXPECT_DOUBLE_EQ(record.bandwidths[0].bytes_per_s(), 128.0 * (1 << 20));
  EXPECT_THAT(
      look_texts(record, "vm2"),
      ElementsAre(
          "vm2 - vm1: 3 hops, by TCP from port 40001 to 7400: 10.0.0.1 (52.0 µs), no answer, 10.1.0.5 (80.0 µs)",
          "vm2 - vm1: 128.0 MiB/s, by 64.0 MiB in 500.0 ms"));
  EXPECT_THAT(look_texts(record, "vm3"), IsEmpty());
}

TEST(LookRecord, SaysWhatDidNotComeAboutInOneLineEach) {
  record::RunRecord record;
  const control::Looked looked{
      .path = control::PathFigures{.hops = {}, .reached = false},
      .bandwidth = control::BandwidthFigures{.trouble = "line\none" + std::string(10'000, 'x')}};
  const auto troubles = add_look(record, looked, "vm2", "vm1");
  ASSERT_EQ(troubles.size(), 2u);
  EXPECT_THAT(troubles[0], HasSubstr("no hop answers"));
  EXPECT_THAT(troubles[1], HasSubstr("line one"));
  EXPECT_LT(troubles[1].size(), 1000u);
  EXPECT_TRUE(record.paths.empty());
  EXPECT_TRUE(record.bandwidths.empty());
}

}  // namespace
}  // namespace n2nq::run
