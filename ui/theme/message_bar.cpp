#include "ui/theme/message_bar.h"

#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/lower_edge.h"
#include "ui/theme/toast_clock.h"
#include "ui/theme/tokens.h"
#include "ui/theme/veil.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kIconSize = 2 * kGrid;
constexpr int kSteps = 1000;  // of progress
constexpr int kEdge = 3;      // in the colour of what is said

}  // namespace

MessageBar::MessageBar(const QString& name, QWidget* parent)
    : QFrame(parent),
      name_(name),
      grid_(grid_in(this, kSpace2, kSpace2, {kSpace4, kSpace3, kSpace3, kSpace3})),
      row_(new QHBoxLayout),
      icon_(new QLabel(this)),
      text_(new QLabel(this)) {
  auto* keys = new QShortcut(Qt::Key_F6, this);
  connect(keys, &QShortcut::activated, this, &MessageBar::take_focus);
  connect(keys, &QShortcut::activatedAmbiguously, this, &MessageBar::take_focus);
  text_->setObjectName("message");
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  grid_->setColumnStretch(1, 1);
  grid_->addWidget(icon_, 0, 0, Qt::AlignTop);
  grid_->addWidget(text_, 0, 1);
  row_->setSpacing(kSpace2);
  row_->addStretch(1);
  grid_->addLayout(row_, 2, 1, 1, 2);
  if (!name.isEmpty()) return;
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_ = icon_button("close", tr("Dismiss"), tr("Dismisses this message."), this);
  grid_->addWidget(close_, 0, 2, Qt::AlignTop);
  connect(close_, &QToolButton::clicked, this, &MessageBar::close_bar);
  hide();
}

MessageBar* MessageBar::over(QWidget* page) {
  auto* bar = new MessageBar(QString(), page);
  bar->edge_ = new LowerEdge(*bar, *page, [bar] { return bar->wanted_width(); });
  bar->set_fading();
  return bar;
}

void MessageBar::set_fading() {
  if (clock_ == nullptr) clock_ = new ToastClock(*this, [this] { close_bar(); });
}

void MessageBar::say(Status status, const QString& text, const std::vector<Choice>& choices) {
  status_ = status;
  asks_ = closed_ = false;
  if (!has_focus()) before_ = nullptr;
  choices_ = choices;
  while (buttons_.size() < choices.size()) add_button();
  for (size_t i = 0; i < buttons_.size(); i++) show_choice(*buttons_[i], i < choices.size() ? choices[i] : Choice());
  take_theme();
  show_said(text);
  if (name_.isEmpty()) show();
  if (edge_ != nullptr) edge_->place();
  if (clock_ == nullptr) return;
  if (fades())
    clock_->start();
  else
    clock_->stop();
}

// What it offers is there until it is taken: a toast that went as the pointer came would give the click to what is
// below.
bool MessageBar::fades() const {
  return clock_ != nullptr && !asks_ && (status_ == Status::good || status_ == Status::info);
}

void MessageBar::say_working(const QString& text) {
  say(Status::info, text);
  if (clock_ != nullptr) clock_->stop();
}

void MessageBar::say_written(const QString& text, const QString& path) {
  if (path.isEmpty()) return say(Status::good, text);
  const auto opens = [this](const QString& what) {
    return [this, what] {
      const QString trouble = open_outside(what, opener_);
      if (!trouble.isEmpty()) say(Status::warning, trouble);
    };
  };
  std::vector<Choice> choices;
  if (!path.endsWith(".n2nq"))
    choices.push_back(
        {.text = tr("Open"), .help = tr("Opens it with the program for such files."), .chosen = opens(path)});
  choices.push_back({.text = tr("Show in folder"),
                     .help = tr("Opens the folder that it is in."),
                     .chosen = opens(QFileInfo(path).absolutePath())});
  say(Status::good, text, choices);
}

void MessageBar::offer(Status status, const QString& text, const QString& undo, std::function<void()> chosen) {
  say(status, text, {{.text = undo, .help = tr("Undoes what the message describes."), .chosen = std::move(chosen)}});
}

void MessageBar::add_button() {
  auto* button = new QPushButton(this);
  row_->addWidget(button);
  connect(button, &QPushButton::clicked, this, [this, place = buttons_.size()] {
    if (closed_) return;
    const auto chosen = choices_[place].chosen;  // which may say something else here
    close_bar();
    if (chosen) chosen();
  });
  buttons_.push_back(button);
}

void MessageBar::show_choice(QPushButton& button, const Choice& choice) {
  button.setText(choice.text);
  button.setAccessibleName(choice.name.isEmpty() ? choice.text : choice.name);
  button.setToolTip(choice.help);
  button.setEnabled(!choice.later);
  make_primary(button, choice.primary);
  button.setVisible(!choice.text.isEmpty());
  if (choice.chosen) asks_ = true;
  if (choice.later)
    QTimer::singleShot(QApplication::doubleClickInterval(), &button, [&button] { button.setEnabled(true); });
}

void MessageBar::show_said(const QString& text) {
  text_->setText(text);
  text_->setAccessibleName(name_.isEmpty() ? text : name_);
}

void MessageBar::show_progress(const QString& text, double share) {
  if (progress_ == nullptr) {
    progress_ = new QProgressBar(this);
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(kSpace1);
    progress_->setAccessibleName(tr("%1: progress").arg(name_));
    grid_->addWidget(progress_, 1, 1);
    if (clock_ != nullptr) clock_->stop();
  }
  show_said(text);
  progress_->setValue(static_cast<int>(share * kSteps));
}

void MessageBar::close_bar() {
  closed_ = true;
  if (clock_ != nullptr) clock_->stop();
  const bool had_focus = has_focus();
  const QPointer<QWidget> before = std::exchange(before_, nullptr);
  hide();
  if (had_focus && before != nullptr && before->isVisible()) before->setFocus(Qt::OtherFocusReason);
  Q_EMIT closed();
}

bool MessageBar::has_focus() const {
  const QWidget* focus = QApplication::focusWidget();
  return focus != nullptr && isAncestorOf(focus);
}

// Of several messages each in its turn; a question comes first. From message to message the way back stays.
void MessageBar::take_focus() {
  for (Veil* veil : window()->findChildren<Veil*>())
    if (veil->isVisible()) return veil->take_focus();
  if (!has_focus()) {
    const auto bars = window()->findChildren<const MessageBar*>();
    const auto left = std::ranges::find_if(bars, &MessageBar::has_focus);
    before_ = left != bars.end() ? (*left)->before_ : QPointer<QWidget>(QApplication::focusWidget());
  }
  if (!choices_.empty())
    buttons_.front()->setFocus(Qt::ShortcutFocusReason);
  else if (close_ != nullptr)
    close_->setFocus(Qt::ShortcutFocusReason);
}

QString MessageBar::text() const {
  return text_->text();
}

void MessageBar::keep_above(QWidget* other) {
  if (edge_ != nullptr) edge_->keep_above(other);
}

QPushButton* MessageBar::last_button() const {
  return choices_.empty() ? nullptr : buttons_[choices_.size() - 1];
}

// All of it in lines as they are, where there is room for that.
int MessageBar::wanted_width() const {
  const QMargins margins = grid_->contentsMargins();
  const int close = close_ != nullptr ? close_->sizeHint().width() + kSpace2 : 0;
  const int beside = margins.left() + margins.right() + kIconSize + kSpace2;
  const int text = text_->fontMetrics().size(0, text_->text()).width() + kSpace1 + close;
  return std::max(std::min(kToastWidth, beside + text), beside + row_->sizeHint().width());
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  if (close_ != nullptr) return close_bar();
  if (QPushButton* last = last_button()) return last->click();
  QFrame::keyPressEvent(event);
}

void MessageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  QPainterPath shape;
  shape.addRoundedRect(area, kRadius, kRadius);
  painter.fillPath(shape, surface(Surface::card));
  painter.save();
  painter.setClipPath(shape);
  painter.fillRect(QRectF(0, 0, kEdge, height()), color(status_));
  painter.restore();
  painter.setPen(surface(Surface::line));
  painter.drawPath(shape);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) take_theme();
}

void MessageBar::take_theme() {
  icon_->setPixmap(icon(status_).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
  if (close_ != nullptr) close_->setIcon(icon("close"));
}

}  // namespace n2nq::ui::theme

#include "moc_message_bar.cpp"
