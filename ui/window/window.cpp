#include "ui/window/window.h"

#include <QApplication>

#include "app/cli/exit_code.h"
#include "app/cli/signal_watch.h"
#include "ui/window/main_window.h"

namespace n2nq::ui {

std::unique_ptr<QWidget> make_main_window(const WindowOptions& options) {
  return std::make_unique<MainWindow>(options);
}

int run_window(QApplication& application, const WindowOptions& options) {
  const cli::SignalWatch signals;
  bool asked = false;
  QObject::connect(&signals, &cli::SignalWatch::asked_to_stop, &application, [&asked] {
    if (asked) return QApplication::exit(static_cast<int>(cli::BenchExit::stopped));
    asked = true;
    QApplication::quit();
  });
  for (WindowOptions now = options;;) {
    MainWindow window(now);
    window.show();
    const int code = QApplication::exec();
    if (!window.successor_notice()) return code;
    now.open_file.clear();
    now.notice = window.successor_notice()->toStdString();
  }
}

}  // namespace n2nq::ui
