#include "ui/run/live_figure.h"

#include <utility>

#include "app/figures/happened.h"
#include "app/figures/run_landmarks.h"
#include "ui/charts/chart_tabs.h"

namespace n2nq::ui {

LiveCharts::LiveCharts(charts::ChartTabs& charts, SessionOf session)
    : QObject(&charts), charts_(charts), session_(std::move(session)) {
  start_anew();
  connect(&charts_, &charts::ChartTabs::paused_changed, this, &LiveCharts::hold);
}

void LiveCharts::start_anew() {
  known_.reset();
  charts_.set_source([this](const std::string& id, double from_x, double to_x) { return figure(id, from_x, to_x); });
  charts_.set_moments([this](double at_x) { return happened(at_x); });
}

void LiveCharts::show_plan(const plan::RunPlan& plan) {
  const run::RunSession* session = session_();
  charts_.set_replies(plan::asks_for_replies(session != nullptr ? session->plan() : plan));
  if (plan == planned_.plan) return;
  planned_.plan = plan;
  if (session != nullptr && session->state() != run::State::over) return;
  if (session == nullptr) known_.reset();
  charts_.refresh();
}

void LiveCharts::hold(bool paused) {
  const run::RunSession* session = session_();
  const bool goes_on = session != nullptr && session->state() != run::State::over;
  held_ = paused && goes_on ? session->hold() : nullptr;
  known_.reset();
}

// The run's log is read again only where it has grown.
figures::FigureContext LiveCharts::context(const figures::RunView& run) const {
  const size_t notes = run.notes().size();
  const size_t requests = run.requests().size();
  if (!known_ || known_->notes != notes || known_->requests != requests)
    known_ = {
        .notes = notes, .requests = requests, .until_ns = run.known_until_ns(), .context = figures::context_of(run)};
  // Once for all figures of a tick.
  if (const int64_t until_ns = run.known_until_ns(); known_->until_ns != until_ns) {
    known_->until_ns = until_ns;
    // Hosts are read once a second at most.
    if (const int64_t second = until_ns / 1'000'000'000; std::exchange(known_->second, second) != second)
      known_->others = figures::busy_others(run);
    known_->context.stretches = figures::stretches_of(run);
    known_->context.stretches.insert(known_->context.stretches.end(), known_->others.begin(), known_->others.end());
  }
  figures::FigureContext now = known_->context;
  figures::follow(now, run);
  return now;
}

// What another run would be asked is seen beside what the last one was.
void LiveCharts::draw_planned(figures::Figure& figure, const run::RunSession& session) const {
  const measure::LoadShape& shape = planned_.plan.senders.shape;
  const bool differs = shape.exists() && shape != session.plan().senders.shape;
  if (figure.id != "rate" || session.state() != run::State::over || !differs) return;
  const figures::Figure planned = figures::rate_figure({}, {.stage = figures::Stage::planned,
                                                            .asked = plan::asked_load(planned_.plan),
                                                            .asked_messages = plan::planned_messages(planned_.plan)});
  if (planned.empty()) return;
  figures::Series line = planned.series.front();
  line.name = "asked of the next run";
  line.hue = figures::Hue::accent;
  figure.series.push_back(std::move(line));
  figure.notes.push_back("next run: " + planned.notes.front());
}

figures::Figure LiveCharts::figure(const std::string& id, double from_x, double to_x) const {
  const auto draw = [&](const figures::RunView& run) {
    return figures::draw(id, {.run = run,
                              .context = context(run),
                              .from_ns = static_cast<int64_t>(from_x),
                              .to_ns = static_cast<int64_t>(to_x)});
  };
  const run::RunSession* session = session_();
  if (session == nullptr) return draw(figures::RunningView(planned_, {}, nobody_, figures::Stage::planned));
  if (held_ != nullptr) return draw(*held_);
  figures::Figure figure = draw(*session->view());
  draw_planned(figure, *session);
  return figure;
}

std::string LiveCharts::happened(double at_x) const {
  const run::RunSession* session = session_();
  if (session == nullptr) return {};
  const auto say = [&](const figures::RunView& run) {
    return figures::happened_at(run, context(run), static_cast<int64_t>(at_x));
  };
  return held_ != nullptr ? say(*held_) : say(*session->view());
}

}  // namespace n2nq::ui

#include "moc_live_figure.cpp"
