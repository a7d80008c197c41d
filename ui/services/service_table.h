// A row for each service of a role, from one to ten thousand: figures, sorting, filtering, the way to its log. Whoever
// owns it calls refresh() when there is news; between two looks it does nothing. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/services/service_model.h"

class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace n2nq::ui {

namespace theme {
class ContextMenu;
}

class FilterBar;
class ServiceDelegate;
class ServiceRows;
class ShownColumns;

class ServiceTable : public QWidget {
  Q_OBJECT

 public:
  // The source is asked at each refresh and whenever cells are painted; it may answer with nothing.
  ServiceTable(Role role, FiguresSource source, QWidget* parent = nullptr);

  void set_over(Over over);  // see ServiceModel
  void set_actual(bool said);
  // Which figures the run has: it has their columns. With replies, services are called requesters and repliers.
  void set_told(const ToldFigures& told);

  // Before the first look at other services, even where they are as many: those of another run.
  void start_anew();
  // One look at the source. While the table is not visible it is put off until it is, but for a point of the trends.
  void refresh();
  // While nobody sees it: what is due once a second for its trends.
  bool trends_due() const { return model_->trends_due(clock_()); }
  void pass_by();

  std::vector<uint32_t> selection() const;  // numbers, ascending
  void select(const std::vector<uint32_t>& services);
  std::optional<uint32_t> current_service() const;
  QString selected_as_tsv() const;  // with a header; all rows where none is selected

  // Which columns are shown, by key, as something to remember over restarts.
  QStringList shown_columns() const;
  void add_to_bar(QWidget& widget);  // of the line above the rows
  int height_for(int rows) const;    // with the line of the filter, open or not
  void show_columns(const QStringList& keys);

  const ServiceModel& model() const { return *model_; }
  // Nanoseconds of any steady clock, instead of the system's.
  void set_clock(std::function<int64_t()> clock) { clock_ = std::move(clock); }

 Q_SIGNALS:
  void open_log(n2nq::Role role, uint32_t service);
  void slowest_wanted(n2nq::Role role, uint32_t service);  // its log, at its slowest message
  void selected(const std::vector<uint32_t>& services);
  void columns_changed();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* build_bar();
  void build_rows();
  void take_theme();
  void rearrange_if_due();
  QString one() const;      // "sender", "replier"
  QString several() const;  // "senders", "repliers"
  void say_words();
  void say_what_is_shown();
  QMenu* columns_menu();
  QString fill_menu(QMenu& menu);
  void add_rest(QMenu& menu);
  void add_sorting(QMenu& menu, int column);
  void copy() const;
  void request_log(int row);
  void report_selection();
  void remember_place();
  void restore_place();

  Role role_;
  ServiceModel* model_;
  ServiceRows* rows_;
  theme::ContextMenu* menu_;
  ServiceDelegate* delegate_;
  ShownColumns* columns_;
  FilterBar* filter_;
  QHBoxLayout* bar_ = nullptr;
  QLabel* shown_text_ = nullptr;
  QToolButton* find_button_ = nullptr;
  QToolButton* columns_button_ = nullptr;
  std::function<int64_t()> clock_;
  int64_t arranged_ns_ = 0;
  int64_t key_ns_ = 0;
  bool replies_ = false;  // requesters and repliers
  bool put_off_ = false;
  bool fit_anew_ = false;  // at the next look
  bool restoring_ = false;
  std::vector<uint32_t> chosen_;    // by a person; some may be hidden by the filter
  std::vector<uint32_t> reported_;  // what `selected` said last

  struct Place {
    std::optional<uint32_t> current;
    int current_column = 0;
    int scrolled = 0;
  };
  Place place_;
};

}  // namespace n2nq::ui
