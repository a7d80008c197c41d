#include "app/results/machine.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace n2nq::results {
namespace {

TEST(Machine, SaysWhatAResultDependsOn) {
  const auto machine = nlohmann::json::parse(machine_json(), nullptr, false);
  ASSERT_TRUE(machine.is_object());
  for (const char* key :
       {"processor", "kernel", "governor", "congestion_control", "clocksource", "bench", "qt", "compiler"})
    EXPECT_FALSE(machine.value(key, "").empty()) << key;
  EXPECT_GT(machine.value("cores", 0), 0);
  EXPECT_GT(machine.value("memory_bytes", uint64_t{0}), 0u);
  EXPECT_EQ(machine["bench"], N2NQ_VERSION);
}

}  // namespace
}  // namespace n2nq::results
