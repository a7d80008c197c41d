#include "app/run/worker_group.h"

#include <algorithm>

namespace n2nq::run {

void WorkerGroup::add(std::unique_ptr<Worker> worker) {
  Worker* raw = worker.get();
  connect(raw, &Worker::changed, this, &WorkerGroup::changed);
  connect(raw, &Worker::noted, this, &WorkerGroup::noted);
  connect(raw, &Worker::cause_told, this, &WorkerGroup::cause_told);
  connect(raw, &Worker::server_gone, this, &WorkerGroup::server_gone);
  connect(raw, &Worker::leader_told, this, &WorkerGroup::leader_told);
  connect(raw, &Worker::telemetry, this,
          [this, raw](const control::Telemetry& figures) { Q_EMIT telemetry(raw, figures); });
  workers_.push_back(std::move(worker));
}

bool WorkerGroup::all_at_least(Worker::State state) const {
  return started() && std::ranges::all_of(workers_, [state](const auto& worker) { return worker->state() >= state; });
}

bool WorkerGroup::any_at_least(Worker::State state) const {
  return std::ranges::any_of(workers_, [state](const auto& worker) { return worker->state() >= state; });
}

bool WorkerGroup::all_over() const {
  return std::ranges::all_of(workers_, [](const auto& worker) { return worker->over(); });
}

bool WorkerGroup::any_over() const {
  return std::ranges::any_of(workers_, [](const auto& worker) { return worker->over(); });
}

bool WorkerGroup::stopping() const {
  return std::ranges::any_of(workers_, [](const auto& worker) { return worker->stopping(); });
}

void WorkerGroup::stop() {
  each([](Worker& worker) { worker.stop(); });
}

void WorkerGroup::terminate() {
  each([](Worker& worker) { worker.terminate(); });
}

void WorkerGroup::kill() {
  each([](Worker& worker) { worker.kill(); });
}

void WorkerGroup::each(const std::function<void(Worker&)>& action) {
  for (const auto& worker : workers_) action(*worker);
}

}  // namespace n2nq::run

#include "moc_worker_group.cpp"
