#include "workers/bus/batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "workers/fleet/message_source.h"

namespace n2nq::bus {
namespace {

Batch three_messages(const fleet::MessagePool& pool) {
  Batch batch(pool.size().max);
  for (uint64_t i = 1; i <= 3; i++) {
    const auto message = fleet::MessageSource(pool, 4).at(i);
    batch.add(4, i, static_cast<int64_t>(i) * 100, message.payload, message.checksum);
  }
  batch.stamp(777);
  return batch;
}

TEST(Batch, CountsTheFramesAWriteHasBegunAndKeepsTheRestOfTheOneItCut) {
  const fleet::MessagePool pool({.min = 10, .max = 30}, 1);
  const Batch batch = three_messages(pool);
  std::vector<size_t> ends;
  for (size_t i = 0, at = 0; i < 3; i++) ends.push_back(at += batch.header(i).length);
  for (size_t written = 0; written <= ends.back(); written++) {
    const size_t whole = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), written) - ends.begin());
    const bool cut = written != 0 && std::find(ends.begin(), ends.end(), written) == ends.end();
    EXPECT_EQ(batch.begun(written), whole + (cut ? 1 : 0)) << written;
    EXPECT_EQ(batch.rest_of_cut(written).size(), cut ? ends[whole] - written : 0) << written;
  }
}

TEST(Batch, StampsAllItsFrames) {
  const fleet::MessagePool pool({.min = 10, .max = 30}, 1);
  const Batch batch = three_messages(pool);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(batch.header(i).sent_ns, 777);
    EXPECT_EQ(batch.header(i).index, i + 1);
    EXPECT_EQ(batch.header(i).intended_ns, static_cast<int64_t>(i + 1) * 100);
    EXPECT_EQ(batch.payload(i).size(), batch.header(i).payload_size());
  }
}

TEST(Batch, TakesAMessageOfAnySizeAloneAndSmallOnesUpToItsLimit) {
  Batch batch(1 << 20);
  EXPECT_TRUE(batch.has_room_for(1 << 20));
  const std::vector<uint8_t> content(60);
  while (batch.has_room_for(60)) batch.add(1, 1, 0, content, 0);
  EXPECT_EQ(batch.count(), Batch::kBytes / 100);
}

}  // namespace
}  // namespace n2nq::bus
