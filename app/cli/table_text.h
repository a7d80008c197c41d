// Columns of the tables that commands print. Pure; any thread.
#pragma once

#include <string>

#include "app/run/stepped_test.h"
#include "app/text/quantity.h"

namespace n2nq::cli {

// At the right of a column; what is wider still has a blank before it.
inline std::string right(const std::string& text, size_t width) {
  const size_t own = text::width(text);
  return own < width ? std::string(width - own, ' ') + text : " " + text;
}

// At the left of one.
inline std::string left(std::string text, size_t width) {
  const size_t own = text::width(text);
  if (own < width) text.append(width - own, ' ');
  return text;
}

// Of a step that has ended.
inline const char* mark_word(run::TestStep::Mark mark) {
  using Mark = run::TestStep::Mark;
  return mark == Mark::good ? "ok" : mark == Mark::warning ? "warning" : "FAILED";
}

}  // namespace n2nq::cli
