// What a worker process has signalled so far, in order.
#pragma once

#include <QTest>
#include <optional>
#include <vector>

#include "app/launch/launcher.h"

namespace n2nq::launch {

constexpr int kPatienceMs = 60'000;

struct Heard {
  explicit Heard(WorkerProcess& process) {
    QObject::connect(&process, &WorkerProcess::started, &process, [this] { started++; });
    QObject::connect(&process, &WorkerProcess::error_output, &process,
                     [this](const QString& line) { errors.push_back(line.toStdString()); });
    QObject::connect(&process, &WorkerProcess::finished, &process, [this](const ProcessEnd& e) {
      ends++;
      end = e;
    });
  }
  bool wait_started() const {
    return QTest::qWaitFor([this] { return started > 0; }, kPatienceMs);
  }
  bool wait_end() const {
    return QTest::qWaitFor([this] { return ends > 0; }, kPatienceMs);
  }

  int started = 0;
  int ends = 0;
  std::optional<ProcessEnd> end;
  std::vector<std::string> errors;
};

}  // namespace n2nq::launch
