// What is shown of a campaign that was started: what its search knows, its figures beside findings, its points, and the
// run that is under way. Figures are drawn where somebody looks at them, and not after each run. UI thread.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign_desk.h"
#include "app/campaign/campaign_reader.h"
#include "app/campaign/point_rows.h"
#include "app/compare/verdict.h"
#include "ui/campaigns/campaign_bar.h"

class QTabWidget;

namespace n2nq::ui::theme {
class Card;
}

namespace n2nq::ui {

class FigurePanel;
class FindingsPanel;
class LivePanel;
class PointTable;
class SearchPanel;
struct SlowestPlaces;

class ShownCampaign : public QWidget {
  Q_OBJECT

 public:
  // Both outlive it. `store`: the path of the store.
  ShownCampaign(campaign::CampaignDesk& desk, campaign::CampaignReader& reader, const std::string& store,
                QWidget* parent = nullptr);

  void choose(std::optional<int64_t> id);  // nothing: none. What was shown of another one goes
  bool shows_run() const;                  // the chosen one is the desk's
  bool watches_run() const;                // and is being made: what is shown comes from the run, not from what is kept
  void take_look(campaign::SharedLook look);  // of the chosen one
  void offer_other_figures(const QString& why_not);
  void look_at_run();  // where the chosen one is the desk's
  void follow_run();   // at each tick of it, and after each change
  void show_points();

  const campaign::SharedLook& look() const { return look_; }  // null: it has not come yet
  bool leaves_runs() const { return leaves_runs_; }           // runs are open, and no rule keeps it from going on
  QString failed_points() const;                              // empty: none
  QString doubtful_runs() const;                              // empty: none
  bool is_search() const { return !limit_.isEmpty(); }        // that has come to something
  const std::vector<int64_t>& compared() const { return compared_; }  // results whose points are compared; empty: none
  const compare::Verdict& verdict() const { return verdict_; }        // on these
  Outcome outcome() const;
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);

 Q_SIGNALS:
  void open_result(qint64 id);
  void slowest_wanted(const n2nq::ui::SlowestPlaces& places);  // of its run
  void trouble(const QString& text);
  void outcome_changed();
  void other_figures_wanted();  // of the chosen one

 private:
  void build();
  void show_live_tab();
  void judge();
  void forget();
  void draw();
  void draw_if_seen();
  void show_search(const campaign::Ledger& ledger);
  void take_compared();

  campaign::CampaignDesk& desk_;
  campaign::CampaignReader& reader_;
  FigurePanel* figures_;
  FindingsPanel* findings_;
  PointTable* points_;
  LivePanel* live_;
  SearchPanel* search_;
  QTabWidget* tabs_;
  std::optional<int64_t> chosen_;
  campaign::SharedLook look_;
  campaign::SharedLook judged_;
  QString limit_;             // of its search
  compare::Verdict verdict_;  // on its points, where these are the sides of a comparison
  QString measured_against_;
  std::vector<int64_t> compared_;
  theme::Card* search_card_;
  bool undrawn_ = false;  // look_ is newer than the figures
  bool leaves_runs_ = false;
  std::vector<campaign::PointRow> rows_;
  QTimer drawn_lately_;  // while a campaign is under way
};

}  // namespace n2nq::ui
