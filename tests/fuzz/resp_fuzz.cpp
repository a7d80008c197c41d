#include "workers/bus/redis/resp.h"

#include <string>
#include <utility>
#include <vector>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/in_chunks.h"
#include "workers/bus/redis/streams.h"

namespace n2nq::fuzz {
namespace {

using bus::RespStep;
using bus::RespToken;

constexpr size_t kLongest = 300;
constexpr size_t kLongestHead = 4096;

// What each of the two answers would make of a token, whatever came before.
class Answers {
 public:
  std::string take(const RespToken& token) {
    std::string text;
    for (auto& [to, reply] : replies_) {
      if (reply.over()) reply.begin(to, 1000);
      const bus::StreamsReply::Step step = reply.take(token);
      text += " " + std::to_string(static_cast<int>(step)) + reply.id();
      if (step == bus::StreamsReply::Step::wrong) reply.begin(to, 1000);
      if (step == bus::StreamsReply::Step::entry && !reply.message().empty())
        N2NQ_ASSERT(reply.message().data() == token.bytes.data());
    }
    return text;
  }

 private:
  std::pair<bus::StreamsReply::To, bus::StreamsReply> replies_[2] = {{bus::StreamsReply::To::read, {}},
                                                                     {bus::StreamsReply::To::take_over, {}}};
};

struct Outcome {
  std::vector<std::string> tokens{};
  bool violation = false;
  bool operator==(const Outcome&) const = default;
};

// Fed in chunks of so many bytes.
Outcome cut(std::span<const uint8_t> input, size_t chunk) {
  Outcome outcome;
  Answers answers;
  in_chunks(input, chunk, [&](std::span<uint8_t> held) -> std::optional<size_t> {
    size_t used = 0;
    while (true) {
      const auto left = held.subspan(used);
      const RespStep step = bus::next_resp(left, kLongest);
      if (step.kind == RespStep::Kind::violation) {
        outcome.violation = true;
        return std::nullopt;
      }
      if (step.kind == RespStep::Kind::partial) {
        N2NQ_ASSERT(step.whole == 0 || (step.whole > left.size() && step.whole <= kLongestHead + kLongest));
        return used;
      }
      N2NQ_ASSERT(step.used > 0 && step.used <= left.size());
      const RespToken& token = step.token;
      N2NQ_ASSERT(token.kind != RespToken::Kind::array || token.number >= 0);
      N2NQ_ASSERT(token.kind != RespToken::Kind::bulk || token.bytes.size() <= kLongest);
      outcome.tokens.push_back(std::to_string(static_cast<int>(token.kind)) + " " + std::to_string(token.number) + " " +
                               std::string(token.text()) + answers.take(token));
      used += step.used;
    }
  });
  return outcome;
}

}  // namespace

// The first byte chooses the chunks; how the bytes are cut changes nothing.
void resp_fuzz(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const size_t chunk = 1 + input[0] % 16;
  input = input.subspan(1);
  N2NQ_ASSERT(cut(input, input.size()) == cut(input, chunk));
}

}  // namespace n2nq::fuzz
