#include "ui/run/run_bar.h"

#include <QApplication>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "app/figures/setting_text.h"
#include "ui/run/press_guard.h"
#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_line.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/progress_line.h"
#include "ui/theme/theme.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

// Of the bar: where there is room for them whatever else is there, so that they come and go with the window's size.
constexpr int kWidthForKeys = 1400, kWidthForLog = 1150;

}  // namespace

RunBar::RunBar(QWidget* parent)
    : QWidget(parent),
      head_(new QHBoxLayout),
      views_(new QButtonGroup(this)),
      state_(new theme::Chip(this)),
      time_(new GrowingLabel(tr("Elapsed"), this)),
      run_(new GrowingLabel(tr("Run of the plan"), this)),
      log_(new QPushButton(theme::icon("log"), QString(), this)),
      request_(new QPushButton(theme::icon("send"), QString(), this)),
      result_(new QPushButton(theme::icon("results"), QString(), this)),
      compare_(new QPushButton(theme::icon("compare"), tr("Compare"), this)),
      start_(new QPushButton(theme::icon("start"), tr("Start all"), this)),
      stop_(new QPushButton(theme::icon("stop"), tr("Stop"), this)),
      progress_(new theme::ProgressLine(tr("Progress"), this)),
      sent_(new GrowingLabel(tr("Sent"), this)),
      received_(new GrowingLabel(tr("Received"), this)),
      message_(new theme::MessageLine(tr("Message"), this)) {
  head_->setSpacing(theme::kSpace3);
  build_views(*head_);
  build_state(*head_);
  head_->addStretch(1);
  build_buttons(*head_);
  auto* below = theme::inner_row(theme::kSpace4);
  connect(message_, &theme::MessageLine::link, this, &RunBar::follow_link);
  below->addWidget(message_, 1, Qt::AlignTop);
  build_figures(*below);
  auto* layout = theme::column_in(this, theme::kSpace2, {theme::kSpace3, theme::kSpace3, theme::kSpace3, 0});
  layout->addLayout(head_);
  layout->addWidget(progress_);
  layout->addLayout(below);
  fit_words();
}

void RunBar::build_views(QHBoxLayout& row) {
  struct View {
    RunView view;
    const char* icon;
    QString text, help;
  };
  auto* pair = theme::inner_row(0);
  for (const View& one :
       {View{RunView::plan, "edit-plan", tr("Edit plan"), tr("The settings of the run.")},
        View{RunView::figures, "chart", tr("Figures"), tr("What the run does, or the last one did.")}}) {
    auto* button = new QPushButton(theme::icon(one.icon), one.text, this);
    button->setAccessibleName(one.text);
    button->setToolTip(tr("%1: %2 F7 changes between the two.").arg(one.text, one.help));
    button->setCheckable(true);
    button->setChecked(one.view == view_);
    theme::make_flat(*button);
    views_->addButton(button, static_cast<int>(one.view));
    pair->addWidget(button);
  }
  connect(views_, &QButtonGroup::idToggled, this, [this](int id, bool on) {
    if (on) Q_EMIT view_chosen(static_cast<RunView>(id));
  });
  row.addLayout(pair);
}

QAbstractButton& RunBar::button_of(RunView view) const {
  return *views_->button(static_cast<int>(view));
}

void RunBar::show_view(RunView view) {
  const QSignalBlocker quiet(views_);
  view_ = view;
  button_of(view).setChecked(true);
  for (QAbstractButton* button : views_->buttons())  // Tab goes to the one, arrows to the other
    button->setFocusPolicy(button->isChecked() ? Qt::StrongFocus : Qt::ClickFocus);
  show_what_is_told();
  show_message();
  fit_words();
}

void RunBar::show_what_is_told() {
  const bool told = tells_of_run();
  state_->setVisible(told);
  progress_->setVisible(told);
  for (GrowingLabel* label : {sent_, received_}) label->setVisible(told && !label->text().isEmpty());
  for (GrowingLabel* word : {time_, run_})  // which are there if there is room, otherwise
    if (!told) word->hide();
}

void RunBar::build_state(QHBoxLayout& row) {
  state_->setAccessibleName(tr("Run state"));
  time_->setToolTip(tr("Time since the run began, and its expected duration."));
  run_->setToolTip(tr("The number of this run within the plan."));
  row.addWidget(state_);
  row.addWidget(time_);
  row.addWidget(run_);
}

void RunBar::build_buttons(QHBoxLayout& row) {
  log_->setCheckable(true);
  log_->setAccessibleName(tr("Show run log"));
  log_->setToolTip(tr("Log: the events of this run, line by line."));
  request_->setAccessibleName(tr("Make request"));
  request_->hide();
  result_->setAccessibleName(tr("Show result"));
  result_->setToolTip(tr("Show result: opens the saved result of this run."));
  compare_->setAccessibleName(tr("Compare runs"));
  compare_->setToolTip(tr("Compare: the runs that were made, side against side, or the spread of one."));
  start_->setAccessibleName(tr("Start all"));
  stop_->setAccessibleName(tr("Stop all"));
  theme::make_primary(*start_);
  theme::make_danger(*stop_);
  connect(request_, &QPushButton::clicked, this, &RunBar::make_request);
  connect(result_, &QPushButton::clicked, this, [this] { Q_EMIT show_result(result_id_); });
  connect(compare_, &QPushButton::clicked, this, [this] { Q_EMIT compare_results(saved_); });
  connect(start_, &QPushButton::clicked, this, &RunBar::start_all);
  connect(stop_, &QPushButton::clicked, this, &RunBar::stop_all);
  new PressGuard({result_, compare_, start_, stop_}, this);
  say_later_.setSingleShot(true);
  connect(&say_later_, &QTimer::timeout, this, &RunBar::show_stop_button);
  set_stop(StopMeans::stop);
  for (QPushButton* button : {log_, request_, result_, compare_, start_, stop_}) row.addWidget(button);
  buttons_ = &row;
}

void RunBar::build_figures(QHBoxLayout& row) {
  QSizePolicy place = progress_->sizePolicy();
  place.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(place);
  progress_->setToolTip(tr("How much of the plan has been sent, and received by those who want it."));
  sent_->setToolTip(tr("Messages sent by all senders, out of those planned."));
  received_->setToolTip(
      tr("Messages received by all receivers, out of those due. \"About\": requests were changed during the run, and "
         "the exact number is known only at the end."));
  for (GrowingLabel* label : {sent_, received_}) {
    label->set_tone(theme::Tone::muted);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.addWidget(label, 0, Qt::AlignTop);
  }
}

void RunBar::add_before_start(QWidget& widget) {
  before_start_ = &widget;
  buttons_->insertWidget(buttons_->indexOf(start_), &widget);
  fit_words();
}

void RunBar::put_first(QWidget* plan) {
  head_->insertWidget(0, plan);
}

// The first are the last to give way.
std::vector<RunBar::Word> RunBar::words() const {
  const QString request = width() >= kWidthForKeys ? tr("Make request  Ctrl+R") : tr("Make request");
  const auto view = [this](RunView one) { return qobject_cast<QPushButton*>(&button_of(one)); };
  std::vector<Word> words{{.button = view(RunView::plan), .text = tr("Edit plan")},
                          {.button = view(RunView::figures), .text = tr("Figures")},
                          {.button = request_, .text = request},
                          {.button = result_, .text = tr("Show result")},
                          {.button = compare_, .text = tr("Compare")},
                          {.label = time_},
                          {.label = run_}};
  if (before_start_ != nullptr && !before_start_->isHidden())
    words.push_back({.label = before_start_->findChild<QLabel*>()});
  std::erase_if(words, [this](const Word& word) {
    if (word.button != nullptr) return word.button->isHidden();
    if ((word.label == time_ || word.label == run_) && !tells_of_run()) return true;
    return word.label == nullptr || (word.label->text().isEmpty() && word.label->isHidden());
  });
  return words;
}

bool RunBar::Word::is_shown() const {
  return button != nullptr ? !button->text().isEmpty() : !label->isHidden();
}

int RunBar::Word::width() const {
  if (button != nullptr) return button->fontMetrics().horizontalAdvance(text) + theme::kSpace2;
  return qMax(label->sizeHint().width(), label->minimumWidth()) + theme::kSpace3;
}

void RunBar::Word::show(bool on) const {
  if (button != nullptr)
    button->setText(on ? text : QString());
  else
    label->setVisible(on);
}

int RunBar::width_of_shown_words() const {
  int width = 0;
  for (const Word& word : words())
    if (word.is_shown()) width += word.width();
  return width;
}

// Nested, it would itself know of changed texts only after its next layout.
int RunBar::width_of_head() const {
  int width = -head_->spacing();
  for (int i = 0; i < head_->count(); i++)
    if (QLayoutItem* item = head_->itemAt(i); !item->isEmpty()) width += item->sizeHint().width() + head_->spacing();
  return width;
}

QSize RunBar::minimumSizeHint() const {
  QSize least = layout()->minimumSize();
  least.rwidth() -= width_of_shown_words();
  return least;
}

// Words stay where there is room; where there is none, buttons are icons, whose names are in their tooltips.
void RunBar::fit_words() {
  log_->setText(width() >= kWidthForLog ? tr("Log") : QString());
  const QMargins beside = layout()->contentsMargins();
  int room = width() - beside.left() - beside.right() - width_of_head() + width_of_shown_words();
  bool changed = false;
  for (const Word& word : words()) {
    const int needed = word.width();
    const bool fits = needed <= room && (word.label == nullptr || !word.label->text().isEmpty());
    changed = changed || fits != word.is_shown();
    word.show(fits);
    if (fits) room -= needed;
  }
  if (!changed) return;
  head_->invalidate();  // so that the least width is right at once, which a window that is made smaller asks for
  updateGeometry();
}

void RunBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_words();
}

void RunBar::follow_link(const QString& target) {
  const RunLink link = link_of(target);
  if (link.result) Q_EMIT show_result(*link.result);
  if (!link.host.isEmpty()) Q_EMIT show_host(link.host);
  if (!link.queue.isEmpty()) Q_EMIT move_queue(link.queue);
  if (link.compare) Q_EMIT compare_results(saved_);
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
  const StateWords words = state_of(sequence);
  state_->show_text(words.tone, words.text);
  state_->setToolTip(
      theme::plain_tip(tr("State of the run: %1").arg(words.detail.isEmpty() ? words.text : words.detail)));
  detail_ = words.detail;
  run_->show_figure(sequence.count() > 1 ? tr("run %1 of %2").arg(sequence.index() + 1).arg(sequence.count()) : "");
  verdict_.reset();
  if (active_) beside_.reset();
  message_->set_tip({});
  if (!active_ && !sequence.records().empty()) {
    verdict_ = status_of(sequence);
    message_->set_tip(theme::plain_tip(doubts_of(sequence)));
    if (!beside_) beside_ = beside_of(sequence);
    verdict_text_ = verdict_text(sequence, *beside_);
    warnings_.clear();
  }
  result_id_ = active_ ? 0 : result_of(sequence);
  saved_.clear();
  for (const record::RunRecord& record : sequence.records())
    if (!active_ && record.id != 0) saved_.push_back(record.id);
  show_buttons(sequence);
  show_message();
}

// Only what makes sense now is there: the next step, filled; what ends a run, in red.
void RunBar::show_buttons(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  const bool saving = active_ && session != nullptr && session->state() == run::State::over;
  const bool stopped = active_ && session != nullptr && session->stopped_by_user();
  const bool waits = active_ && session != nullptr && waits_for_a_start(*session);
  start_->setVisible(waits || !active_);
  start_->setEnabled(waits || (!active_ && blocked_.isEmpty()));
  if (waits)
    start_->setToolTip(tr("Starts the roles not started yet (F5)."));
  else if (blocked_.isEmpty())
    show_start_help();
  else
    start_->setToolTip(theme::plain_tip(blocked_));
  stop_->setVisible(active_);
  stop_->setEnabled(active_ && session != nullptr);
  result_->setVisible(result_id_ != 0);
  compare_->setVisible(saved_.size() >= 2);
  show_what_is_told();
  if (before_start_ != nullptr) before_start_->setVisible(!active_);
  set_stop(saving ? StopMeans::finish : stopped ? StopMeans::kill : StopMeans::stop);
  fit_words();
}

void RunBar::show_start_help() {
  start_->setToolTip(theme::plain_tip(tr("Starts queue, senders and receivers (F5). %1").arg(forecast_.text())));
}

void RunBar::show_request(bool on, bool unsent, bool running) {
  request_->setVisible(on);
  request_->setEnabled(unsent);
  request_->setToolTip(!unsent   ? tr("Make request: the receivers use these filters already; edit them first.")
                       : running ? tr("Make request: receivers use these filters from now on (Ctrl+R).")
                                 : tr("Make request: receivers will use these filters (Ctrl+R)."));
  fit_words();
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
  stop_->setIcon(theme::icon(*stop_means_ == StopMeans::kill ? "kill" : "stop", theme::color(theme::Status::bad)));
}

void RunBar::show_progress(const run::RunSequence& sequence) {
  const run::RunSession* session = sequence.session();
  if (session == nullptr) return progress_->show_share(0);
  const auto sent = static_cast<uint64_t>(session->all_of(Role::sender).count);
  const auto received = static_cast<uint64_t>(session->all_of(Role::receiver).count);
  const auto elapsed = session->elapsed_ns();
  const auto remaining = session->remaining_ns();
  sent_->show_figure(tr("sent %1").arg(counted_of(sent, session->planned_messages())));
  received_->show_figure(tr("received %1").arg(counted_of(received, session->expected_deliveries())));
  const int room = time_->maximumWidth();
  time_->show_figure(elapsed ? time_of(*elapsed, active_ ? remaining : std::nullopt) : QString());
  if (time_->maximumWidth() != room) fit_words();
  progress_->show_share(session->progress());
}

void RunBar::show_warnings(const std::vector<live::LiveWarning>& warnings) {
  if (warnings == warnings_) return;
  warnings_ = warnings;
  show_message();
}

void RunBar::set_whose(const QString& text) {
  if (text == whose_) return;
  whose_ = text;
  show_what_is_told();
  fit_words();
  show_message();
}

void RunBar::set_forecast(const Forecast& forecast) {
  if (forecast == forecast_) return;
  forecast_ = forecast;
  if (!active_ && blocked_.isEmpty()) show_start_help();
  show_message();
}

void RunBar::show_message() {
  const bool of_another = !active_ && !whose_.isEmpty() && tells_of_run();
  const QString whose = of_another ? whose_.toHtmlEscaped() + " &nbsp; " : QString();
  if (!active_ && waits_) return message_->show_text(theme::Status::info, whose + blocked_.toHtmlEscaped());
  if (!active_ && !blocked_.isEmpty())
    return message_->show_text(theme::Status::bad, whose + tr("Cannot start: %1").arg(blocked_.toHtmlEscaped()));
  if (verdict_ && tells_of_run()) {
    const QString full = forecast_.disk_is_short ? " &nbsp; " + forecast_.disk.toHtmlEscaped() : QString();
    return message_->show_text(*verdict_, whose + verdict_text_ + full);
  }
  if (!warnings_.empty() && tells_of_run()) {
    QString text = theme::qt(figures::with_names(warnings_.front().text)).toHtmlEscaped();
    if (warnings_.size() > 1) text += tr(" (and %1 more)").arg(warnings_.size() - 1);
    return message_->show_text(theme::Status::warning, text);
  }
  if (!active_) {
    const QString start = forecast_.runs == 1 ? tr("Press F5 to start the run.")
                                              : tr("Press F5 to start %1 runs, one after another.").arg(forecast_.runs);
    const QString text = start + u' ' + forecast_.text();
    return forecast_.warns() ? message_->show_text(theme::Status::warning, text.toHtmlEscaped())
                             : message_->show_plain(text);
  }
  message_->show_plain(detail_.isEmpty() ? QString(" ") : detail_);
}

}  // namespace n2nq::ui

#include "moc_run_bar.cpp"
