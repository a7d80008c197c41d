// The main window and how it is opened. Includes nothing of the application, so that tests that drive the window by
// mouse and keys depend on nothing else. UI thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

class QApplication;
class QWidget;

namespace n2nq::ui {

struct WindowOptions {
  std::string data_dir{};                  // of settings, results, runs and the last plan; made if it is not there
  std::string programs{};                  // folder of the four programs that hosts run
  std::string open_file{};                 // a plan to open, or a result archive; empty: the last plan
  std::string notice{};                    // to be said first
  std::optional<uint16_t> metrics_port{};  // live figures in OpenMetrics on this loopback port; 0: a free one
};

// The window, not shown yet. It closes by itself what it started.
std::unique_ptr<QWidget> make_main_window(const WindowOptions& options);

// Shows the window until it is closed; the program's exit code. SIGINT, SIGTERM and SIGHUP end the run that is on, and
// close the window; one more ends both at once.
int run_window(QApplication& application, const WindowOptions& options);

}  // namespace n2nq::ui
