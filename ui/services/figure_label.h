// A figure that changes ten times a second: as wide as the widest text that may come, so that nothing around it moves,
// and no layout is done for a new value. UI thread.
#pragma once

#include <QLabel>
#include <string>

namespace n2nq::ui {

class FigureLabel : public QLabel {
  Q_OBJECT

 public:
  FigureLabel(const QString& accessible_name, QWidget* parent = nullptr);

  // Room for at least this text.
  void reserve(const std::string& widest);
  void show_figure(const std::string& text);
  // Something a person should look at: an icon beside the figure, in room that is always kept for labels that may be
  // marked.
  void may_be_marked();
  void mark(bool on);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void make_room();

  std::string widest_;
  bool can_mark_ = false;
  bool marked_ = false;
};

}  // namespace n2nq::ui
