// The window is closed while a run or a campaign is in progress.
#include "ui/window/main_window.h"

namespace n2nq::ui {

void MainWindow::ask_before_closing() {
  if (closing_ != nullptr) return;
  if (saving()) return close_when_saved();
  if (state_.sequence().active())
    closing_ = notice(theme::Status::warning, tr("A run is in progress."),
                      {{.text = tr("Stop and save results"),
                        .help = tr("Ends the run early, saves the results so far, then closes the window."),
                        .chosen = [this] { stop_and_close(); }},
                       {.text = tr("Keep running"), .help = tr("The run continues, and the window stays open.")}});
  else
    closing_ = notice(theme::Status::warning, tr("A campaign is running; you can resume it later."),
                      {{.text = tr("Stop and save results"),
                        .help = tr("Ends the current run early, saves all runs so far, then closes the window."),
                        .chosen = [this] { stop_and_close(); }},
                       {.text = tr("Keep running"), .help = tr("The campaign continues, and the window stays open.")}});
}

bool MainWindow::saving() {
  const run::RunSequence& sequence = state_.sequence();
  return sequence.active() && sequence.session()->state() == run::State::over;
}

void MainWindow::close_when_saved() {
  state_.sequence().end_after_this();
  closing_soon_ = true;
  if (closing_ != nullptr) closing_->close_bar();
  closing_ = notice(theme::Status::info, tr("Saving the result; then the window closes."),
                    {{.text = tr("Finish now"),
                      .help = tr("Saves the result without the master file if that is not complete."),
                      .chosen = [this] { state_.sequence().stop(); }},
                     {.text = tr("Stay open"),
                      .help = tr("The result is saved, no further run follows, and the window stays open."),
                      .chosen = [this] { closing_soon_ = false; }}});
}

void MainWindow::stop_current() {
  if (state_.sequence().active())
    state_.sequence().stop();
  else if (state_.desk() != nullptr)
    state_.desk()->stop();
}

bool MainWindow::current_is_stopping() {
  if (!state_.sequence().active()) return state_.desk()->stopping();
  const run::RunSession* session = state_.sequence().session();
  return session != nullptr && session->stopped_by_user();
}

void MainWindow::stop_and_close() {
  if (!busy()) {
    close();
    return;
  }
  if (saving()) return close_when_saved();
  closing_soon_ = true;
  // One that was stopped already would be killed by a second stop.
  if (!current_is_stopping()) stop_current();
  if (!busy()) return;  // it was between two runs, and the window is closing
  if (closing_ != nullptr) closing_->close_bar();
  closing_ =
      notice(theme::Status::info, tr("Stopping the run; then the window closes."),
             {{.text = tr("Kill now"),
               .help = tr("Ends all processes immediately; messages in flight are lost."),
               .chosen = [this] { stop_current(); },
               .later = true},
              {.text = tr("Stay open"), .help = tr("The run stops, and the window stays open."), .chosen = [this] {
                 closing_soon_ = false;
               }}});
}

}  // namespace n2nq::ui
