#include "ui/results/run_loader.h"

#include <stop_token>
#include <utility>

namespace n2nq::results {
namespace {

// What pictures and statements do not look at would take most of the room.
void keep_what_is_compared(RunRecord& run) {
  run.services = {};
  run.processes = {};
  run.losses = {};
  run.notes = {};
  run.paths = {};
  std::erase_if(run.histograms, [](const HistogramRecord& one) { return one.name != "latency_ns"; });
}

Result<std::vector<RunRecord>> load_all(const std::string& path, const std::vector<int64_t>& ids,
                                        const std::stop_token& stop) {
  const auto store = ResultStore::open(path);
  if (!store) return std::unexpected(store.error());
  std::vector<RunRecord> runs;
  for (const int64_t id : ids) {
    if (stop.stop_requested()) return fail("told to stop");
    auto run = (*store)->load(id);
    if (!run) return std::unexpected(run.error());
    keep_what_is_compared(*run);
    runs.push_back(std::move(*run));
  }
  return runs;
}

}  // namespace

RunLoader::RunLoader(QObject* parent) : QObject(parent) {}
RunLoader::~RunLoader() = default;

void RunLoader::load(const std::string& store, std::vector<int64_t> ids, Done done) {
  const uint64_t wish = ++wish_;
  thread_ =
      std::jthread([this, wish, store, ids = std::move(ids), done = std::move(done)](const std::stop_token& stop) {
        auto runs = std::make_shared<Result<std::vector<RunRecord>>>(load_all(store, ids, stop));
        box_.put([this, wish, done, runs] {
          if (wish == wish_) done(std::move(*runs));
        });
      });
}

}  // namespace n2nq::results
