// A walk through everything the window can show, by clicks and keys as in every test of it: each page, what opens
// within it, a run and its end. At every stop the test looks at all windows that are open.
#pragma once

#include <functional>
#include <string>

#include "tests/gui/window_rig.h"

namespace n2nq::test {

inline constexpr QSize kSmall(960, 540), kUsual(1280, 800), kLarge(1920, 1080);

class Tour : public WindowRig {
 protected:
  using Look = std::function<void(const std::string& stop, QWidget& window)>;

  // `appearance`: "light" or "dark". `sizes`: in which the window is looked at, at every stop.
  void walk(const QString& appearance, const std::vector<QSize>& sizes, const Look& look);

  // The same, and what takes long: hundreds of services.
  void walk_further(const QString& appearance, const std::vector<QSize>& sizes, const Look& look);

  void set_appearance(const QString& appearance);  // before the window is opened
  // All layouts are done, and what they changed is too.
  static void settle();

 private:
  void look_at(const std::string& stop);
  void look_at_columns(const std::string& stop);
  void choose_tab(const QString& tabs, int index);

  void before_a_run();
  void settings_of_the_plan();
  void wrong_settings();
  void filters();
  void run();
  void charts();
  void log_window();
  void results();
  void command_palette();
  void comparison();
  void judged_runs();
  void campaigns();
  void failed_run();
  void crowd();
  void hosts();
  void buses();
  void help();
  void run_to_the_end();
  void begin_campaign(const QString& entry);

  std::vector<QSize> sizes_;
  Look look_;
};

}  // namespace n2nq::test
