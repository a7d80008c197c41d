// Takes the key that a host shows as its own, if it is the one that somebody has told. UI thread.
#pragma once

#include <QObject>
#include <string>

#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"

namespace n2nq::cli {

class HostTrust : public QObject {
  Q_OBJECT

 public:
  HostTrust(HostAccess& access, std::string name, std::string fingerprint);
  // Runs the event loop until it is decided.
  BenchExit execute();

 private:
  void on_asked(const launch::LinkQuestion& question, const launch::LinkAnswer& answer);
  void on_step(const launch::StepReport& report);
  void on_failed(const launch::LinkFailure& failure);
  void end(BenchExit code, const std::string& text);

  HostAccess& access_;
  std::string name_;
  std::string fingerprint_;
  bool taken_ = false;
  bool over_ = false;
  BenchExit code_ = BenchExit::host_trouble;
};

}  // namespace n2nq::cli
