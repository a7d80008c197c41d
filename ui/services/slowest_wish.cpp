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

std::optional<logs::SlowestAim> aim_at(const figures::Figure& figure, double second) {
  const auto moment = figures::moment_at(figure, second);
  if (!moment) return std::nullopt;
  logs::SlowestAim aim{.stretch = logs::RunStretch{.from_ns = moment->from_ns, .to_ns = moment->to_ns},
                       .own = logs::RunStretch{.from_ns = moment->own_from_ns, .to_ns = moment->own_to_ns}};
  if (moment->highest) aim.shown = {.low_ns = moment->highest->low_ns, .high_ns = moment->highest->high_ns};
  return aim;
}

}  // namespace n2nq::ui
