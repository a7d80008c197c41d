// Lays a widget over the lower right corner of an area, as high as it needs to be and no wider than it wants: what is
// there neither moves nor shrinks when it comes or goes, so that a click hits what it was meant for. Where buttons or
// fields are in that corner, it lies above them or at the other side, if there is room; it goes there too
// when they come while it is shown. UI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace n2nq::ui::theme {

inline constexpr const char* kLiesOver = "n2nq_lies_over";  // a property of such widgets, which is true

class LowerEdge : public QObject {
  Q_OBJECT

 public:
  // `over` is a child of `area` or of one of its parents, in no layout, and owns this. `wanted`: how wide it wants to
  // be; empty: as wide as there is room.
  LowerEdge(QWidget& over, QWidget& area, std::function<int()> wanted = {});

  void keep_above(QWidget* other);  // while that is shown
  void place();                     // a control that has the focus stays in sight

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void make_way();
  void watch_scrolled();
  std::vector<QRect> controls() const;
  bool is_over(const QWidget& widget) const;
  std::optional<QRect> free_place(QRect lowest) const;
  int above_focus(const QRect& there) const;
  QRect over_parent(const QWidget& widget, const QRect& part) const;

  QWidget& over_;
  QPointer<QWidget> area_;
  QPointer<QWidget> other_;
  std::function<int()> wanted_;
  QTimer soon_;  // once for all that changes in a turn of the event loop
};

}  // namespace n2nq::ui::theme
