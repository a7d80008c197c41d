// The processes of one role, so that one and fifty behave alike. UI thread.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/run/worker.h"

namespace n2nq::run {

inline constexpr Role kRoles[] = {Role::broker, Role::sender, Role::receiver};

class WorkerGroup : public QObject {
  Q_OBJECT

 public:
  explicit WorkerGroup(Role role) : role_(role) {}

  Role role() const { return role_; }
  bool started() const { return !workers_.empty(); }
  void add(std::unique_ptr<Worker> worker);
  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }

  bool all_at_least(Worker::State state) const;  // started, and every one has come so far
  bool any_at_least(Worker::State state) const;
  bool all_over() const;  // also where none was started
  bool any_over() const;
  bool stopping() const;

  void stop();
  void terminate();
  void kill();

 Q_SIGNALS:
  void changed();
  void noted(n2nq::record::Severity severity, const QString& text);
  void cause_told(const QString& text);
  void server_gone(const n2nq::control::ServerGone& gone);
  void leader_told(const n2nq::control::Leader& leader);
  void telemetry(n2nq::run::Worker* worker, const n2nq::control::Telemetry& telemetry);

 private:
  void each(const std::function<void(Worker&)>& action);

  Role role_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace n2nq::run
