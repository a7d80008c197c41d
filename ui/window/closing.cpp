#include "ui/window/closing.h"

#include <QApplication>
#include <QEvent>

#include "ui/theme/questions.h"
#include "ui/window/bench_state.h"
#include "ui/window/notice_stack.h"

namespace n2nq::ui {

Closing::Closing(BenchState& state, NoticeStack& notices, QWidget* window)
    : QObject(window), state_(state), notices_(notices), window_(window) {
  qApp->installEventFilter(this);
  connect(&state_.sequence(), &run::RunSequence::finished, this, &Closing::on_finished);
  if (state_.desk() != nullptr) connect(state_.desk(), &campaign::CampaignDesk::finished, this, &Closing::on_finished);
}

void Closing::on_finished() {
  close_bar();
  if (soon_) window_->close();
}

bool Closing::may_close() {
  if (!state_.busy()) return true;
  ask();
  return false;
}

// Asked to quit from outside, by a signal say: there is nobody to answer a question.
bool Closing::eventFilter(QObject* watched, QEvent* event) {
  if (watched != qApp || event->type() != QEvent::Quit || !state_.busy()) return QObject::eventFilter(watched, event);
  stop_and_close();
  return true;
}

void Closing::ask() {
  if (bar_ != nullptr) return;
  if (saving()) return close_when_saved();
  const bool run = state_.sequence().active();
  bar_ = theme::ask(*window_, theme::Status::warning,
                    run ? tr("A run is in progress. Stop it and close the window, or keep running and stay here?")
                        : tr("A campaign is running; you can resume it later. Stop it and close the window, or keep "
                             "running and stay here?"),
                    {{.text = tr("Stop and save results"),
                      .help = run ? tr("Ends the run early, saves the results so far, then closes the window.")
                                  : tr("Ends the current run early, saves all runs so far, then closes the window."),
                      .chosen = [this] { stop_and_close(); },
                      .primary = true},
                     {.text = tr("Keep running"),
                      .help = run ? tr("The run continues, and the window stays open.")
                                  : tr("The campaign continues, and the window stays open.")}});
}

void Closing::stop_and_close() {
  if (!state_.busy()) {
    window_->close();
    return;
  }
  if (saving()) return close_when_saved();
  soon_ = true;
  // One that was stopped already would be killed by a second stop.
  if (!current_is_stopping()) stop_current();
  if (!state_.busy()) return;  // it was between two runs, and the window is closing
  say(theme::Status::info, tr("Stopping the run; then the window closes."),
      {{.text = tr("Kill now"),
        .help = tr("Ends all processes immediately; messages in flight are lost."),
        .chosen = [this] { stop_current(); },
        .later = true},
       stay_open(tr("The run stops, and the window stays open."))});
}

void Closing::close_when_saved() {
  state_.sequence().end_after_this();
  soon_ = true;
  say(theme::Status::info, tr("Saving the result; then the window closes."),
      {{.text = tr("Finish now"),
        .help = tr("Saves the result without the master file if that is not complete."),
        .chosen = [this] { state_.sequence().stop(); }},
       stay_open(tr("The result is saved, no further run follows, and the window stays open."))});
}

void Closing::say(theme::Status status, const QString& text, const std::vector<theme::MessageBar::Choice>& choices) {
  close_bar();
  bar_ = notices_.add(status, text, choices);
}

void Closing::close_bar() {
  if (bar_ != nullptr) bar_->close_bar();
}

theme::MessageBar::Choice Closing::stay_open(const QString& help) {
  return {.text = tr("Stay open"), .help = help, .chosen = [this] { soon_ = false; }};
}

bool Closing::saving() {
  const run::RunSequence& sequence = state_.sequence();
  return sequence.active() && sequence.session()->state() == run::State::over;
}

void Closing::stop_current() {
  if (state_.sequence().active())
    state_.sequence().stop();
  else if (state_.desk() != nullptr)
    state_.desk()->stop();
}

bool Closing::current_is_stopping() {
  if (!state_.sequence().active()) return state_.desk()->stopping();
  const run::RunSession* session = state_.sequence().session();
  return session != nullptr && session->stopped_by_user();
}

}  // namespace n2nq::ui

#include "moc_closing.cpp"
