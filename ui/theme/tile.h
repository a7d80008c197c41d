// A headline figure: its name, the figure with its unit, the trend of the last minute. A click opens what it stands
// for; what the user set a limit for turns it amber or red, with words. UI thread.
#pragma once

#include <QAbstractButton>
#include <QFont>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

class Sparkline;

enum class TileState { plain, good, warning, bad };

class Tile : public QAbstractButton {
  Q_OBJECT

 public:
  Tile(const QString& name, figures::Hue hue, QWidget* parent = nullptr);

  void set_name(const QString& name);                          // on screen; what scripts find it by stays
  void show_value(const QString& value, const QString& unit);  // of one instant with the other tiles of its row
  void show_nothing(const QString& why);                       // a dash
  void push(double value);                                     // into the trend
  void set_trend(std::vector<double> values);
  void set_state(TileState state, const QString& why = {});  // `why` is shown in the place of the trend
  void set_help(const QString& help);                        // what it shows and what a click does, as its tooltip
  void clear();
  QString value() const { return value_; }
  QString unit() const { return unit_; }
  TileState state() const { return state_; }
  QString why() const { return why_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void tell();
  void place_trend();
  void take_fonts();
  int width_in(const QFont& font) const;  // of the value with its unit
  const QFont& value_font() const;        // the largest that the tile has room for
  int value_width() const { return width_in(value_font()); }
  QRect caption_line() const;
  QRect figure_line() const;
  bool is_amiss() const;
  void paint_caption(QPainter& painter) const;
  void paint_figure(QPainter& painter) const;
  QColor ink() const;

  QString name_;
  Sparkline* trend_;
  QString value_;
  QString unit_;
  QString why_;
  QString help_;
  QFont small_, middle_, larger_, large_;
  TileState state_ = TileState::plain;
};

}  // namespace n2nq::ui::theme
