// What the bench is, and three ways to a first answer, over the Run page of who starts it for the first time, until
// something was started or taken in. UI thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/theme/card.h"

class QGridLayout;

namespace n2nq::run {
class ServerLook;
}

namespace n2nq::ui {

class BenchState;

class FirstSteps : public theme::Card {
  Q_OBJECT

 public:
  static bool is_wanted(BenchState& state);  // nobody has said not to

  FirstSteps(BenchState& state, QWidget& page);  // over the page, which owns it
  ~FirstSteps() override;

 Q_SIGNALS:
  void quick_run_wanted(const QString& plan);                    // a bundled one, to be started
  void compare_wanted(const std::vector<std::string>& servers);  // installed here: BusTraits::server
  void server_wanted();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void add_step(QGridLayout& steps, const char* icon, const QString& text, const QString& what,
                void (FirstSteps::*take)());
  void try_queue();
  void compare();
  void measure_server();
  void dismiss();

  BenchState& state_;
  std::unique_ptr<run::ServerLook> looking_;
};

}  // namespace n2nq::ui
