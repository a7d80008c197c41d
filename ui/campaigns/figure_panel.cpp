#include "ui/campaigns/figure_panel.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/charts/figure_view.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

// In proportion, until somebody moves them.
constexpr int kFigureWidth = 800;
constexpr int kBesideWidth = 400;
constexpr int kLeastHeight = 260;  // of the figure with its tools

QString title_of(const campaign::FigureSpec& figure) {
  return figure.title.empty() ? qt(figure.id) : QString("%1: %2").arg(qt(figure.id), qt(figure.title));
}

}  // namespace

FigurePanel::FigurePanel(QWidget* parent)
    : QWidget(parent),
      choice_(new QComboBox(this)),
      view_(new charts::FigureView(this)),
      splitter_(new theme::ShareSplitter(Qt::Horizontal, this)) {
  choice_->setAccessibleName(tr("Campaign figure"));
  choice_->setToolTip(tr("Which figure of the campaign to show."));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  choice_->setMinimumContentsLength(36);
  choice_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  view_->set_leading(choice_);
  view_->setMinimumHeight(kLeastHeight);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(kGrid);
  splitter_->addWidget(view_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, kGrid / 2, 0, 0);
  column->addWidget(splitter_);
  connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
    show_nothing();
    if (chosen() >= 0) Q_EMIT wanted();
  });
  show_nothing();
}

void FigurePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Q_EMIT shown();
}

int FigurePanel::chosen() const {
  return choice_->currentIndex();
}

void FigurePanel::set_figures(int64_t campaign, const std::vector<campaign::FigureSpec>& figures) {
  if (campaign == campaign_ && figures == figures_) return;
  const int before = campaign == campaign_ ? chosen() : 0;
  campaign_ = campaign;
  figures_ = figures;
  {
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    for (const campaign::FigureSpec& figure : figures_) choice_->addItem(title_of(figure));
    if (before >= 0 && before < choice_->count()) choice_->setCurrentIndex(before);
  }
  show_nothing();
}

void FigurePanel::show_nothing() {
  choice_->setVisible(!figures_.empty());
  figures::Figure none;
  none.empty_text =
      figures_.empty() ? "this campaign has no figures; its results are in the points table" : "drawing the figure";
  view_->show(none);
}

void FigurePanel::show_figure(int64_t campaign, int number, const figures::Figure& figure) {
  if (campaign == campaign_ && number == chosen()) view_->show(figure);
}

void FigurePanel::set_beside(QWidget* findings) {
  splitter_->addWidget(findings);
  splitter_->share({kFigureWidth, kBesideWidth});
}

QByteArray FigurePanel::save_state() const {
  return splitter_->state();
}

void FigurePanel::restore_state(const QByteArray& state) {
  splitter_->restore(state);
}

}  // namespace n2nq::ui

#include "moc_figure_panel.cpp"
