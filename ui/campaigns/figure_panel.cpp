#include "ui/campaigns/figure_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/campaign/campaign_figures.h"
#include "app/compare/figures.h"
#include "app/text/quantity.h"
#include "ui/charts/auto_scale.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/picture_tools.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/offer.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

// In proportion, until somebody moves them.
constexpr int kFigureWidth = 800;
constexpr int kBesideWidth = 400;
constexpr int kRepeatsWidth = 20 * kGrid;
constexpr int kLeastHeight = 260;  // of the figure with its tools

QString title_of(const campaign::FigureSpec& figure) {
  return figure.title.empty() ? qt(figure.id) : QString("%1: %2").arg(qt(figure.id), qt(figure.title));
}

}  // namespace

FigurePanel::FigurePanel(QWidget* parent)
    : QWidget(parent),
      choice_(new QComboBox(this)),
      others_(new QPushButton(theme::icon("open"), QString(), this)),
      view_(new charts::FigureView(this)),
      look_(new QWidget(this)),
      tools_(new charts::PictureTools(charts::PictureTools::Of::campaign, look_)),
      repeats_(new QLineEdit(look_)),
      splitter_(new theme::ShareSplitter(Qt::Horizontal, this)) {
  choice_->setAccessibleName(tr("Campaign figure"));
  choice_->setToolTip(tr("Which figure of the campaign to show."));
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  choice_->setMinimumContentsLength(36);
  choice_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  others_->setAccessibleName(tr("Figures from a file"));
  theme::make_flat(*others_);
  auto* lead = new QWidget(this);
  auto* both = theme::row_in(lead, 0);
  both->addWidget(choice_);
  both->addWidget(others_);
  view_->set_leading(lead);
  connect(others_, &QPushButton::clicked, this, &FigurePanel::other_figures_wanted);
  view_->set_below_tools(look_);
  view_->setMinimumHeight(kLeastHeight);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(kGrid);
  splitter_->addWidget(view_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, kGrid / 2, 0, 0);
  column->addWidget(splitter_);
  repeats_->setAccessibleName(tr("Repeats shown"));
  repeats_->setPlaceholderText(tr("all repeats"));
  repeats_->setToolTip(tr("The repeats whose runs are in the picture, such as 1-12, 18. Empty: all of them."));
  repeats_->setMaximumWidth(kRepeatsWidth);
  auto* row = new QHBoxLayout(look_);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(tools_);
  row->addWidget(repeats_);
  row->addStretch(1);
  connect(tools_, &charts::PictureTools::changed, this, &FigurePanel::wanted);
  connect(tools_, &charts::PictureTools::axis_changed, this, [this] {
    view_->say_nothing();
    view_->set_scale(charts::ScaleChoice::automatic);  // as the tools say, whatever the menu has
  });
  connect(tools_, &charts::PictureTools::refused, this, &FigurePanel::say);
  connect(repeats_, &QLineEdit::editingFinished, this, &FigurePanel::take_repeats);
  connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
    begin_look();
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

void FigurePanel::set_figures(int64_t campaign, const std::vector<campaign::FigureSpec>& figures, uint32_t repeats) {
  most_repeats_ = repeats;
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
  begin_look();
  show_nothing();
}

campaign::FigureSpec FigurePanel::figure() const {
  campaign::FigureSpec figure = figures_[static_cast<size_t>(chosen())];
  if (!campaign::picture_of(figure.kind)) return figure;
  const compare::View view = tools_->view();
  figure.whiskers = view.whiskers;
  figure.without = view.without;
  figure.logarithmic = view.logarithmic;
  figure.part = view.part;
  figure.repeats = wanted_repeats_;
  return figure;
}

// As the campaign has the figure.
void FigurePanel::begin_look() {
  const campaign::FigureSpec figure = chosen() < 0 ? campaign::FigureSpec() : figures_[static_cast<size_t>(chosen())];
  const auto picture = campaign::picture_of(figure.kind);
  view_->say_nothing();
  view_->set_scale(charts::ScaleChoice::automatic);
  look_->setVisible(picture.has_value());
  if (!picture) return;
  tools_->set_view(
      {.whiskers = figure.whiskers, .without = figure.without, .logarithmic = figure.logarithmic, .part = figure.part});
  tools_->show_for(*picture);
  wanted_repeats_ = figure.repeats;
  repeats_->setText(qt(to_text(wanted_repeats_, campaign::kBetweenRepeats)));
}

void FigurePanel::say(const QString& why) {
  why.isEmpty() ? view_->say_nothing() : view_->say(why, /*is_error=*/true);
}

void FigurePanel::take_repeats() {
  const auto repeats = campaign::parse_repeats(repeats_->text().toStdString());
  if (!repeats) return say(qt(repeats.error().text));
  if (!repeats->empty() && repeats->back().last > most_repeats_)
    return say(tr("The campaign has only %1.").arg(qt(text::amount(most_repeats_, "repeat"))));
  say({});
  if (*repeats == wanted_repeats_) return;
  wanted_repeats_ = *repeats;
  Q_EMIT wanted();
}

void FigurePanel::show_nothing() {
  choice_->setVisible(!figures_.empty());
  figures::Figure none;
  none.empty_text = figures_.empty() ? "This campaign has no figures: its results are in Points" : "Drawing the figure";
  view_->show(none);
}

void FigurePanel::show_figure(int64_t campaign, int number, const figures::Figure& figure) {
  if (campaign != campaign_ || number != chosen()) return;
  view_->show(figure);
  if (look_->isVisibleTo(this) && !figure.empty())
    tools_->show_logarithmic((charts::is_along_x(figure) ? figure.x : figure.y).by_decades);
}

void FigurePanel::offer_others(const QString& why_not) {
  theme::offer(*others_,
               tr("Draws this campaign's results by the figures of another campaign file. No run is repeated."),
               why_not);
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
