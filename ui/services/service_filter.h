// Which services a table shows, as people type it: "1-5,9 gone lost". Numbers are of services; a word is a state or a
// kind of trouble. Of the numbers one must fit, and of the words one. A value; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/live/service_figures.h"
#include "app/plan/run_plan.h"

namespace n2nq::ui {

class ServiceFilter {
 public:
  // Nothing typed shows everything. The error says what it takes.
  static Result<ServiceFilter> parse(std::string_view text);

  bool everything() const { return !by_number_ && words_.empty(); }
  bool shows(const live::ServiceFigures& figures) const;

 private:
  struct Word {
    const char* text;
    bool (*fits)(const live::ServiceFigures&);
  };
  static const Word* find_word(std::string_view text);
  Result<void> take(std::string_view token);

  bool by_number_ = false;
  std::vector<control::ServiceSet> numbers_;
  std::vector<const Word*> words_;
};

}  // namespace n2nq::ui
