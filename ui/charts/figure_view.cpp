#include "ui/charts/figure_view.h"

#include <QClipboard>
#include <QEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMetaMethod>
#include <QShortcut>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "app/figures/figure_notes.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_menu.h"
#include "ui/charts/figure_table_model.h"
#include "ui/charts/notes_line.h"
#include "ui/theme/buttons.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/label.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr int kColumnDigits = 20;
constexpr int kSaidForMs = 8000;
constexpr double kNsPerSecond = 1e9;

}  // namespace

FigureView::FigureView(QWidget* parent)
    : QWidget(parent),
      canvas_(new ChartCanvas(this)),
      table_(new QTableView(this)),
      model_(new FigureTableModel(this)),
      empty_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)),
      notes_(new NotesLine(this)),
      said_(new theme::Label({}, theme::TextSize::caption, theme::Tone::muted, this)),
      tools_(new QHBoxLayout),
      pages_(new QStackedLayout),
      until_silent_(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::kSpace1);
  column->addLayout(tools_);
  column->addLayout(pages_, 1);
  column->addWidget(notes_);
  column->addWidget(said_);
  add_tools();
  add_pages();
  connect(canvas_, &ChartCanvas::zoom_changed, this, [this] {
    update_page();
    Q_EMIT range_changed();
  });
  connect(canvas_, &ChartCanvas::menu_wanted, this, [this](const QPoint& at) { menu_->popup(at); });
  connect(canvas_, &ChartCanvas::moment_chosen, this,
          [this](double x) { Q_EMIT moment_clicked(figure_, x / kNsPerSecond); });
  until_silent_->setSingleShot(true);
  connect(until_silent_, &QTimer::timeout, said_, &QWidget::hide);
  said_->setWordWrap(true);
  said_->setTextFormat(Qt::PlainText);
  said_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  for (theme::Label* label : {&notes_->label(), said_}) label->setContentsMargins(theme::kSpace2, 0, theme::kSpace2, 0);
  said_->hide();
  notes_->hide();
  follow_theme();
  update_page();
}

QToolButton* FigureView::add_tool(const char* icon, const QString& name, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(theme::icon(icon));
  theme::make_flat(*button);
  button->setAccessibleName(name);
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::TabFocus);
  tools_->addWidget(button);
  return button;
}

// What is needed often is in the row; all else, and the same again, in the menu.
void FigureView::add_tools() {
  tools_->setSpacing(theme::kSpace1);
  tools_->addStretch(1);
  zoom_reset_ = add_tool("zoom-reset", "Show all", "Show everything (Home or double-click)");
  connect(zoom_reset_, &QToolButton::clicked, this, [this] {
    if (shows_other_) return Q_EMIT all_wanted();
    canvas_->zoom_reset();
  });
  as_table_ = add_tool("table", "Table", "Show the figure as a table");
  connect(as_table_, &QToolButton::clicked, this, [this] { set_shows_table(!shows_table_); });
  more_ = add_tool("more", "Chart menu", "Copy or save the figure; its series, scale and zoom");
  menu_ = new FigureMenu(this);
  more_->setMenu(menu_);
  more_->setPopupMode(QToolButton::InstantPopup);
  auto* copy = new QShortcut(QKeySequence::Copy, canvas_);
  copy->setContext(Qt::WidgetShortcut);
  connect(copy, &QShortcut::activated, this, [this] {
    if (!figure_.empty()) copy_picture();
  });
}

void FigureView::add_pages() {
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(theme::kSpace4);
  empty_->setAutoFillBackground(true);
  empty_->setBackgroundRole(QPalette::Base);
  table_->setModel(model_);
  table_->setAlternatingRowColors(true);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(theme::figure_font()).height() + theme::kGrid / 2);
  table_->horizontalHeader()->setDefaultSectionSize(
      QFontMetrics(theme::figure_font()).horizontalAdvance(QString(kColumnDigits, '0')));
  table_->horizontalHeader()->setHighlightSections(false);
  connect(model_, &QAbstractItemModel::modelReset, this, &FigureView::fit_columns);
  auto* copy = new QShortcut(QKeySequence::Copy, table_);
  copy->setContext(Qt::WidgetShortcut);
  connect(copy, &QShortcut::activated, this, &FigureView::copy_table);
  pages_->addWidget(canvas_);
  pages_->addWidget(table_);
  pages_->addWidget(empty_);
}

// To their headers; to their contents would mean to look at every row, ten times a second.
void FigureView::fit_columns() {
  QHeaderView* header = table_->horizontalHeader();
  for (int column = 0; column < header->count(); ++column) {
    header->resizeSection(column, std::max(header->sectionSizeHint(column), header->defaultSectionSize()));
  }
}

QString FigureView::named(const QString& name) const {
  return which_.isEmpty() ? name : name + ", " + which_;
}

void FigureView::tell_apart(const QString& which) {
  for (QWidget* widget : findChildren<QWidget*>())
    if (!widget->accessibleName().isEmpty()) widget->setAccessibleName(widget->accessibleName() + ", " + which);
  which_ = which;
}

void FigureView::name_figure() {
  const QString title = named(theme::qt(figure_.title));
  if (accessibleName() == title) return;
  setAccessibleName(title);
  canvas_->setAccessibleName(title);
  table_->setAccessibleName(named(theme::qt(figure_.title) + ", table"));
}

void FigureView::set_leading(QWidget* widget) {
  tools_->insertWidget(0, widget);
}

void FigureView::set_trailing(QWidget* widget) {
  tools_->insertWidget(tools_->indexOf(as_table_), widget);
}

void FigureView::set_below_tools(QWidget* widget) {
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, widget);
}

void FigureView::show_instead(QWidget* widget, const QString& empty_text, const QString& notes, bool is_zoomed) {
  shows_other_ = true;
  setAccessibleName(widget->accessibleName());
  if (pages_->indexOf(widget) < 0) pages_->addWidget(widget);
  empty_->setText(empty_text);
  pages_->setCurrentWidget(empty_text.isEmpty() ? widget : empty_);
  notes_of_other_ = notes;
  show_line();
  notes_->setVisible(!notes.isEmpty());
  zoom_reset_->setEnabled(is_zoomed);
  zoom_reset_->setVisible(is_zoomed);
  for (QToolButton* tool : {as_table_, more_}) tool->hide();
}

void FigureView::say_instead_of_notes(const QString& text) {
  said_of_other_ = text;
  if (shows_other_) show_line();
}

// The rest of it on demand: several figures have many notes.
void FigureView::show_line() {
  const QString& text = said_of_other_.isEmpty() ? notes_of_other_ : said_of_other_;
  const QFontMetrics metrics(theme::text_font(theme::TextSize::caption));
  notes_->label().set_tone(said_of_other_.isEmpty() ? theme::Tone::muted : theme::Tone::plain);
  notes_->setToolTip(text);
  notes_->show_notes(metrics.elidedText(text, Qt::ElideRight, width() - 2 * theme::kSpace2));
}

void FigureView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (shows_other_) show_line();
}

int FigureView::tools_width() const {
  int width = 0;
  for (int i = tools_->indexOf(zoom_reset_); i < tools_->count(); ++i)
    if (const QWidget* tool = tools_->itemAt(i)->widget(); tool && (tool == zoom_reset_ || !tool->isHidden()))
      width += std::max(tool->sizeHint().width(), tool->minimumWidth()) + tools_->spacing();
  return width;
}

QMenu* FigureView::menu() const {
  return menu_;
}

void FigureView::show(const figures::Figure& figure) {
  shows_other_ = false;
  as_table_->show();
  more_->show();
  figure_ = figure;
  name_figure();
  empty_->setText(theme::qt(figure.empty_text));
  const QString notes = theme::qt(figures::notes_text(figure));
  said_of_other_.clear();
  notes_->label().set_tone(theme::Tone::muted);
  notes_->show_notes(notes);
  notes_->setToolTip({});
  notes_->setVisible(!notes.isEmpty());
  if (!shows_table() || figure.id != canvas_->chart().figure().id) canvas_->draw(figure);
  update_page();
}

// The table is filled only while it is looked at; so is the chart painted.
void FigureView::update_page() {
  if (shows_other_) return;
  if (shows_table()) update_table();
  if (figure_.empty() && !canvas_->is_zoomed()) {
    pages_->setCurrentWidget(empty_);
  } else if (shows_table()) {
    pages_->setCurrentWidget(table_);
  } else {
    pages_->setCurrentWidget(canvas_);
  }
  update_tools();
}

void FigureView::update_table() {
  model_->set_figure(figure_);
}

void FigureView::update_tools() {
  const bool chart = shows_chart();
  zoom_reset_->setEnabled(chart && canvas_->is_zoomed());
  zoom_reset_->setVisible(zoom_reset_->isEnabled());
}

bool FigureView::shows_chart() const {
  return !shows_table_ && pages_->currentWidget() == canvas_;
}

void FigureView::set_scale(ScaleChoice choice) {
  canvas_->chart().set_scale(choice);
  update_tools();
}

std::optional<Span> FigureView::time_range() const {
  return figure_.x.quantity == figures::Quantity::time_ns ? canvas_->chart().x_zoom() : std::nullopt;
}

void FigureView::show_time(const std::optional<Span>& range) {
  canvas_->show_time(range);
  update_page();
}

void FigureView::reset_zoom() {
  canvas_->zoom_reset();
}

void FigureView::highlight(const QStringList& series_or_categories) {
  canvas_->chart().set_highlighted(series_or_categories);
}

void FigureView::set_live(bool live) {
  canvas_->set_live(live);
}

bool FigureView::shows_table() const {
  return shows_table_;
}

// One button that says what it would show.
void FigureView::set_shows_table(bool table) {
  if (table == shows_table_) return;
  shows_table_ = table;
  as_table_->setIcon(theme::icon(table ? "chart" : "table"));
  as_table_->setAccessibleName(named(table ? "Chart" : "Table"));
  as_table_->setToolTip(table ? "Show the figure as a chart" : "Show the figure as a table");
  if (!table) canvas_->draw(figure_);
  update_page();
}

bool FigureView::can_click_highest() const {
  return canvas_->has_time() && figure_.y.quantity == figures::Quantity::duration_ns && !figure_.empty() &&
         isSignalConnected(QMetaMethod::fromSignal(&FigureView::moment_clicked));
}

void FigureView::click_highest() {
  if (shows_table()) {  // the chart says what is in sight, even one that was never shown
    if (canvas_->chart().size().isEmpty()) canvas_->chart().resize(canvas_->size());
    canvas_->draw(figure_);
  }
  if (const auto hit = canvas_->chart().highest(true)) Q_EMIT moment_clicked(figure_, hit->x / kNsPerSecond);
}

void FigureView::connectNotify(const QMetaMethod& signal) {
  if (signal == QMetaMethod::fromSignal(&FigureView::moment_clicked)) canvas_->answer_clicks();
}

// As it is looked at.
Picture FigureView::picture() const {
  const FigureChart& chart = canvas_->chart();
  QStringList hidden;
  for (size_t i = 0; i < chart.figure().series.size(); ++i)
    if (chart.is_hidden(i)) hidden.append(theme::qt(chart.figure().series[i].name));
  return {.x = chart.x_zoom(),
          .y = chart.y_zoom(),
          .dark = as_on_screen_ && theme::is_dark(),
          .scale = chart.scale(),
          .hidden = hidden};
}

int64_t FigureView::paints() const {
  return canvas_->paints();
}

void FigureView::copy_picture() {
  QGuiApplication::clipboard()->setImage(figure_image(figure_, picture()));
  say("Picture copied", false);
}

void FigureView::copy_table() {
  update_table();
  const auto cells = shows_table() ? table_->selectionModel()->selectedIndexes() : QModelIndexList();
  QGuiApplication::clipboard()->setText(model_->tsv(cells));
  say("Table copied", false);
}

bool FigureView::save(const QString& path) {
  const auto saved = export_figure(figure_, path, picture());
  say(saved ? "Saved " + path : "Not saved: " + theme::qt(saved.error().text), !saved);
  return saved.has_value();
}

void FigureView::choose_file(const QString& suffix) {
  delete dialog_;
  dialog_ = theme::file_dialog(this, "Save chart", QString(), QString("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  dialog_->setAcceptMode(QFileDialog::AcceptSave);
  dialog_->setDefaultSuffix(suffix);
  dialog_->selectFile(theme::qt(figure_.id) + "." + suffix);
  connect(dialog_, &QFileDialog::fileSelected, this, [this](const QString& path) { save(path); });
  dialog_->open();
}

void FigureView::say_nothing() {
  until_silent_->stop();
  said_->hide();
}

void FigureView::say(const QString& text, bool is_error) {
  said_->set_tone(is_error ? theme::Tone::bad : theme::Tone::muted);
  said_->setText(text);
  said_->show();
  if (is_error) {
    until_silent_->stop();
  } else {
    until_silent_->start(kSaidForMs);
  }
}

void FigureView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) follow_theme();
}

void FigureView::follow_theme() {
  canvas_->follow_theme();
}

}  // namespace n2nq::ui::charts

#include "moc_figure_view.cpp"
