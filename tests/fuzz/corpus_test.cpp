// The fuzz targets in the suite: the committed corpus as it is, and 20,000 mutations of it that are the same every
// time.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "broker/base/random.h"
#include "tests/fuzz/entries.h"

namespace n2nq::fuzz {
namespace {

using Input = std::vector<uint8_t>;

struct Target {
  const char* name;
  void (*entry)(std::span<const uint8_t>);
};
void PrintTo(const Target& target, std::ostream* out) {
  *out << target.name;
}

std::vector<Input> corpus(const Target& target) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(std::string(N2NQ_FUZZ_CORPUS "/") + target.name))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::vector<Input> inputs;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void mutate(Input& input, Random& random) {
  const size_t at = random.below(input.size() + 1);
  const auto here = input.begin() + static_cast<ptrdiff_t>(at);
  switch (random.below(6)) {
    case 0:  // a bit
      if (here != input.end()) *here ^= static_cast<uint8_t>(1u << random.below(8));
      break;
    case 1:  // a byte, often one at the edge of its range
      if (here != input.end()) *here = static_cast<uint8_t>(random.below(2) == 0 ? random.next() : random.below(3) - 1);
      break;
    case 2:  // cut
      input.erase(here, input.end());
      break;
    case 3:  // grow
      input.insert(here, random.below(20) + 1, static_cast<uint8_t>(random.below(2) == 0 ? 0 : random.next()));
      break;
    case 4:  // drop a few
      input.erase(here, here + static_cast<ptrdiff_t>(random.below(std::min<size_t>(input.size() - at, 8) + 1)));
      break;
    default: {  // repeat a part
      const Input part(here, here + static_cast<ptrdiff_t>(random.below(std::min<size_t>(input.size() - at, 16) + 1)));
      input.insert(input.begin() + static_cast<ptrdiff_t>(at), part.begin(), part.end());
    }
  }
}

class Fuzz : public testing::TestWithParam<Target> {};

TEST_P(Fuzz, TakesItsCorpus) {
  const auto inputs = corpus(GetParam());
  ASSERT_FALSE(inputs.empty());
  for (const Input& input : inputs) GetParam().entry(input);
}

TEST_P(Fuzz, TakesSeededMutationsOfItsCorpus) {
  const auto inputs = corpus(GetParam());
  ASSERT_FALSE(inputs.empty());
  Random random(20'000);
  for (int i = 0; i < 20'000; i++) {
    Input input = inputs[random.below(inputs.size())];
    for (uint64_t n = random.below(4) + 1; n > 0; n--) mutate(input, random);
    GetParam().entry(input);
  }
}

TEST_P(Fuzz, TakesNothingAndNoise) {
  GetParam().entry({});
  Random random(1);
  for (int i = 0; i < 2000; i++) {
    Input input(random.below(200));
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random.next());
    GetParam().entry(input);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz,
                         testing::Values(Target{"amqp", amqp_fuzz}, Target{"frames", frames_fuzz},
                                         Target{"filter_text", filter_text_fuzz},
                                         Target{"hello_start", hello_start_fuzz}, Target{"load", load_fuzz},
                                         Target{"nats", nats_fuzz}, Target{"recorded", recorded_fuzz},
                                         Target{"relay", relay_fuzz}, Target{"resp", resp_fuzz},
                                         Target{"telemetry", telemetry_fuzz}, Target{"http_head", http_head_fuzz},
                                         Target{"ws_frame", ws_frame_fuzz}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace n2nq::fuzz
