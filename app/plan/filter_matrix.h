// Which sender's messages go to which receiver, as a matrix that a person ticks, and as the filters of a plan. Size and
// index ranges of a receiver are kept beside its row. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

class FilterMatrix {
 public:
  FilterMatrix(uint32_t senders, uint32_t receivers);  // everything to everybody
  static FilterMatrix from(const std::vector<ReceiverFilter>& filters, uint32_t senders, uint32_t receivers);

  uint32_t senders() const { return senders_; }
  uint32_t receivers() const { return receivers_; }
  // Numbers from 1 on.
  bool wanted(uint32_t receiver, uint32_t sender) const;
  uint32_t unheard() const;  // senders whose messages no receiver wants
  void set(uint32_t receiver, uint32_t sender, bool wanted);
  void set_all(bool wanted);
  void invert();
  void pin_one_to_one();  // receiver k wants sender k

  // The row as text: "all", "1-5,9", "none", "self".
  std::string senders_text(uint32_t receiver) const;
  Result<void> set_senders_text(uint32_t receiver, const std::string& text);
  // "10B..1KiB" or empty: any size; "1..100" or empty: any index.
  const std::string& size_text(uint32_t receiver) const;
  const std::string& index_text(uint32_t receiver) const;
  Result<void> set_size_text(uint32_t receiver, const std::string& text);
  Result<void> set_index_text(uint32_t receiver, const std::string& text);

  // Equal rows share a rule; a matrix that is one-to-one becomes senders=self, which outlives a change of amounts.
  std::vector<ReceiverFilter> filters() const;
  bool operator==(const FilterMatrix&) const = default;

 private:
  struct Row {
    std::vector<bool> wanted{};
    std::string size{}, index{};
    bool operator==(const Row&) const = default;
  };
  void take(uint32_t receiver, const std::string& text);
  bool one_to_one() const;
  Row& row(uint32_t receiver);
  const Row& row(uint32_t receiver) const;

  uint32_t senders_;
  uint32_t receivers_;
  std::vector<Row> rows_;
};

}  // namespace n2nq::plan
