// Processes on this computer. They run in a process group of their own, so that Ctrl-C in the bench's terminal reaches
// the bench alone; when the bench dies their stdin ends, and they end by themselves. UI thread.
#pragma once

#include <string>

#include "app/launch/launcher.h"

namespace n2nq::launch {

class LocalLauncher : public Launcher {
 public:
  // `programs`: the folder of n2nq-broker, n2nq-sender and n2nq-receiver.
  explicit LocalLauncher(std::string programs) : programs_(std::move(programs)) {}
  std::unique_ptr<WorkerProcess> launch(const WorkerCommand& command) override;

 private:
  std::string programs_;
};

}  // namespace n2nq::launch
