// Columns of the tables that commands print. Pure; any thread.
#pragma once

#include <string>

namespace n2nq::headless {

// At the right of a column; what is wider still has a blank before it.
inline std::string right(const std::string& text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : " " + text;
}

}  // namespace n2nq::headless
