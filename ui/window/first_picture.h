// What the bench is about, in one picture: senders, a bus, receivers. Only to be seen: the words beside it say the
// same. UI thread.
#pragma once

#include <QWidget>

namespace n2nq::ui {

class FirstPicture : public QWidget {
 public:
  explicit FirstPicture(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace n2nq::ui
