#include "ui/results/comparison_view.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "app/compare/comparison.h"
#include "app/compare/titles.h"
#include "app/text/quantity.h"
#include "ui/results/side_facts.h"
#include "ui/results/side_tiles.h"
#include "ui/results/text_table.h"
#include "ui/results/verdict_card.h"
#include "ui/theme/buttons.h"
#include "ui/theme/card.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/tokens.h"
#include "ui/theme/verdict_status.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

constexpr int kRunsWidth = 430;
constexpr int kRunsLeast = 16 * kGrid;  // the pictures beside them do not give way
constexpr int kPicturesWidth = 730;
constexpr int kLeastBelow = 20 * kGrid;  // so that the answer is seen whole in a low window
constexpr int kNoSide = -1;
constexpr int kFigureLength = 22;  // in letters
constexpr uint32_t kMoreRuns = 3;  // of each side
constexpr int kMostNumbers = 6;    // of results, in a line
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
  splitter->setMinimumHeight(kLeastBelow);
  auto* column = theme::column_in(this, theme::kCardApart);
  column->addWidget(build_top());
  splitter->addWidget(build_left());
  splitter->addWidget(build_pictures());
  splitter->setSizes({kRunsWidth, kPicturesWidth});
  splitter->setStretchFactor(1, 1);
  column->addWidget(splitter, 1);
  setFocusProxy(left_tabs_);
  for (QComboBox* choice : findChildren<QComboBox*>()) choice->installEventFilter(this);
}

ComparisonView::~ComparisonView() = default;

QWidget* ComparisonView::build_top() {
  auto* top = new QWidget(this);
  auto* leave = theme::push_button("left", tr("Back to the list"), tr("Back to the results list (Escape)."), top);
  theme::make_flat(*leave);
  title_ = new theme::Label({}, theme::TextSize::title, theme::Tone::plain, top);
  title_->setAccessibleName(tr("Comparison title"));
  title_->setWordWrap(true);
  metric_ = new QComboBox(top);
  metric_->setAccessibleName(tr("Figure to compare by"));
  metric_->setToolTip(tr("The figure of each run that the statement compares."));
  for (const figures::Metric& one : figures::metrics())
    metric_->addItem(qt(one.said.empty() ? one.label : one.said), qt(one.name));
  metric_->setCurrentIndex(metric_->findData(QStringLiteral("p99")));
  metric_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  metric_->setMinimumContentsLength(kFigureLength);
  report_ = theme::push_button("external", tr("Report…"), tr("Writes a report of these runs, as PDF or HTML."), top,
                               tr("Report of the comparison"));
  more_ = theme::push_button("start", tr("More runs…"), {}, top, tr("More runs of each side"));
  verdict_ = new VerdictCard(top);
  tiles_ = new SideTiles(top);
  auto* row = theme::inner_row(kGrid);
  row->addWidget(leave);
  row->addWidget(title_, 1);
  row->addWidget(metric_);
  row->addWidget(report_);
  row->addWidget(more_);
  auto* column = theme::column_in(top, theme::kCardApart);
  column->addLayout(row);
  column->addWidget(verdict_);
  column->addWidget(tiles_);
  connect(leave, &QPushButton::clicked, this, &ComparisonView::back);
  connect(report_, &QPushButton::clicked, this, [this] {
    std::vector<int64_t> results;  // that is measured against comes first
    for (size_t side = 0; side < shown_->sides.size(); side++)
      for (size_t i = 0; i < shown_->runs->size(); i++)
        if (shown_->assignment[i] == side) results.push_back((*shown_->runs)[i].id);
    Q_EMIT report_wanted(results, name());
  });
  connect(more_, &QPushButton::clicked, this, &ComparisonView::want_more_runs);
  connect(metric_, &QComboBox::currentIndexChanged, this, &ComparisonView::show_all);
  return top;
}

QWidget* ComparisonView::build_left() {
  auto* left = new theme::Card(this);
  left_tabs_ = new QTabBar(left);
  left_tabs_->setAccessibleName(tr("Sides"));
  theme::make_tabs_flat(*left_tabs_);
  left_tabs_->setMinimumWidth(1);
  left_tabs_->setTabToolTip(left_tabs_->addTab(tr("What differs")), tr("What each side promises, and its settings."));
  left_tabs_->setTabToolTip(left_tabs_->addTab(tr("Runs")), tr("Which results are on which side."));
  facts_ = new SideFacts(left);
  auto* stack = new QStackedWidget(left);
  stack->addWidget(facts_);
  stack->addWidget(build_runs());
  left->setMinimumWidth(kRunsLeast);
  left->body()->setSpacing(theme::kSpace2);
  left->body()->addWidget(left_tabs_);
  left->body()->addWidget(stack, 1);
  connect(left_tabs_, &QTabBar::currentChanged, stack, &QStackedWidget::setCurrentIndex);
  return left;
}

QWidget* ComparisonView::build_runs() {
  auto* left = new QWidget(this);
  table_ = new TextTable(tr("Runs compared"), run_columns(tr("Figure")), left);
  put_ = new QComboBox(left);
  put_->setAccessibleName(tr("Side of the selected runs"));
  put_->setToolTip(tr("Assigns the selected runs to a side, or leaves them out."));
  auto* label = new QLabel(tr("Selected runs:"), left);
  label->setBuddy(put_);
  auto* column = theme::column_in(left, theme::kSpace2);
  column->addWidget(table_, 1);
  column->addWidget(label);  // above: beside it both would take the room of the pictures in a small window
  column->addWidget(put_);
  auto* measured = new QLabel(tr("Measured against:"), left);
  against_ = new QComboBox(left);
  against_->setAccessibleName(tr("Measured against"));
  against_->setToolTip(tr("The side that the others are measured against."));
  measured->setBuddy(against_);
  column->addWidget(measured);
  column->addWidget(against_);
  connect(put_, &QComboBox::activated, this, &ComparisonView::put_selected);
  connect(against_, &QComboBox::activated, this, &ComparisonView::measure_against);
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
  // Where there is nothing to compare yet, runs are to be put on sides.
  if (shown_->runs->empty()) left_tabs_->setCurrentIndex(comparison->sides.size() == 1 ? 1 : 0);
  shown_ = std::move(comparison);
  wanted_ = shown_->assignment;
  show_all();
}

// Two runs are on one side where their plans are the same, and only there.
bool ComparisonView::is_by_plan() const {
  std::set<size_t> plans, sides;
  std::set<std::pair<size_t, size_t>> both;
  for (size_t i = 0; i < shown_->runs->size(); i++) {
    const auto &side = shown_->assignment[i], &plan = shown_->by_plan[i];
    if (!side) continue;
    if (!plan) return false;
    plans.insert(*plan);
    sides.insert(*side);
    both.emplace(*plan, *side);
  }
  return !both.empty() && plans.size() == both.size() && sides.size() == both.size();
}

// The runs that are there stay as they are: what is made more is compared with them from the list.
void ComparisonView::want_more_runs() {
  if (auto file = compare::plan_of_sides(shown_->sides)) Q_EMIT more_runs_wanted(*file, kMoreRuns);
}

void ComparisonView::show_more() {
  const auto file = compare::plan_of_sides(shown_->sides);
  const bool by_plan = is_by_plan();
  report_->setEnabled(by_plan);
  report_->setToolTip(by_plan ? tr("Writes a report of these runs, as PDF or HTML.")
                              : tr("Not possible: a report has the repeats of a plan on one side."));
  more_->setEnabled(file.has_value());
  more_->setToolTip(
      file ? tr("Opens one plan of these sides on the Run page, %1 times, which are run by turns.").arg(kMoreRuns)
           : tr("Not possible: %1.").arg(qt(file.error().text)));
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

// It becomes the first; the others keep their order.
void ComparisonView::measure_against(int side) {
  const auto first = static_cast<size_t>(side);
  compare::Assignment wanted = wanted_;
  for (auto& of : wanted)
    if (of && *of <= first) of = *of == first ? 0 : *of + 1;
  if (wanted != wanted_) assign(wanted);
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
  if (shown_->runs->empty()) return title_->setText({});
  title_->setText(is_busy() && !late_->isActive() ? tr("%1, drawing…").arg(title()) : title());
}

// "RabbitMQ against Kafka"; empty: there are not two sides.
QString ComparisonView::name() const {
  const auto& sides = shown_->sides;
  if (sides.size() < 2) return {};
  if (sides.size() == 2) return tr("%1 against %2").arg(qt(sides[1].name), qt(sides[0].name));
  return tr("%1 sides against %2").arg(sides.size() - 1).arg(qt(sides[0].name));
}

// "RabbitMQ against Kafka, 6 runs".
QString ComparisonView::title() const {
  const auto& sides = shown_->sides;
  const auto out =
      static_cast<size_t>(std::ranges::count(shown_->assignment, false, &std::optional<size_t>::has_value));
  QString title = name();
  if (!title.isEmpty()) title += QStringLiteral(", ");
  title += qt(text::amount(shown_->runs->size() - out, "run"));
  if (sides.size() == 1) title += tr(" of one plan");
  return out > 0 ? tr("%1, %2 left out").arg(title, QString::number(out)) : title;
}

void ComparisonView::show_statement() {
  const auto& sides = shown_->sides;
  against_->clear();
  for (const compare::Side& side : sides) against_->addItem(qt(side.name));
  against_->setEnabled(sides.size() >= 2);
  show_title();
  verdict_->show_comparison(*shown_, chosen_metric(), left_out_texts());
  tiles_->show_sides(sides);
  facts_->show_sides(sides);
  show_more();
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
        {.cells = {side ? qt(shown_->sides[*side].name) : QStringLiteral("-"), tr("#%1").arg(run.id), qt(run.plan.name),
                   qt(figure.cell(i)), qt(to_text(run.verdict))},
         .status = run.trust == record::Trust::doubtful ? std::optional(theme::Status::warning) : std::nullopt});
  }
  table_->set(run_columns(qt(figure.head(theme::utf8(tr("Figure"))))), std::move(rows));
}

void ComparisonView::show_side_choices() {
  const QSignalBlocker silent(put_);
  put_->clear();
  const auto& sides = shown_->sides;
  for (size_t side = 0; side < sides.size(); side++)
    put_->addItem(tr("with %1").arg(qt(sides[side].name)), static_cast<int>(side));
  if (sides.size() < compare::kMostSides) put_->addItem(tr("on a new side"), static_cast<int>(sides.size()));
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
