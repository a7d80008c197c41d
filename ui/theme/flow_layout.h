// Widgets one after another in lines, as words in a paragraph: a new line begins where one has no more room. UI thread.
#pragma once

#include <QLayout>
#include <QList>

namespace n2nq::ui::theme {

class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent = nullptr);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.append(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return lay(QRect(0, 0, width, 0), false); }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override;
  QSize minimumSize() const override;  // the widest in a line of its own

 private:
  int lay(const QRect& rect, bool place) const;  // the height it takes

  QList<QLayoutItem*> items_;
};

}  // namespace n2nq::ui::theme
