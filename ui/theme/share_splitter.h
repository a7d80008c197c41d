// A splitter whose panes keep their shares of it, whatever its size: what is squeezed on a small screen has its share
// again on a large one, and what was kept there does not fill a small one. UI thread.
#pragma once

#include <QList>
#include <QSplitter>

namespace n2nq::ui::theme {

class ShareSplitter : public QSplitter {
  Q_OBJECT

 public:
  explicit ShareSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

  // One weight a pane, also of those that are hidden; until a person moves a handle.
  void share(const QList<int>& weights);
  // As QSplitter::saveState(), but with weights in the place of pixels: either reads what the other wrote.
  QByteArray state() const;
  bool restore(const QByteArray& state);  // false: it is none

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void apply();
  void take_sizes();

  QList<int> weights_;
};

}  // namespace n2nq::ui::theme
