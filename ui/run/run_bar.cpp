#include "ui/run/run_bar.h"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "app/text/quantity.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

constexpr int kProgressSteps = 1000;
constexpr const char* kResultLink = "result:";
constexpr const char* kHostLink = "host:";
constexpr const char* kQueueLink = "queue:";

QString figure(uint64_t value) {
  return QString::fromStdString(text::count(static_cast<int64_t>(value)));
}

QString of(uint64_t value, std::optional<uint64_t> total) {
  return total ? RunBar::tr("%1 of %2").arg(figure(value), figure(*total)) : figure(value);
}

QString of(uint64_t value, const std::optional<run::Deliveries>& total) {
  if (!total || total->exact) return of(value, total ? std::optional(total->count) : std::nullopt);
  return RunBar::tr("%1 of about %2").arg(figure(value), figure(total->count));
}

QString link(const char* kind, const std::string& name, const QString& text) {
  const QString target = kind + QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name)));
  return QString(" &nbsp; <a href=\"%1\">%2</a>").arg(target, text.toHtmlEscaped());
}

// What can be done about a host that kept a run from going on.
QString ways_out(const run::RunSession& session) {
  QString text;
  if (const auto& failure = session.host_failure())
    text += link(kHostLink, failure->host, RunBar::tr("Show host %1").arg(QString::fromStdString(failure->host)));
  if (const std::string& host = session.better_queue_host(); !host.empty())
    text += link(kQueueLink, host, RunBar::tr("Move queue to %1").arg(QString::fromStdString(host)));
  return text;
}

QString verdict_of(const record::RunRecord& record) {
  QString text = "<b>" + QString::fromStdString(to_text(record.verdict)).toHtmlEscaped() + "</b>";
  if (!record.reason.empty()) text += ": " + QString::fromStdString(record.reason).toHtmlEscaped();
  return text;
}

bool waits_for_a_start(const run::RunSession& session) {
  if (session.stopping() || session.state() == run::State::over) return false;
  for (const Role role : {Role::broker, Role::sender, Role::receiver})
    if (session.role_status(role).phase == run::RolePhase::idle) return true;
  return false;
}

}  // namespace

RunBar::RunBar(QWidget* parent)
    : QWidget(parent),
      start_(new QPushButton(theme::icon("start"), tr("Start all"), this)),
      stop_(new QPushButton(theme::icon("stop"), tr("Stop"), this)),
      state_(new QLabel(this)),
      time_(new GrowingLabel(tr("Elapsed"), this)),
      run_(new GrowingLabel(tr("Run of the plan"), this)),
      log_(new QToolButton(this)),
      progress_(new QProgressBar(this)),
      sent_(new GrowingLabel(tr("Sent"), this)),
      received_(new GrowingLabel(tr("Received"), this)),
      lost_(new GrowingLabel(tr("Lost"), this)),
      left_(new GrowingLabel(tr("Time left"), this)),
      message_(new theme::StatusLabel(this)) {
  auto* controls = new QHBoxLayout;
  controls->setSpacing(theme::kGrid);
  build_controls(*controls);
  auto* figures = new QHBoxLayout;
  figures->setSpacing(2 * theme::kGrid);
  build_figures(*figures);
  message_->set_name(tr("Message"));
  connect(message_, &theme::StatusLabel::link, this, &RunBar::follow_link);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid / 2);
  layout->setSpacing(theme::kGrid / 2);
  layout->addLayout(controls);
  layout->addLayout(figures);
  layout->addWidget(message_);
}

void RunBar::build_controls(QHBoxLayout& row) {
  start_->setAccessibleName(tr("Start all"));
  stop_->setAccessibleName(tr("Stop all"));
  connect(start_, &QPushButton::clicked, this, &RunBar::start_all);
  connect(stop_, &QPushButton::clicked, this, &RunBar::stop_all);
  say_later_.setSingleShot(true);
  connect(&say_later_, &QTimer::timeout, this, &RunBar::show_stop_button);
  set_stop(StopMeans::stop);
  state_->setAccessibleName(tr("Run state"));
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  log_->setText(tr("Log"));
  log_->setIcon(theme::icon("log"));
  log_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  log_->setCheckable(true);
  log_->setAutoRaise(true);
  log_->setFocusPolicy(Qt::TabFocus);
  log_->setAccessibleName(tr("Show run log"));
  log_->setToolTip(tr("Shows the events of this run, line by line."));
  row.addWidget(start_);
  row.addWidget(stop_);
  row.addWidget(state_, 1);
  row.addWidget(time_);
  row.addWidget(run_);
  row.addWidget(log_);
}

void RunBar::build_figures(QHBoxLayout& row) {
  progress_->setRange(0, kProgressSteps);
  progress_->setValue(0);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(theme::kGrid);
  progress_->setAccessibleName(tr("Progress"));
  progress_->setToolTip(tr("How much of what the receivers should get by the plan has arrived."));
  sent_->setToolTip(tr("Messages sent by all senders, out of those planned."));
  received_->setToolTip(
      tr("Messages received by all receivers, out of those due. \"About\": requests were changed during the run, and "
         "the exact number is known only at the end."));
  lost_->setToolTip(tr("Messages that the queue reported to the receivers as skipped."));
  left_->setToolTip(tr("Estimated time until the run ends."));
  time_->setToolTip(tr("Time since the run began, and its expected duration."));
  run_->setToolTip(tr("The number of this run within the plan."));
  row.addWidget(progress_, 1);
  for (GrowingLabel* label : {sent_, received_, lost_, left_}) row.addWidget(label);
}

void RunBar::follow_link(const QString& target) {
  const auto rest = [&target](const char* kind) {
    return QUrl::fromPercentEncoding(target.mid(static_cast<qsizetype>(qstrlen(kind))).toUtf8());
  };
  if (target.startsWith(kResultLink)) Q_EMIT show_result(rest(kResultLink).toLongLong());
  if (target.startsWith(kHostLink)) Q_EMIT show_host(rest(kHostLink));
  if (target.startsWith(kQueueLink)) Q_EMIT move_queue(rest(kQueueLink));
}

// show_state() follows.
void RunBar::set_blocked(const QString& reason, bool waits) {
  if (reason == blocked_ && waits == waits_) return;
  blocked_ = reason;
  waits_ = waits;
  show_message();
}

void RunBar::show_state(const run::RunSequence& sequence) {
  active_ = sequence.active();
  const run::RunSession* session = sequence.session();
  const bool saving = active_ && session != nullptr && session->state() == run::State::over;
  QString text = tr("ready");
  if (saving)
    text = tr("saving the result");
  else if (active_ && session != nullptr)
    text = QString::fromStdString(session->status_text());
  else if (!sequence.records().empty())
    text = tr("finished");
  state_->setText(text);
  run_->show_figure(sequence.count() > 1 ? tr("run %1 of %2").arg(sequence.index() + 1).arg(sequence.count()) : "");
  verdict_.reset();
  if (!active_ && !sequence.records().empty()) {
    verdict_ = theme::status_of(theme::gravest(sequence.records()).verdict);
    verdict_text_ = verdict_text(sequence);
    warnings_.clear();
  }
  show_buttons(sequence);
  show_message();
}

void RunBar::show_buttons(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  const bool saving = active_ && session != nullptr && session->state() == run::State::over;
  const bool stopped = active_ && session != nullptr && session->stopped_by_user();
  const bool waits = active_ && waits_for_a_start(*session);
  start_->setEnabled(waits || (!active_ && blocked_.isEmpty()));
  start_->setToolTip(waits                ? tr("Starts the roles not started yet (F5).")
                     : active_            ? tr("A run is in progress.")
                     : blocked_.isEmpty() ? tr("Starts queue, senders and receivers (F5).")
                                          : theme::plain_tip(blocked_));
  stop_->setEnabled(active_ && session != nullptr);
  set_stop(saving ? StopMeans::finish : stopped ? StopMeans::kill : StopMeans::stop);
}

void RunBar::set_stop(StopMeans means) {
  if (means == stop_means_) return;
  const bool at_once = means == StopMeans::stop || !stop_means_;
  stop_means_ = means;
  if (!at_once) return say_later_.start(QApplication::doubleClickInterval());
  say_later_.stop();
  show_stop_button();
}

void RunBar::show_stop_button() {
  switch (*stop_means_) {
    case StopMeans::stop:
      stop_->setText(tr("Stop"));
      stop_->setToolTip(
          tr("Ends the run early: nothing more is sent, messages in flight are still delivered (Shift+F5)."));
      break;
    case StopMeans::kill:
      stop_->setText(tr("Kill now"));
      stop_->setToolTip(tr("Ends all processes immediately; messages in flight are lost (Shift+F5)."));
      break;
    case StopMeans::finish:
      stop_->setText(tr("Finish now"));
      stop_->setToolTip(
          tr("Saves the result without the master file if that is not complete; no further run follows (Shift+F5)."));
      break;
  }
  stop_->setIcon(theme::icon(*stop_means_ == StopMeans::kill ? "kill" : "stop"));
}

void RunBar::show_progress(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  if (session == nullptr) {
    progress_->setValue(0);
    return;
  }
  const live::ServiceFigures receivers = session->all_of(Role::receiver);
  const auto sent = static_cast<uint64_t>(session->all_of(Role::sender).count);
  const auto received = static_cast<uint64_t>(receivers.count);
  const auto expected = session->expected_deliveries();
  const auto elapsed = session->elapsed_ns();
  const auto remaining = session->remaining_ns();
  sent_->show_figure(tr("sent %1").arg(of(sent, session->planned_messages())));
  received_->show_figure(tr("received %1").arg(of(received, expected)));
  // For a load balancer only the queue knows what was lost, and tells at the end.
  const auto lost = session->record().totals.lost.value_or(static_cast<uint64_t>(receivers.lost));
  lost_->show_figure(tr("lost %1").arg(figure(lost)));
  left_->show_figure(active_ && remaining ? tr("%1 left").arg(QString::fromStdString(text::elapsed(*remaining))) : "");
  QString time = QString::fromStdString(text::elapsed(elapsed.value_or(0)));
  if (active_ && elapsed && remaining) time += " / " + QString::fromStdString(text::elapsed(*elapsed + *remaining));
  time_->show_figure(elapsed ? time : "");
  progress_->setValue(static_cast<int>(session->progress() * kProgressSteps));
}

void RunBar::show_warnings(const std::vector<live::LiveWarning>& warnings) {
  if (warnings == warnings_) return;
  warnings_ = warnings;
  show_message();
}

void RunBar::show_message() {
  if (!active_ && waits_) return message_->show_text(theme::Status::info, blocked_.toHtmlEscaped());
  if (!active_ && !blocked_.isEmpty())
    return message_->show_text(theme::Status::bad, tr("Cannot start: %1").arg(blocked_.toHtmlEscaped()));
  if (verdict_) return message_->show_text(*verdict_, verdict_text_);
  if (!warnings_.empty()) {
    QString text = QString::fromStdString(warnings_.front().text).toHtmlEscaped();
    if (warnings_.size() > 1) text += tr(" (and %1 more)").arg(warnings_.size() - 1);
    return message_->show_text(theme::Status::warning, text);
  }
  message_->show_plain(active_ ? QString(" ") : tr("Press F5 to start queue, senders and receivers."));
}

QString RunBar::verdict_text(const run::RunSequence& sequence) const {
  const auto& records = sequence.records();
  const record::RunRecord& worst = theme::gravest(records);
  const bool alike =
      std::all_of(records.begin(), records.end(), [&](const auto& r) { return r.verdict == worst.verdict; });
  QString text = verdict_of(worst);
  if (records.size() > 1 && alike && worst.verdict == record::Verdict::passed) {
    text = records.size() == 2 ? tr("<b>Both runs passed</b>") : tr("<b>All %1 runs passed</b>").arg(records.size());
  } else if (records.size() > 1) {
    QStringList words;
    for (const auto& record : records) words += QString::fromStdString(to_text(record.verdict));
    text += tr(" (run 1 to %1: %2)").arg(records.size()).arg(words.join(", "));
  }
  // The form is the plan's again, which may have another mode than the run whose figures are there.
  if (const std::string special = sequence.special_settings(); !special.empty())
    text += tr("; the figures shown are those of run %1 of %2: %3")
                .arg(sequence.index() + 1)
                .arg(sequence.count())
                .arg(QString::fromStdString(special).toHtmlEscaped());
  const int64_t id = &worst == &records.front() && alike ? records.back().id : worst.id;
  if (id != 0) text += QString(" &nbsp; <a href=\"%1%2\">%3</a>").arg(kResultLink).arg(id).arg(tr("Show result"));
  if (sequence.session() != nullptr) text += ways_out(*sequence.session());
  return text;
}

}  // namespace n2nq::ui

#include "moc_run_bar.cpp"
