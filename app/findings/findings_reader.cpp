#include "app/findings/findings_reader.h"

#include "app/findings/findings_file.h"
#include "app/results/store.h"

namespace n2nq::findings {

FindingsReader::FindingsReader(std::string store_path, QObject* parent)
    : QObject(parent),
      store_path_(std::move(store_path)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

FindingsReader::~FindingsReader() {
  thread_.request_stop();
  thread_.join();
}

void FindingsReader::judge(campaign::SharedLook look) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = std::move(look);
  }
  wake_.notify_one();
}

void FindingsReader::work(const std::stop_token& stop) {
  const auto all = shipped_findings();
  if (!all) box_.put([this, text = all.error().text] { Q_EMIT trouble(QString::fromStdString(text)); });
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return wanted_ != nullptr; })) {
    const campaign::SharedLook look = std::exchange(wanted_, nullptr);
    lock.unlock();
    if (all) answer(*look, *all);
    lock.lock();
  }
}

void FindingsReader::answer(const campaign::Look& look, const std::vector<Finding>& all) {
  // Opened for each: it is seldom asked for, and the store may be moved in between.
  const auto store = results::ResultStore::open(store_path_);
  const auto load = [&store](int64_t id) -> Result<results::RunRecord> {
    return store ? (*store)->load(id) : std::unexpected(store.error());
  };
  auto found = judge_case(all, look.campaign, look.points, look.records, load);
  box_.put([this, id = look.row.id, found = std::move(found)] { Q_EMIT judged(id, found); });
}

}  // namespace n2nq::findings
