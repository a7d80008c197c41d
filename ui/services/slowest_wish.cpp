#include "ui/services/slowest_wish.h"

#include <QCoreApplication>

#include "ui/theme/theme.h"

namespace n2nq::ui {

logs::SlowestWish slowest_wish(const plan::RunPlan& plan, size_t receivers, const LogSource& source) {
  logs::SlowestWish wish;
  if (plan.log != plan::LogLevel::full) {
    wish.why_none =
        theme::utf8(QCoreApplication::translate("SlowestWish",
                                                "The services of this run did not log each message. Set Log to "
                                                "\"every message\" in the settings of the receivers and run again."));
    return wish;
  }
  for (size_t i = 1; i <= receivers; ++i) {
    const auto number = static_cast<uint32_t>(i);
    const std::string path = source.path(number);
    if (path.empty())
      wish.elsewhere++;
    else
      wish.logs.push_back({.path = path, .title = source.title(number)});
  }
  wish.why_none =
      theme::utf8(QCoreApplication::translate("SlowestWish", "The logs of the receivers are not on this computer."));
  return wish;
}

}  // namespace n2nq::ui
