// In steady state a message costs no allocation, in either mode.
#include <gtest/gtest.h>

#include "tests/unit/allocations/allocations.h"
#include "tests/unit/queue/queue_rig.h"

namespace n2nq::queue {
namespace {

// Drives a queue as the server does, without a rig that keeps what it read.
class Driver {
 public:
  Driver(const Settings& settings, size_t receivers, const std::string& filter, bool responses) {
    if (settings.mode == wire::Mode::broadcaster)
      queue_ = std::make_unique<Broadcaster>(settings);
    else
      queue_ = std::make_unique<Balancer>(settings);
    queue_->add_sender(1);
    for (size_t i = 0; i < receivers; i++) {
      auto& receiver = *receivers_.emplace_back(std::make_unique<Receiver>());
      receiver.filter = filter_of(filter);
      receiver.responses = responses;
      queue_->join(receiver);
    }
  }

  void messages(uint64_t n) {
    uint8_t frame[90] = {};
    for (uint64_t i = 0; i < n; i++) {
      ASSERT_TRUE(queue_->make_room(256 * 1024));
      const wire::DataHeader header{.length = 90, .sender = 1, .checksum = 0, .index = ++index_};
      wire::write_data_header(frame, header);
      ASSERT_EQ(queue_->accept(frame, 1, index_).messages, 1u);
      if (i % 8 == 7) turn();
    }
    turn();
  }

  uint64_t delivered() const { return queue_->accounts().delivered; }

 private:
  void turn() {
    for (Receiver* receiver : queue_->take_work()) {
      queue_->gather(*receiver, gather_);
      queue_->sent(*receiver, gather_, gather_.bytes);
    }
    for (auto& receiver : receivers_) {
      while (!receiver->unanswered.empty()) {
        const Delivery& oldest = receiver->unanswered.front();
        const wire::DataHeader header = oldest.segment->header(oldest.entry);
        const wire::ResponseItem item{.index = header.index, .sender = header.sender, .verdict = wire::Verdict::good};
        ASSERT_TRUE(queue_->respond(*receiver, {&item, 1}));
      }
    }
    queue_->turn_end();
  }

  std::unique_ptr<Queue> queue_;
  std::vector<std::unique_ptr<Receiver>> receivers_;
  Gather gather_;
  uint64_t index_ = 0;
};

class Allocations : public testing::TestWithParam<std::tuple<wire::Mode, const char*, bool>> {};

TEST_P(Allocations, AreNoneAMessageInSteadyState) {
  const auto [mode, filter, responses] = GetParam();
  Settings settings{.mode = mode, .max_memory = 8 << 20, .max_frame = 65536};
  Driver driver(settings, 5, filter, responses);
  driver.messages(60000);  // the store, the rings and the lists reach their size
  const uint64_t before = test::allocations();
  driver.messages(60000);
  EXPECT_EQ(test::allocations() - before, 0u);
  EXPECT_EQ(driver.delivered(), mode == wire::Mode::broadcaster ? 5u * 120000 : 120000u);
}

INSTANTIATE_TEST_SUITE_P(Queue, Allocations,
                         testing::Combine(testing::Values(wire::Mode::broadcaster, wire::Mode::load_balancer),
                                          testing::Values("", "senders=1", "size=10B..100B"), testing::Bool()));

}  // namespace
}  // namespace n2nq::queue
