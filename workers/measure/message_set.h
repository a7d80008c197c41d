// What several processes tell of the messages that they have had, so that these can be put together: the sums of a set
// of any size, and a set as text. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::measure {

// Indices of one sender, from 1.
struct Stretch {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t size() const { return last - first + 1; }
  bool operator==(const Stretch&) const = default;
};

// Where two sets, put together, have the sums of all messages that there are, each of these is in one of them and once:
// for others to come out the same, the indices and their squares would have to add up by chance, weighted by sender.
struct MessageSums {
  uint64_t count = 0;
  uint64_t indices = 0;  // modulo 2^64, as are squares
  uint64_t squares = 0;

  void add(uint32_t sender, uint64_t index) {
    const uint64_t weighted = weight(sender) * index;
    count++;
    indices += weighted;
    squares += weighted * index;
  }
  void add_up_to(uint32_t sender, uint64_t last);  // from 1
  MessageSums& operator+=(const MessageSums& other);
  static void fields(auto& visit, auto& row) {
    visit("count", row.count);
    visit("indices", row.indices);
    visit("squares", row.squares);
  }
  bool operator==(const MessageSums&) const = default;

 private:
  // Of neighbours nothing alike.
  static uint64_t weight(uint32_t sender) {
    uint64_t mixed = (sender + 1) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return (mixed ^ (mixed >> 31)) | 1;
  }
};

// A bit for each index, of which bytes without any or with all are told once with their number; as base64.
class SetWriter {
 public:
  // Behind the one before.
  void add(const Stretch& stretch);
  std::string text();

 private:
  void go_to(uint64_t byte);
  void add_byte();
  void end_run();

  std::string bytes_;
  uint64_t at_ = 0;   // of the byte that is not written yet
  uint8_t byte_ = 0;  // as far as it is known
  uint8_t run_of_ = 0;
  uint64_t run_ = 0;  // alike bytes not written yet
};

// Nothing: it is not such a text.
std::optional<std::vector<Stretch>> read_set(std::string_view text);

// How many indices are in any of the sets.
uint64_t size_of_all(std::vector<Stretch> stretches);

}  // namespace n2nq::measure
