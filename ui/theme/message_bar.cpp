#include "ui/theme/message_bar.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <utility>

#include "ui/theme/lower_edge.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kIconSize = 2 * kGrid;
constexpr int kSteps = 1000;  // of progress
constexpr int kProgressWidth = 20 * kGrid;

}  // namespace

MessageBar::MessageBar(const QString& name, QWidget* parent)
    : QFrame(parent), name_(name), row_(new QHBoxLayout(this)), icon_(new QLabel(this)), text_(new QLabel(this)) {
  setFrameStyle(Box | Plain);  // told from what is below
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  text_->setObjectName("message");
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  row_->setContentsMargins(name.isEmpty() ? kGrid : 2 * kGrid, kGrid / 2, name.isEmpty() ? kGrid / 2 : kGrid,
                           kGrid / 2);
  row_->setSpacing(kGrid);
  row_->addWidget(icon_);
  row_->addWidget(text_, 1);
  if (!name.isEmpty()) return;
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  close_ = new QToolButton(this);
  close_->setAutoRaise(true);
  close_->setFocusPolicy(Qt::TabFocus);
  close_->setAccessibleName(tr("Dismiss"));
  close_->setToolTip(tr("Dismisses this message."));
  row_->addWidget(close_);
  connect(close_, &QToolButton::clicked, this, &MessageBar::close_bar);
  hide();
}

MessageBar* MessageBar::over(QWidget* page) {
  auto* bar = new MessageBar(QString(), page);
  bar->edge_ = new LowerEdge(*bar, *page, [bar] { return bar->wanted_width(); });
  return bar;
}

void MessageBar::say(Status status, const QString& text, const std::vector<Choice>& choices) {
  status_ = status;
  asks_ = closed_ = false;
  choices_ = choices;
  while (buttons_.size() < choices.size()) add_button();
  for (size_t i = 0; i < buttons_.size(); i++) show_choice(*buttons_[i], i < choices.size() ? choices[i] : Choice());
  take_theme();
  show_said(text);
  if (name_.isEmpty()) show();
  if (edge_ != nullptr) edge_->place();
}

void MessageBar::offer(Status status, const QString& text, const QString& undo, std::function<void()> chosen) {
  say(status, text, {{.text = undo, .help = tr("Undoes what the message describes."), .chosen = std::move(chosen)}});
}

void MessageBar::add_button() {
  auto* button = new QPushButton(this);
  row_->insertWidget(row_->count() - (close_ != nullptr ? 1 : 0), button);
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
    progress_->setFixedSize(kProgressWidth, kGrid);
    progress_->setAccessibleName(tr("%1: progress").arg(name_));
    row_->insertWidget(row_->indexOf(text_) + 1, progress_);
  }
  show_said(text);
  progress_->setValue(static_cast<int>(share * kSteps));
}

void MessageBar::close_bar() {
  closed_ = true;
  hide();
  Q_EMIT closed();
}

QString MessageBar::text() const {
  return text_->text();
}

void MessageBar::keep_above(QWidget* other) {
  if (edge_ != nullptr) edge_->keep_above(other);
}

// All of it in lines as they are.
int MessageBar::wanted_width() const {
  const QSize text = text_->fontMetrics().size(0, text_->text());
  return layout()->totalSizeHint().width() - text_->sizeHint().width() + text.width() + kGrid;
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && close_ != nullptr) return close_bar();
  QFrame::keyPressEvent(event);
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
