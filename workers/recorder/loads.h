// The background loads that begin or end at a recorder. What it says of each comes over its control link. Thread: main.
#pragma once

#include <memory>
#include <vector>

#include "workers/recorder/fill.h"
#include "workers/recorder/sink.h"

namespace n2nq::recorder {

class Loads {
 public:
  Loads(net::EventLoop& loop, Say say) : loop_(loop), say_(std::move(say)) {}

  // An error says which field is wrong, or that there are too many.
  Result<void> obey(const control::SinkCommand& command);
  Result<void> obey(const control::FillCommand& command);
  // What goes on ends, and is told as far as it came.
  void stop();

 private:
  Result<control::Token> admit(const std::string& word) const;

  static constexpr size_t kMost = 256;  // in the life of a recorder

  net::EventLoop& loop_;
  Say say_;
  std::vector<std::unique_ptr<Sink>> sinks_;  // also those that are over: they hold next to nothing
  std::vector<std::unique_ptr<Fill>> fills_;
};

}  // namespace n2nq::recorder
