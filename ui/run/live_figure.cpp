#include "ui/run/live_figure.h"

#include <algorithm>
#include <limits>

#include "app/figures/figures.h"
#include "app/figures/run_landmarks.h"
#include "app/record/backlog.h"
#include "app/record/layers.h"
#include "ui/charts/chart_tabs.h"

namespace n2nq::ui {
// What the figures showed when the charts were paused.
struct HeldFigures {
  figures::FigureContext context{};
  int64_t until_ns = 0;
  measure::Histogram latency{};
  measure::Histogram scheduled_latency{};
  measure::Histogram publish{};
  std::vector<live::ServiceFigures> receivers{};
  std::vector<record::LayerRecord> layers{};
  std::vector<live::HostHistory> hosts{};
  figures::Figure waiting{};
  figures::Figure queue_length{};
};

namespace {

figures::FigureContext context_of(const run::RunSession& session) {
  const bool live = session.state() != run::State::over;
  const live::ClockState clocks =
      live ? session.live().clocks()
           : live::ClockState{.kind = session.record().clock_kind, .bound_ns = session.record().clock_bound_ns};
  return {.warmup_ns = session.plan().warmup_ns,
          .clock_kind = clocks.kind,
          .clock_bound_ns = clocks.bound_ns,
          .live = live,
          .started = live,
          .began = session.elapsed_ns().has_value(),
          .limits = session.plan().limits,
          .replies = plan::asks_for_replies(session.plan()),
          .closed_loop = plan::closed_loop(session.plan()),
          .recorded = session.plan().recorder.on,
          .bus = session.plan().bus,
          .end_ns = session.live().series().end_ns()};
}

// Up to where all workers have spoken: what is younger would look like a fall.
int64_t end_of(const run::RunSession& session) {
  return session.state() == run::State::over ? std::numeric_limits<int64_t>::max() : session.live().complete_until_ns();
}

figures::Figure build(figures::PictureParts parts, const figures::FigureContext& context, const std::string& id,
                      int64_t from_ns, int64_t to_ns) {
  parts.context = context;
  parts.from_ns = from_ns;
  parts.to_ns = to_ns;
  const auto found = std::ranges::find(figures::pictures(), id, &figures::Picture::id);
  return found == figures::pictures().end() ? figures::Figure() : found->draw(parts);
}

using DrawWaiting = figures::Figure (*)(const figures::WaitingSums&, const figures::FigureContext&);

figures::Figure waiting_figure(DrawWaiting draw, const live::LiveFigures& live, const plan::RunPlan& plan,
                               const figures::FigureContext& context) {
  const std::vector<live::WaitingBatch> batches = live.waiting_batches().all();
  return draw({.plan = plan,
               .waiting = live.summary(Latency::waiting),
               .service = live.summary(Latency::service),
               .handover = live.summary(Latency::handover),
               .occupied = live.summary(Latency::occupied),
               .delay = live.summary(Latency::delay),
               .batches = batches},
              context);
}

auto series_of(const live::LiveFigures& live) {
  return [&live](int64_t from_ns, int64_t to_ns, size_t most) { return live.series().points(from_ns, to_ns, most); };
}

figures::PictureParts parts_of(const live::LiveFigures& live, const plan::RunPlan& plan) {
  const auto draw = [&live, &plan](DrawWaiting figure) {
    return [&live, &plan, figure](const figures::FigureContext& context) {
      return waiting_figure(figure, live, plan, context);
    };
  };
  const bool replies = plan::asks_for_replies(plan);
  return {.series = series_of(live),
          .latency = live.histogram(record::first_latency(replies)),
          .scheduled_latency = live.histogram(record::first_latency(replies, true)),
          .publish = live.histogram(Latency::publish),
          .receivers = live.receivers(),
          .layers = [&live] { return record::layers_of(live); },
          .hosts = [&live] { return live.hosts().histories(); },
          .round_trips = [&live] { return live.hosts().histories(figures::kRoundTripSeries); },
          .waiting = draw(&figures::waiting_figure),
          .queue_length = draw(&figures::queue_length_figure)};
}

HeldFigures hold_figures(const run::RunSession& session, const figures::FigureContext& context) {
  const figures::PictureParts now = parts_of(session.live(), session.plan());
  HeldFigures held{.context = context,
                   .until_ns = end_of(session),
                   .receivers = {now.receivers.begin(), now.receivers.end()},
                   .layers = now.layers(),
                   .hosts = now.hosts(),
                   .waiting = now.waiting(context),
                   .queue_length = now.queue_length(context)};
  held.latency.merge(now.latency);
  held.scheduled_latency.merge(now.scheduled_latency);
  held.publish.merge(now.publish);
  return held;
}

}  // namespace

LiveCharts::LiveCharts(charts::ChartTabs& charts, SessionOf session)
    : QObject(&charts), charts_(charts), session_(std::move(session)) {
  start_anew();
  connect(&charts_, &charts::ChartTabs::paused_changed, this, &LiveCharts::hold);
}

LiveCharts::~LiveCharts() = default;

void LiveCharts::start_anew() {
  known_ = {};
  charts_.set_source([this](const std::string& id, double from_x, double to_x) { return figure(id, from_x, to_x); });
}

void LiveCharts::show_plan(const plan::RunPlan& plan) {
  Planned planned;
  if (plan.senders.shape.exists() && plan::asked_load(plan))
    planned = {.shape = plan.senders.shape, .messages = plan::planned_messages(plan)};
  planned.replies = plan::asks_for_replies(plan);
  planned.bus = plan.bus;
  const run::RunSession* session = session_();
  charts_.set_replies(session != nullptr ? plan::asks_for_replies(session->plan()) : planned.replies);
  if (planned == planned_) return;
  planned_ = planned;
  charts_.refresh();
}

void LiveCharts::hold(bool paused) {
  const run::RunSession* session = session_();
  held_ =
      paused && session != nullptr ? std::make_unique<HeldFigures>(hold_figures(*session, context(*session))) : nullptr;
}

// The run's log is read again only where it has grown.
figures::FigureContext LiveCharts::context(const run::RunSession& session) const {
  const size_t notes = session.notes().size();
  const size_t requests = session.record().requests.size();
  if (known_.session != &session || known_.notes != notes || known_.requests != requests)
    known_ = {.session = &session,
              .notes = notes,
              .requests = requests,
              .landmarks = figures::landmarks_of(session.plan().warmup_ns, session.notes()),
              .pauses = record::pauses_of(session.notes()),
              .receiver_pauses = record::receiver_pauses_of(session.notes()),
              .due_per_message = record::due_per_message(session.record().plan),
              .asked = plan::asked_load(session.plan()),
              .asked_messages = plan::planned_messages(session.plan())};
  figures::FigureContext context = context_of(session);
  context.landmarks = known_.landmarks;
  context.pauses = known_.pauses;
  context.receiver_pauses = known_.receiver_pauses;
  context.due_per_message = known_.due_per_message;
  const auto& changed = session.record().requests;
  if (!changed.empty()) context.due_until_ns = changed.front().since_begin_ns;
  context.asked_messages = known_.asked_messages;
  // Before it begins there is nothing to compare it with, but of a shape all that is to be known.
  if (session.elapsed_ns() || session.plan().senders.shape.exists()) context.asked = known_.asked;
  return context;
}

// What another run would be asked is seen beside what the last one was.
void LiveCharts::draw_planned(figures::Figure& figure, const run::RunSession& session) const {
  const bool other = planned_.shape.exists() && planned_.shape != session.plan().senders.shape;
  if (figure.id != "rate" || !other || session.state() != run::State::over) return;
  const figures::Figure planned = figures::rate_figure({}, context_before());
  figures::Series line = planned.series.front();
  line.name = "asked of the next run";
  line.hue = figures::Hue::accent;
  figure.series.push_back(std::move(line));
  figure.notes.push_back("next run: " + planned.notes.front());
}

figures::FigureContext LiveCharts::context_before() const {
  figures::FigureContext before{.clock_kind = "same", .clock_bound_ns = {}, .live = true};
  if (planned_.shape.exists()) before.asked = measure::LoadProfile(planned_.shape);
  before.asked_messages = planned_.messages;
  before.replies = planned_.replies;
  before.bus = planned_.bus;
  return before;
}

// Before the first run: axes, and what to do.
figures::Figure LiveCharts::figure(const std::string& id, double from_x, double to_x) const {
  const run::RunSession* session = session_();
  if (session == nullptr) {
    const live::LiveFigures none(0, 0);
    return build(parts_of(none, {}), context_before(), id, 0, 0);
  }
  const live::LiveFigures& live = session->live();
  const auto from_ns = static_cast<int64_t>(from_x);
  const auto to_ns = static_cast<int64_t>(to_x);
  if (held_ == nullptr) {
    figures::Figure figure =
        build(parts_of(live, session->plan()), context(*session), id, from_ns, std::min(to_ns, end_of(*session)));
    draw_planned(figure, *session);
    return figure;
  }
  const HeldFigures& held = *held_;
  const figures::PictureParts then{
      .series = series_of(live),
      .latency = held.latency,
      .scheduled_latency = held.scheduled_latency,
      .publish = held.publish,
      .receivers = held.receivers,
      .layers = [&held] { return held.layers; },
      .hosts = [&held] { return held.hosts; },
      .round_trips = [&held] { return held.hosts; },
      .waiting = [&held](const figures::FigureContext&) { return held.waiting; },
      .queue_length = [&held](const figures::FigureContext&) { return held.queue_length; }};
  return build(then, held.context, id, from_ns, std::min(to_ns, held.until_ns));
}

}  // namespace n2nq::ui

#include "moc_live_figure.cpp"
