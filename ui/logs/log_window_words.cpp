// What the log window says: where one is, what became of the file, what a search came to.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

#include "app/logs/slowest_search.h"
#include "app/logs/status_text.h"
#include "app/text/quantity.h"
#include "ui/logs/find_bar.h"
#include "ui/logs/go_to_bar.h"
#include "ui/logs/log_view.h"
#include "ui/logs/log_window.h"
#include "ui/logs/rules_bar.h"
#include "ui/theme/message_bar.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

QString bytes_text(int64_t bytes) {
  return theme::qt(text::bytes(static_cast<double>(bytes)));
}

}  // namespace

void LogWindow::on_file(logs::FileEvent event) {
  switch (event) {
    case logs::FileEvent::none:
    case logs::FileEvent::grew:
      break;
    case logs::FileEvent::appeared:
      messages_->close_bar();
      break;
    case logs::FileEvent::truncated:
      messages_->say(theme::Status::info, tr("The file was truncated and starts again; this is its current content."));
      break;
    case logs::FileEvent::replaced:
      messages_->say(theme::Status::info,
                     !of_next_file_.isEmpty()
                         ? of_next_file_
                         : tr("The file was replaced, perhaps by a new run; this is the new one."));
      of_next_file_.clear();
      break;
    case logs::FileEvent::vanished:
      messages_->say(theme::Status::warning,
                     tr("The file was deleted or moved. Its content stays visible until you close this window."));
      break;
    case logs::FileEvent::unreadable:  // the view says it where there are no lines
      if (document_.is_open()) messages_->say(theme::Status::warning, theme::qt(document_.trouble()));
      break;
  }
  update_status();
}

void LogWindow::on_layout() {
  const logs::LogLayout& layout = document_.layout();
  const bool timed = layout.column("latency_ns") || (layout.column("intended_ns") && layout.column("sent_ns"));
  slowest_action_->setEnabled(timed);
  slowest_action_->setToolTip(timed ? slowest_tip_ : tr("No message in the part of this log read so far has a time"));
  go_to_bar_->set_targets(layout.column("index").has_value(), timed && layout.origin_ns());
  only_->setVisible(layout.has_columns());
  const auto p99_ns = document_.page().p99_ns;
  rules_bar_->show_p99(p99_ns ? theme::qt(text::duration(static_cast<double>(*p99_ns))) : QString());
  if (slowest_when_open_ && layout.complete()) find_slowest_when_open();
  update_filter_note();
}

void LogWindow::on_search() {
  const bool searching = document_.searching();
  progress_->setVisible(searching);
  cancel_->setVisible(searching);
  update_status();  // what was looked through is counted
  progress_->setValue(static_cast<int>(document_.search_share() * 1000));
  if (searching) note_->clear();
}

void LogWindow::on_search_ended(const logs::SearchOutcome& outcome) {
  if (outcome.cancelled) return note_->setText(tr("cancelled"));
  switch (outcome.kind) {
    case logs::SearchOutcome::Kind::text:
      return on_text_found(outcome);
    case logs::SearchOutcome::Kind::line:
    case logs::SearchOutcome::Kind::index:
      return on_place_found(outcome);
    case logs::SearchOutcome::Kind::slowest:
      return on_slowest_found(outcome);
    case logs::SearchOutcome::Kind::copy:
      return on_copied(outcome);
  }
}

void LogWindow::on_text_found(const logs::SearchOutcome& outcome) {
  if (!outcome.trouble.empty()) return find_bar_->say(theme::qt(outcome.trouble));
  if (!outcome.found)
    return find_bar_->say(document_.filtered() ? tr("not in the lines that are shown") : tr("not found"));
  view_->show_line(outcome.start, outcome.offset);
  hits_.set_place(outcome.start);
  const int64_t inside = outcome.offset - outcome.start;
  if (inside >= logs::PageRow::kShown)
    return find_bar_->say(tr("%1 into the line, past what is shown").arg(bytes_text(inside)));
  find_bar_->say(outcome.wrapped ? tr("wrapped around the end of the file") : QString());
}

void LogWindow::on_place_found(const logs::SearchOutcome& outcome) {
  if (!outcome.trouble.empty()) return go_to_bar_->say(theme::qt(outcome.trouble));
  if (!outcome.found)
    return go_to_bar_->say(tr("no message has the index %1").arg(theme::qt(text::count(outcome.asked))));
  view_->show_line(outcome.start);
  if (outcome.kind == logs::SearchOutcome::Kind::line && document_.filtered()) {
    return go_to_bar_->say(tr("this is the nearest line shown"));
  }
  if (outcome.kind == logs::SearchOutcome::Kind::line && outcome.value < outcome.asked) {
    return go_to_bar_->say(tr("there are only %1 lines").arg(theme::qt(text::count(outcome.value))));
  }
  go_to_bar_->say(outcome.wrapped ? tr("wrapped around the end of the file") : QString());
}

void LogWindow::on_slowest_found(const logs::SearchOutcome& outcome) {
  if (!outcome.trouble.empty()) return messages_->say(theme::Status::warning, theme::qt(outcome.trouble));
  const QString where = outcome.stretch ? theme::qt(logs::stretch_text(*outcome.stretch)) : QString();
  if (!outcome.found)
    return note_->setText(where.isEmpty() ? tr("no message here has a time") : tr("no message %1").arg(where));
  view_->show_line(outcome.start);
  const QString value = theme::qt(text::duration(static_cast<double>(outcome.value)));
  const QString what = outcome.lateness ? tr("sent latest%1: %2 behind schedule") : tr("slowest%1: %2 latency");
  note_->setText(what.arg(where.isEmpty() ? where : QLatin1Char(' ') + where, value));
}

void LogWindow::show_hits() {
  if (!hits_.is_asked()) return find_bar_->show_count({});
  const QString lines = theme::qt(text::count(hits_.lines()));
  QString said = hits_.lines() == 1 ? tr("1 line") : tr("%1 lines").arg(lines);
  if (!hits_.is_counted())
    said = tr("%1 so far").arg(lines);
  else if (hits_.number() > 0)
    said = tr("%1 of %2").arg(theme::qt(text::count(hits_.number())), lines);
  find_bar_->show_count(said);
}

void LogWindow::on_copied(const logs::SearchOutcome& outcome) {
  if (!outcome.found) return messages_->say(theme::Status::warning, theme::qt(outcome.trouble));
  QGuiApplication::clipboard()->setText(theme::qt(outcome.text));
  const auto lines = std::ranges::count(outcome.text, '\n');
  note_->setText(tr("copied %1 %2, %3")
                     .arg(theme::qt(text::count(lines)), lines == 1 ? tr("line") : tr("lines"),
                          bytes_text(std::ssize(outcome.text))));
}

void LogWindow::copy_path() {
  QGuiApplication::clipboard()->setText(path());
  note_->setText(tr("copied the path"));
}

QString LogWindow::status_text() const {
  if (!document_.is_open()) return document_.trouble().empty() ? tr("waiting for the file") : tr("cannot be read");
  const logs::PageRow* row = view_->status_row();
  QString text = bytes_text(document_.size());
  if (row != nullptr) {
    logs::LineCount lines = document_.lines();
    lines.value = std::max(lines.value, row->number.value);
    text = theme::qt(logs::position_text(row->number, lines, document_.size()));
  }
  if (document_.is_gone()) return text + tr(", deleted");
  if (view_->following()) text += tr(", following");
  if (document_.page().finished) text += tr(", complete");
  return text;
}

void LogWindow::update_status() {
  status_->setText(status_text());
}

void LogWindow::update_filter_note() {
  QString text;
  if (!document_.filter_trouble().empty()) {
    text = theme::qt(document_.filter_trouble());
  } else if (document_.filtered()) {
    const QString matches = theme::qt(text::count(document_.matches()));
    const bool one = document_.matches() == 1;
    const auto share = static_cast<int>(100 * static_cast<double>(document_.looked_to()) /
                                        static_cast<double>(std::max<int64_t>(document_.size(), 1)));
    text = document_.filter_busy()
               ? tr("%1 %2 so far, %3 % searched").arg(matches, one ? tr("line matches") : tr("lines match")).arg(share)
               : tr("%1 %2").arg(matches, one ? tr("line matches") : tr("lines match"));
  }
  update_status();
  filter_note_->setText(text);
  filter_note_->setVisible(!text.isEmpty());
}

}  // namespace n2nq::ui
