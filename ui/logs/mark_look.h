// How the mark of a line looks: a colour and a sign of the theme. UI thread.
#pragma once

#include <utility>

#include "app/logs/line_rules.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

inline theme::Status status_of(logs::Mark mark) {
  switch (mark) {
    case logs::Mark::good:
      return theme::Status::good;
    case logs::Mark::info:
      return theme::Status::info;
    case logs::Mark::warning:
      return theme::Status::warning;
    case logs::Mark::bad:
      return theme::Status::bad;
  }
  std::unreachable();
}

}  // namespace n2nq::ui
