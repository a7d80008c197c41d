#include "app/run/run_requests.h"

#include <algorithm>
#include <utility>

#include "app/plan/filter_text.h"
#include "app/run/request_commands.h"

namespace n2nq::run {
namespace {

constexpr int64_t kOldestFiguresNs = 1'000'000'000;  // older ones say nothing of now

}  // namespace

RunRequests::RunRequests(plan::RunPlan& plan, record::RunRecord& record, const RunStage& stage,
                         const live::LiveFigures& live, TakeNote note)
    : plan_(plan), record_(record), stage_(stage), live_(live), note_(std::move(note)), expected_(plan) {}

void RunRequests::make(const std::vector<plan::ReceiverFilter>& filters, std::optional<int64_t> elapsed_ns,
                       bool ending) {
  plan_.queue.requests.filters = filters;
  if (!elapsed_ns) {
    record_.plan.queue.requests.filters = filters;
    expected_ = ExpectedDeliveries(plan_);
  }
  if (!plan_.queue.requests.on || !stage_.group(Role::receiver).started() || ending) return;
  send();
  note_({.text = "requests from now on: " + plan::requests_text(plan_), .kind = record::EventKind::request});
  if (!elapsed_ns) return;
  expected_.change(plan_, live_.senders(), std::clamp<int64_t>(*elapsed_ns - live_.now_ns(), 0, kOldestFiguresNs));
  record_.requests.push_back({.since_begin_ns = *elapsed_ns, .filters = plan::to_text(filters)});
}

void RunRequests::send() const {
  for (const auto& worker : stage_.group(Role::receiver).workers())
    if (worker->state() >= Worker::State::joined) send_to(*worker);
}

void RunRequests::send_to(Worker& receivers) const {
  if (!plan_.queue.requests.on) return;
  for (const auto& request : request_commands(plan_.queue.requests.filters, receivers.identity().share))
    receivers.send(request);
}

}  // namespace n2nq::run
