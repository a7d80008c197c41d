#include "app/run/cut_off_search.h"

#include <chrono>

#include "app/journal/begun_runs.h"
#include "app/journal/journal.h"
#include "app/store/store.h"

namespace n2nq::run {
namespace {

constexpr std::chrono::hours kKeepDeleted{24};

int64_t purge_before_utc_ns() {
  const auto then = std::chrono::system_clock::now() - kKeepDeleted;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(then.time_since_epoch()).count();
}

std::string sentence(const store::ResultStore& store, int64_t id, const std::string& folder) {
  const auto record = store.load(id);
  const std::string what = record ? "\"" + record->plan.name + "\", " + to_text(record->verdict) : "its run";
  return "a run that was not saved at its end is now result " + std::to_string(id) + ": " + what + " (" + folder + ")";
}

}  // namespace

CutOffSearch::CutOffSearch(std::string store_path, std::string runs_folder, std::string begun_folder, QObject* parent)
    : QObject(parent),
      store_path_(std::move(store_path)),
      runs_folder_(std::move(runs_folder)),
      begun_folder_(std::move(begun_folder)) {}

CutOffSearch::~CutOffSearch() = default;

void CutOffSearch::start() {
  job_.start([this](const std::stop_token& stop) { search(stop); }, [this] { Q_EMIT finished(); });
}

void CutOffSearch::say(std::string text) {
  job_.tell([this, text = std::move(text)] { Q_EMIT trouble(QString::fromStdString(text)); });
}

void CutOffSearch::search(const std::stop_token& stop) {
  const auto store = store::ResultStore::open(store_path_);
  if (!store) return say(store.error().text);
  if ((*store)->read_only()) return;
  // First: what is found to belong to a campaign that was deleted is not taken away at once.
  if (const auto purged = (*store)->purge(purge_before_utc_ns()); !purged) say(purged.error().text);
  std::vector<std::string> folders = journal::find_cut_off(runs_folder_);
  const auto elsewhere = journal::begun_and_cut_off(begun_folder_);
  folders.insert(folders.end(), elsewhere.begin(), elsewhere.end());
  int runs = 0;
  for (const std::string& folder : folders) {
    if (stop.stop_requested()) break;
    if (!journal::is_cut_off(folder)) continue;  // under another name, or by another bench, it was taken in already
    const auto taken = journal::take_in(**store, folder, stop);
    if (!taken && !stop.stop_requested()) say(taken.error().text);
    if (!taken) continue;
    if (!taken->damage.empty()) say(taken->damage);
    journal::forget_run(begun_folder_, folder);
    if ((*store)->presence(taken->id) != store::Presence::listed) {
      say("a cut-off run belongs to a deleted campaign, and is deleted with it (" + folder + ")");
      continue;
    }
    runs++;
    job_.tell([this, id = taken->id, text = sentence(**store, taken->id, folder)] {
      Q_EMIT taken_in(id, QString::fromStdString(text));
    });
  }
  if (runs > 0) job_.tell([this, runs] { Q_EMIT found(runs); });
}

}  // namespace n2nq::run

#include "moc_cut_off_search.cpp"
