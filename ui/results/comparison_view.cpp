#include "ui/results/comparison_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <set>

#include "app/compare/comparison.h"
#include "app/compare/titles.h"
#include "ui/results/side_tiles.h"
#include "ui/results/text_table.h"
#include "ui/results/verdict_card.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/tokens.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

constexpr int kRunsWidth = 380;
constexpr int kPicturesWidth = 780;
constexpr int kNoSide = -1;
constexpr int kMostNumbers = 6;  // of results, in a line
constexpr int kMostTitles = 4;   // of sides, above their runs
constexpr std::chrono::milliseconds kSoon{200};

std::vector<TextColumn> run_columns(const QString& figure) {
  return {{.header = QObject::tr("Side")},
          {.header = QObject::tr("Result")},
          {.header = QObject::tr("Plan"), .stretch = true},
          {.header = figure, .number = true},
          {.header = QObject::tr("Verdict")}};
}

QString shortened(QStringList numbers) {
  if (numbers.size() > kMostNumbers) {
    numbers.resize(kMostNumbers);
    numbers.append(QStringLiteral("…"));
  }
  return numbers.join(QStringLiteral(", "));
}

}  // namespace

ComparisonView::ComparisonView(store::ResultStore& store, QWidget* parent)
    : QWidget(parent), store_(store), late_(new QTimer(this)) {
  late_->setObjectName("late");
  late_->setSingleShot(true);
  late_->setInterval(kSoon);
  connect(late_, &QTimer::timeout, this, &ComparisonView::show_title);
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(kGrid);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::kCardApart);
  column->addWidget(build_top());
  splitter->addWidget(build_runs());
  splitter->addWidget(build_pictures());
  splitter->setSizes({kRunsWidth, kPicturesWidth});
  splitter->setStretchFactor(1, 1);
  column->addWidget(splitter, 1);
  setFocusProxy(table_);
  for (QComboBox* choice : findChildren<QComboBox*>()) choice->installEventFilter(this);
}

ComparisonView::~ComparisonView() = default;

QWidget* ComparisonView::build_top() {
  auto* top = new QWidget(this);
  auto* leave = new QPushButton(theme::icon("left"), tr("Back to the list"), top);
  leave->setAccessibleName(leave->text());
  leave->setToolTip(tr("Back to the results list (Escape)."));
  leave->setAutoDefault(false);
  theme::make_flat(*leave);
  title_ = new theme::Label({}, theme::TextSize::title, theme::Tone::plain, top);
  title_->setAccessibleName(tr("Comparison title"));
  title_->setTextFormat(Qt::PlainText);
  metric_ = new QComboBox(top);
  metric_->setAccessibleName(tr("Figure to compare by"));
  metric_->setToolTip(tr("The figure of each run that the statement compares."));
  for (const figures::Metric& one : figures::metrics())
    metric_->addItem(one.name == one.label ? qt(one.name) : tr("%1 (%2)").arg(qt(one.name), qt(one.label)),
                     qt(one.name));
  metric_->setCurrentIndex(metric_->findData(QStringLiteral("p99")));
  swap_ = new QPushButton(tr("Swap A and B"), top);
  swap_->setAccessibleName(swap_->text());
  swap_->setToolTip(tr("B is measured against A."));
  swap_->setAutoDefault(false);
  verdict_ = new VerdictCard(top);
  tiles_ = new SideTiles(top);
  auto* row = new QHBoxLayout;
  row->setSpacing(kGrid);
  row->addWidget(leave);
  row->addWidget(title_, 1);
  row->addWidget(metric_);
  row->addWidget(swap_);
  auto* column = new QVBoxLayout(top);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::kCardApart);
  column->addLayout(row);
  column->addWidget(verdict_);
  column->addWidget(tiles_);
  connect(leave, &QPushButton::clicked, this, &ComparisonView::back);
  connect(swap_, &QPushButton::clicked, this, &ComparisonView::swap_sides);
  connect(metric_, &QComboBox::currentIndexChanged, this, &ComparisonView::show_all);
  return top;
}

QWidget* ComparisonView::build_runs() {
  auto* left = new theme::Card(this);
  legend_ = new theme::Label({}, theme::TextSize::body, theme::Tone::plain, left);
  legend_->setAccessibleName(tr("Sides"));
  legend_->setTextFormat(Qt::PlainText);
  legend_->setWordWrap(true);
  table_ = new TextTable(tr("Runs compared"), run_columns(tr("Figure")), left);
  put_ = new QComboBox(left);
  put_->setAccessibleName(tr("Side of the selected runs"));
  put_->setToolTip(tr("Assigns the selected runs to a side, or leaves them out."));
  auto* label = new QLabel(tr("Selected runs:"), left);
  label->setBuddy(put_);
  QVBoxLayout* column = left->body();
  column->setSpacing(theme::kSpace2);
  column->addWidget(legend_);
  column->addWidget(table_, 1);
  column->addWidget(label);  // above: beside it both would take the room of the pictures in a small window
  column->addWidget(put_);
  connect(put_, &QComboBox::activated, this, &ComparisonView::put_selected);
  return left;
}

void ComparisonView::compare(const std::vector<int64_t>& results) {
  take(std::make_shared<const ShownComparison>());
  verdict_->say(tr("Loading %1 runs…").arg(results.size()));
  make([path = store_.path(), results](const auto& wanted) { return load_comparison(path, results, wanted); },
       [this](const Error& error) {
         verdict_->say({});
         Q_EMIT trouble(tr("The runs cannot be compared: %1").arg(qt(error.text)));
       });
}

void ComparisonView::assign(const compare::Assignment& assignment) {
  wanted_ = assignment;
  make([from = shown_, assignment](const auto&) { return put_on_sides(*from, assignment); },
       [this](const Error& error) {
         wanted_ = shown_->assignment;
         Q_EMIT trouble(tr("Not assigned: %1").arg(qt(error.text)));
         show_side_choices();
         show_title();
       });
}

void ComparisonView::make(Make task, std::function<void(const Error& error)> refused) {
  work_.wish(Wish::for_sides, [this, task = std::move(task), refused = std::move(refused)](const auto& wanted) {
    return [this, refused, made = task(wanted)] {
      if (made) return take(*made);
      refused(made.error());
    };
  });
  late_->start();
}

void ComparisonView::take(SharedComparison comparison) {
  // It begins with the latency that is shown elsewhere; from then on the choice is the user's.
  if (shown_->runs->empty() && !comparison->runs->empty() && chosen_metric().name == "p99" &&
      compare::first_latency(comparison->sides) == figures::FirstLatency{.intended = true}) {
    const QSignalBlocker quiet(metric_);
    metric_->setCurrentIndex(metric_->findData(qt(figures::intended_of(chosen_metric())->name)));
  }
  shown_ = std::move(comparison);
  wanted_ = shown_->assignment;
  show_all();
}

void ComparisonView::put_selected(int choice) {
  compare::Assignment wanted = wanted_;
  const int side = put_->itemData(choice).toInt();
  std::set<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedIndexes()) rows.insert(index.row());
  for (const int row : rows)
    wanted[static_cast<size_t>(row)] = side == kNoSide ? std::nullopt : std::optional(static_cast<size_t>(side));
  if (wanted != wanted_) assign(wanted);
}

void ComparisonView::swap_sides() {
  compare::Assignment swapped = wanted_;
  for (auto& side : swapped)
    if (side && *side < 2) side = 1 - *side;
  assign(swapped);
}

const figures::Metric& ComparisonView::chosen_metric() const {
  return *figures::find_metric(theme::utf8(metric_->currentData().toString()));
}

void ComparisonView::show_all() {
  show_statement();
  show_runs();
  show_side_choices();
  show_picture();
}

void ComparisonView::show_title() {
  const size_t on_sides = shown_->sides.size();
  const auto out =
      static_cast<size_t>(std::ranges::count(shown_->assignment, false, &std::optional<size_t>::has_value));
  QString title = tr("%1 runs on %2")
                      .arg(shown_->runs->size() - out)
                      .arg(on_sides == 1 ? tr("one side") : tr("%1 sides").arg(on_sides));
  if (out > 0) title += tr(", %1 left out").arg(out);
  if (is_busy() && !late_->isActive()) title += tr(", drawing…");
  title_->setText(shown_->runs->empty() ? QString() : title);
}

void ComparisonView::show_statement() {
  const auto& sides = shown_->sides;
  swap_->setEnabled(sides.size() >= 2);
  show_title();
  verdict_->show_comparison(*shown_, chosen_metric(), left_out_texts());
  tiles_->show_sides(sides);
  QStringList titles;
  for (const std::string& title : compare::titles_of(sides)) titles.append(qt(title));
  legend_->setToolTip(theme::plain_tip(titles.join(u'\n')));
  if (titles.size() > kMostTitles) {
    titles.resize(kMostTitles);
    titles.append(QStringLiteral("…"));
  }
  legend_->setText(titles.join(u'\n'));
  legend_->setVisible(!titles.isEmpty());
}

QStringList ComparisonView::left_out_texts() const {
  QStringList by_limit, by_user;
  const auto& runs = *shown_->runs;
  for (size_t i = 0; i < runs.size(); i++)
    if (!shown_->assignment[i]) (shown_->by_plan[i] ? by_user : by_limit).append(tr("#%1").arg(runs[i].id));
  QStringList texts;
  if (!by_limit.isEmpty())
    texts.append((by_limit.size() == 1 ? tr("%1 is left out: at most %2 sides can be compared")
                                       : tr("%1 are left out: at most %2 sides can be compared"))
                     .arg(shortened(by_limit))
                     .arg(compare::kMostSides));
  if (!by_user.isEmpty()) texts.append(tr("you left out %1").arg(shortened(by_user)));
  return texts;
}

void ComparisonView::show_runs() {
  std::vector<TextRow> rows;
  text::Column figure(figures::unit_of(chosen_metric()));
  for (const record::RunRecord& run : *shown_->runs) figure.add(chosen_metric().value(run));
  for (size_t i = 0; i < shown_->runs->size(); i++) {
    const record::RunRecord& run = (*shown_->runs)[i];
    const auto& side = shown_->assignment[i];
    rows.push_back(
        {.cells = {side ? qt(compare::side_name(*side)) : QStringLiteral("-"), tr("#%1").arg(run.id), qt(run.plan.name),
                   qt(figure.cell(i)), qt(to_text(run.verdict))},
         .status = run.trust == record::Trust::doubtful ? std::optional(theme::Status::warning) : std::nullopt});
  }
  table_->set(run_columns(qt(figure.head(theme::utf8(tr("Figure"))))), std::move(rows));
}

void ComparisonView::show_side_choices() {
  const QSignalBlocker silent(put_);
  put_->clear();
  const size_t most = std::min(compare::kMostSides, std::max<size_t>(shown_->sides.size() + 1, 2));
  for (size_t side = 0; side < most; side++)
    put_->addItem(tr("on side %1").arg(qt(compare::side_name(side))), static_cast<int>(side));
  put_->addItem(tr("left out"), kNoSide);
  put_->setCurrentIndex(-1);
  put_->setPlaceholderText(tr("choose a side"));
}

// Lists take each key for the beginning of one of their texts.
bool ComparisonView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
    return QWidget::eventFilter(watched, event);
  back();
  return true;
}

void ComparisonView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return back();
  QWidget::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_comparison_view.cpp"
