// Holds campaigns against the findings of their studies for the window, on a thread of its own, with a store of its
// own: runs are loaded for it. Of what is asked for only the newest is answered. Signals come in the thread of this
// object.
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>
#include <string>

#include "app/campaign/campaign_reader.h"
#include "app/findings/judge.h"
#include "app/threads/wish_thread.h"

namespace n2nq::findings {

class FindingsReader : public QObject {
  Q_OBJECT

 public:
  explicit FindingsReader(std::string store_path, QObject* parent = nullptr);
  ~FindingsReader() override;  // waits for what is in progress

  void judge(campaign::SharedLook look);

 Q_SIGNALS:
  // Nothing for a campaign that is no shipped case.
  void judged(qint64 campaign, const std::optional<n2nq::findings::CaseFindings>& found);
  void trouble(const QString& text);

 private:
  threads::PostBox::Call answer(const campaign::Look& look);

  const std::string store_path_;
  int64_t judged_ = 0;  // last
  threads::WishThread thread_;
};

}  // namespace n2nq::findings
