// Loads whole results, histograms included, on a thread of its own with a connection of its own. UI thread otherwise.
#pragma once

#include <QObject>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/results/store.h"
#include "app/threads/post_box.h"

namespace n2nq::results {

class RunLoader : public QObject {
  Q_OBJECT

 public:
  using Done = std::function<void(Result<std::vector<RunRecord>> runs)>;

  explicit RunLoader(QObject* parent = nullptr);
  ~RunLoader() override;  // tells it to stop, and waits for the result it is at

  // What is loaded already is dropped: `done` is called for the last wish alone.
  void load(const std::string& store, std::vector<int64_t> ids, Done done);

 private:
  threads::PostBox box_;
  uint64_t wish_ = 0;
  std::jthread thread_;
};

}  // namespace n2nq::results
