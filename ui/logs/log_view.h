// The lines of a log, as many as fit: paints what the document's page holds, and asks for another page when one
// scrolls. Knows no more of the file than that. Whole lines are selected. UI thread.
#pragma once

#include <QAbstractScrollArea>
#include <optional>

#include "app/logs/line_rules.h"
#include "app/logs/log_document.h"
#include "ui/logs/row_layout.h"

namespace n2nq::ui {

class LogView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit LogView(logs::LogDocument& document, QWidget* parent = nullptr);

  void go_to_begin();
  void go_to_end();
  void show_line(int64_t start, std::optional<int64_t> offset = {});  // and makes it the current one
  void set_following(bool following);                                 // stay at the end while it grows
  bool following() const { return following_; }
  void set_highlight(const std::optional<logs::TextQuery>& query);
  void read_times(logs::TimeBase base);  // how times are shown from now on
  const logs::TimeView& times() const { return layout_.times(); }
  void set_rules(std::vector<logs::LineRule> rules);  // which lines are marked from now on

  // The beginnings of the first and the last selected line.
  struct Selection {
    int64_t first = 0;
    int64_t last = 0;
  };
  std::optional<Selection> selection() const;
  void select_all();
  void clear_selection();
  // From where a search goes on: the current line, or just before the first that is shown.
  int64_t search_origin() const;
  // The line that the status speaks of: the current one if it is shown, the last when following, else the first.
  const logs::PageRow* status_row() const;
  // What can be seen, line by line, for those who cannot see it.
  QString visible_text() const;
  int visible_cursor_position() const;  // in it: where the current line begins
  QString notice() const;               // what stands there instead of lines; empty where there are some
  QSize sizeHint() const override;

 Q_SIGNALS:
  void position_changed();
  void following_changed(bool following);
  void copy_wanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;

 private:
  enum class Cursor { keep, first, last, at };  // which line becomes the current one when the page comes

  void on_file(logs::FileEvent event);
  void on_page();
  void on_filter();
  void refresh();
  void note_following(bool following);
  void begin_file();
  void ask(logs::PageRequest request);
  void ask_again();
  void read_on();
  void scroll_by(int64_t lines);
  void on_scroll_action(int action);
  void on_scroll_value();
  void update_scroll_bars();
  void update_vertical_bar();
  void place_cursor();
  void place_cursor_near(int64_t start);
  void move_cursor(int rows, bool extend);
  void page_by(int direction, bool extend);
  void set_cursor(int64_t start, bool extend);
  void show_found();
  void take_current_time();
  void mark_rows();
  const logs::LineRule* rule_of(size_t row) const;  // that marks it; null: none
  void paint_mark(QPainter& painter, size_t row, double top) const;
  QString spoken(size_t row) const;
  bool move_by_key(const QKeyEvent& event);
  int full_rows() const;
  std::optional<size_t> row_of(int64_t start) const;
  std::optional<size_t> row_at(const QPointF& position) const;
  bool shows_end() const;
  bool at_end() const;

  void paint_titles(QPainter& painter) const;
  void paint_row(QPainter& painter, size_t row) const;
  void paint_found(QPainter& painter, const logs::PageRow& row, const std::vector<PlacedCell>& cells, double x) const;
  void paint_notice(QPainter& painter) const;
  double titles_height() const;

  logs::LogDocument& document_;
  RowLayout layout_;
  logs::PageRequest asked_;
  bool opening_ = true;  // the file was just opened: little is read for its first page, until one does something
  bool following_ = false;
  bool follow_if_unfinished_ = false;
  bool stale_ = false;  // there was news while a page was on its way
  uint64_t filter_seen_ = 0;
  int64_t cursor_ = -1;
  int64_t selected_from_ = -1;  // the other end of the selection
  Cursor cursor_next_ = Cursor::keep;
  bool extend_next_ = false;
  int64_t cursor_target_ = 0;
  std::optional<int64_t> found_offset_;
  std::optional<logs::TextSearch> highlight_;
  std::vector<logs::LineRule> rules_;
  logs::LineRules line_rules_;  // the same, for the columns and the p99 of this log
  logs::LogLayout rules_layout_;
  std::optional<int64_t> rules_p99_ns_;
  std::vector<const logs::LineRule*> row_rules_;  // by row of the page
  mutable double marking_ms_ = 0;                 // of this paint
  double wheel_ = 0;
};

// To assistive technology a view is then a text to be read: the lines that it shows. Once is enough; more does no harm.
void make_log_views_accessible();

}  // namespace n2nq::ui
