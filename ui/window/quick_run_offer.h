// Offers, over the Run page, a short run to whoever starts the bench for the first time, until something was started or
// taken in. UI thread.
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace n2nq::ui::theme {
class MessageBar;
}

namespace n2nq::ui {

class BenchState;

class QuickRunOffer : public QObject {
  Q_OBJECT

 public:
  QuickRunOffer(BenchState& state, QWidget& page, QObject* parent);

  void close();

 Q_SIGNALS:
  void accepted(const QString& plan);  // a bundled one, to be started

 private:
  QPointer<theme::MessageBar> bar_;
};

}  // namespace n2nq::ui
