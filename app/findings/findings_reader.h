// Holds campaigns against the thesis' findings for the window, on a thread of its own, with a store of its own: runs
// are loaded for it. Of what is asked for only the newest is answered. Signals come in the thread of this object.
#pragma once

#include <QObject>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/campaign/campaign_reader.h"
#include "app/findings/judge.h"
#include "app/threads/post_box.h"

namespace n2nq::findings {

class FindingsReader : public QObject {
  Q_OBJECT

 public:
  explicit FindingsReader(std::string store_path, QObject* parent = nullptr);
  ~FindingsReader() override;  // waits for what is in progress

  void judge(campaign::SharedLook look);

 Q_SIGNALS:
  // Nothing for a campaign that is not a case of the thesis.
  void judged(qint64 campaign, const std::optional<n2nq::findings::CaseFindings>& found);
  void trouble(const QString& text);

 private:
  void work(const std::stop_token& stop);
  void answer(const campaign::Look& look, const std::vector<Finding>& all);

  std::string store_path_;
  threads::PostBox box_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  campaign::SharedLook wanted_;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace n2nq::findings
