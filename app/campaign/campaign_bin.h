// Deletes campaigns and restores them, one after the other, on a thread of its own: it takes as long as they have
// results. Signals come in the thread of this object.
#pragma once

#include <QObject>
#include <cstdint>
#include <string>

#include "app/store/store.h"
#include "app/threads/wish_thread.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// How many results went with it. Not one that a bench is making, here or in another process. Any thread.
Result<uint64_t> remove_campaign(const std::string& store_path, int64_t id);

class CampaignBin : public QObject {
  Q_OBJECT

 public:
  explicit CampaignBin(std::string store_path, QObject* parent = nullptr);
  ~CampaignBin() override;  // does what was asked for before

  void remove(int64_t id);   // removed() or not_removed() follows
  void restore(int64_t id);  // restored() or not_restored() follows

 Q_SIGNALS:
  void removed(qint64 id, quint64 results);  // that went with it
  void not_removed(qint64 id, const QString& why);
  void restored(qint64 id);
  void not_restored(qint64 id, const QString& why, n2nq::store::Presence presence);

 private:
  std::string store_path_;
  int jobs_ = 0;  // each of a kind of its own, so that all are done
  threads::WishThread thread_;
};

}  // namespace n2nq::campaign
