#include "ui/window/fetch_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::window {
namespace {

constexpr int kSteps = 1000;
constexpr int kBarWidth = 20 * theme::kGrid;

QString bytes(int64_t count) {
  return theme::qt(text::bytes(static_cast<double>(count)));
}

}  // namespace

FetchBar::FetchBar(const QString& title, QWidget* parent)
    : QFrame(parent), title_(title), text_(new QLabel(this)), progress_(new QProgressBar(this)) {
  setFrameStyle(Box | Plain);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  text_->setAccessibleName(tr("Fetching"));
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setText(tr("Fetching the log of %1").arg(title_));
  progress_->setRange(0, kSteps);
  progress_->setTextVisible(false);
  progress_->setFixedSize(kBarWidth, theme::kGrid);
  progress_->setAccessibleName(tr("Fetched"));
  auto* cancel = new QPushButton(tr("Cancel"), this);
  cancel->setAccessibleName(tr("Cancel fetching"));
  cancel->setToolTip(tr("Leaves the log where it is; it is fetched automatically after the run."));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(2 * theme::kGrid, theme::kGrid / 2, theme::kGrid, theme::kGrid / 2);
  row->setSpacing(theme::kGrid);
  row->addWidget(text_, 1);
  row->addWidget(progress_);
  row->addWidget(cancel);
  connect(cancel, &QPushButton::clicked, this, &FetchBar::close_bar);
}

void FetchBar::show_progress(const launch::FetchProgress& progress) {
  text_->setText(tr("Fetching the log of %1: %2 of %3").arg(title_, bytes(progress.bytes), bytes(progress.of_bytes)));
  const double share =
      progress.of_bytes > 0 ? static_cast<double>(progress.bytes) / static_cast<double>(progress.of_bytes) : 0;
  progress_->setValue(static_cast<int>(share * kSteps));
}

void FetchBar::close_bar() {
  job_.reset();
  hide();
  deleteLater();
}

}  // namespace n2nq::window
