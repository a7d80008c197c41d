#include "app/findings/findings_reader.h"

#include <utility>

#include "app/findings/findings_file.h"
#include "app/store/store.h"

namespace n2nq::findings {

FindingsReader::FindingsReader(std::string store_path, QObject* parent)
    : QObject(parent), store_path_(std::move(store_path)) {}

FindingsReader::~FindingsReader() = default;

void FindingsReader::judge(campaign::SharedLook look) {
  const bool again = look->row.id == std::exchange(judged_, look->row.id);
  threads::WishThread::Task task = [this, look = std::move(look)](const auto&) { return answer(*look); };
  again ? thread_.wish_again(0, std::move(task)) : thread_.wish(0, std::move(task));
}

threads::PostBox::Call FindingsReader::answer(const campaign::Look& look) {
  static const auto all = shipped_findings();
  if (!all) return [this] { Q_EMIT trouble(QString::fromStdString(all.error().text)); };
  // Opened for each: it is seldom asked for, and the store may be moved in between.
  const auto store = store::ResultStore::open(store_path_);
  const auto load = [&store](int64_t id) -> Result<record::RunRecord> {
    return store ? (*store)->load(id) : std::unexpected(store.error());
  };
  auto found = judge_case(*all, look.campaign, look.points, look.records, load);
  return [this, id = look.row.id, found = std::move(found)] { Q_EMIT judged(id, found); };
}

}  // namespace n2nq::findings

#include "moc_findings_reader.cpp"
