// Dims an area and holds in its middle what has to be answered there: the focus goes to it, Tab stays in it, F6 comes
// back to it, and it goes when all that it holds is hidden or gone. Nothing below moves. UI thread.
#pragma once

#include <QPointer>
#include <QWidget>

class QVBoxLayout;

namespace n2nq::ui::theme {

class Veil : public QWidget {
  Q_OBJECT

 public:
  enum class Place { middle, top };

  // The one over that area, which owns it.
  static Veil& over(QWidget& area, Place place = Place::middle);

  // Shows it, no wider than `widest`; `first` gets the focus, or what in it comes first. Belongs to the veil.
  void hold(QWidget* question, int widest, QWidget* first = nullptr);
  void take_focus();  // back to it, by F6

 Q_SIGNALS:
  void clicked_beside();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  Veil(QWidget& area, Place place);
  bool is_empty() const;
  void follow();
  void cover();

  QWidget& area_;
  QVBoxLayout* column_;
  QPointer<QWidget> before_;  // had the focus
  QPointer<QWidget> first_;   // is to get it
};

}  // namespace n2nq::ui::theme
