#include "ui/window/quick_run_offer.h"

#include "ui/theme/questions.h"
#include "ui/window/bench_state.h"

namespace n2nq::ui {
namespace {

constexpr const char* kOfferedKey = "window/quick-run-offered";
constexpr const char* kQuickPlan = ":/plans/quick.json";

}  // namespace

QuickRunOffer::QuickRunOffer(BenchState& state, QWidget& page, QObject* parent) : QObject(parent) {
  QSettings& settings = state.settings();
  if (settings.value(kOfferedKey, false).toBool()) return;
  bar_ = theme::ask(page, theme::Status::info, tr("New here? Try a five-second run of both queue modes."),
                    {{.text = tr("Quick run"),
                      .help = tr("Opens the plan \"quick\" and starts it."),
                      .chosen = [this] { Q_EMIT accepted(kQuickPlan); },
                      .primary = true},
                     {.text = tr("Not now"),
                      .help = tr("Closes this offer; the plan \"quick\" is in the plan menu."),
                      .chosen = [&settings] { settings.setValue(kOfferedKey, true); }}},
                    theme::FirstFocus::primary);
  connect(&state.sequence(), &run::RunSequence::session_changed, this, &QuickRunOffer::close);
  if (state.desk() != nullptr) connect(state.desk(), &campaign::CampaignDesk::begun, this, &QuickRunOffer::close);
}

void QuickRunOffer::close() {
  if (bar_ != nullptr) bar_->close_bar();
}

}  // namespace n2nq::ui

#include "moc_quick_run_offer.cpp"
