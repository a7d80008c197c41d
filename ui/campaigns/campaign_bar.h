// The chosen campaign at a glance: start or resume, stop, what it is doing, its progress, how long it will take, and
// one line of what a person must know now. Shows what it is given. UI thread.
#pragma once

#include <QTimer>
#include <optional>

#include "ui/theme/card.h"
#include "ui/theme/label.h"

class QHBoxLayout;
class QProgressBar;
class QPushButton;

namespace n2nq::ui::theme {
class Chip;
class StatusLabel;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class FactTile;

// What the runs so far come to, in a few words.
struct Outcome {
  QString what{};   // "Limit found"
  QString value{};  // "between 390 /s and 420 /s"; empty: there is nothing to say
  theme::Tone tone = theme::Tone::plain;
  QString next{};  // what to do about it
};

struct BarState {
  QString start = {};  // "Start", "Resume"; empty: there is nothing to start
  QString start_help = {};
  QString blocked = {};  // why it cannot be started now
  bool stops = false;    // it runs
  bool kills = false;    // it was stopped already
  QString name = {};     // of the campaign
  QString word = {};     // "running"
  std::optional<theme::Status> word_status{};
  QString state = {};
  std::optional<double> progress{};  // 0 to 1
  QString runs = {};
  QString left = {};
  Outcome outcome = {};
  bool compares = false;                  // its points are the sides of a comparison
  std::optional<theme::Status> status{};  // of the message; nothing: it is plain
  QString message = {};
};

class CampaignBar : public theme::Card {
  Q_OBJECT

 public:
  explicit CampaignBar(QWidget* parent = nullptr);

  void show_state(const BarState& state);
  void set_low(bool low);  // without the headline figures; the lines below say them too
  QSize minimumSizeHint() const override;

  // As by its button; where that is blocked it is marked what is missing.
  void press_start();

 Q_SIGNALS:
  void start();
  void start_in_vain();  // pressed while it is blocked
  void stop();
  void compare();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_head();
  void build_facts();
  void show_facts(const BarState& state);
  void show_tiles();
  void set_kills(bool kills);
  void show_stop();

  bool low_ = false;
  QPushButton* compare_;
  QPushButton* start_;
  QPushButton* stop_;
  theme::Label* name_;
  theme::Chip* word_;
  theme::Label* state_;
  QProgressBar* progress_;
  FactTile* runs_;
  FactTile* left_;
  FactTile* outcome_;
  theme::StatusLabel* message_;
  bool kills_ = false;
  QTimer say_later_;  // runs as long as a press may be meant for what the button did before
};

}  // namespace n2nq::ui
