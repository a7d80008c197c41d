#include "ui/charts/figure_view.h"

#include <QAction>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/figure_notes.h"
#include "ui/charts/figure_table_model.h"
#include "ui/charts/notes_line.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr int kColumnDigits = 20;
constexpr int kSaidForMs = 8000;

QLabel* small_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setContentsMargins(theme::kGrid, 0, theme::kGrid, 0);
  label->hide();
  return label;
}

}  // namespace

FigureView::FigureView(QWidget* parent)
    : QWidget(parent),
      canvas_(new ChartCanvas(this)),
      table_(new QTableView(this)),
      model_(new FigureTableModel(this)),
      empty_(new QLabel(this)),
      notes_(new NotesLine(this)),
      said_(small_label(this)),
      tools_(new QHBoxLayout),
      pages_(new QStackedLayout),
      until_silent_(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::kGrid / 2);
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
  connect(canvas_, &ChartCanvas::menu_wanted, this, [this](const QPoint& at) { export_->menu()->popup(at); });
  until_silent_->setSingleShot(true);
  connect(until_silent_, &QTimer::timeout, said_, &QLabel::hide);
  notes_->label().setContentsMargins(theme::kGrid, 0, theme::kGrid, 0);
  notes_->hide();
  follow_theme();
  update_page();
}

QToolButton* FigureView::add_tool(const char* icon, const QString& name, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setIcon(theme::icon(icon));
  button->setAutoRaise(true);
  button->setAccessibleName(name);
  button->setToolTip(tip);
  button->setFocusPolicy(Qt::TabFocus);
  tools_->addWidget(button);
  return button;
}

void FigureView::add_tools() {
  tools_->setSpacing(2);
  tools_->addStretch(1);
  as_chart_ = add_tool("chart", "Chart", "Show the figure as a chart");
  as_table_ = add_tool("table", "Table", "Show the figure as a table");
  auto* choice = new QButtonGroup(this);
  for (QToolButton* button : {as_chart_, as_table_}) {
    button->setCheckable(true);
    choice->addButton(button);
  }
  as_chart_->setChecked(true);
  connect(as_table_, &QToolButton::toggled, this, [this](bool table) {
    if (!table) canvas_->draw(figure_);
    update_page();
  });
  tools_->addSpacing(theme::kGrid);
  zoom_in_ = add_tool("zoom", "Zoom in", "Zoom in (+, mouse wheel, or drag over a range)");
  zoom_out_ = add_tool("zoom-out", "Zoom out", "Zoom out (-)");
  zoom_reset_ = add_tool("zoom-reset", "Show all", "Show everything (Home or double-click)");
  connect(zoom_in_, &QToolButton::clicked, canvas_, &ChartCanvas::zoom_in);
  connect(zoom_out_, &QToolButton::clicked, canvas_, &ChartCanvas::zoom_out);
  connect(zoom_reset_, &QToolButton::clicked, canvas_, &ChartCanvas::zoom_reset);
  tools_->addSpacing(theme::kGrid);
  export_ = add_tool("export", "Export chart", "Copy or save the figure as a picture or table");
  export_->setText("Export");
  export_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  export_->setMenu(make_export_menu());
  export_->setPopupMode(QToolButton::InstantPopup);
}

QMenu* FigureView::make_export_menu() {
  auto* menu = new QMenu(this);
  menu->setAccessibleName("Export chart");
  menu->addAction(theme::icon("copy"), "Copy picture", this, &FigureView::copy_picture);
  menu->addAction(theme::icon("table"), "Copy table", this, &FigureView::copy_table);
  menu->addSeparator();
  for (const char* kind : {"PNG", "SVG", "PDF", "CSV", "JSON"}) {
    const QString suffix = QString(kind).toLower();
    menu->addAction(QString("Save as %1…").arg(kind), this, [this, suffix] { choose_file(suffix); });
  }
  return menu;
}

void FigureView::add_pages() {
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(2 * theme::kGrid);
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
  canvas_->setAccessibleDescription("Chart; its values are available as a table");
  table_->setAccessibleName(named(theme::qt(figure_.title) + ", table"));
}

void FigureView::set_leading(QWidget* widget) {
  tools_->insertWidget(0, widget);
}

void FigureView::set_trailing(QWidget* widget) {
  tools_->addWidget(widget);
}

void FigureView::show(const figures::Figure& figure) {
  figure_ = figure;
  name_figure();
  empty_->setText(theme::qt(figure.empty_text));
  const QString notes = notes_text(figure);
  notes_->show_notes(notes);
  notes_->setVisible(!notes.isEmpty());
  if (!shows_table() || figure.id != canvas_->chart().figure().id) canvas_->draw(figure);
  update_page();
}

// The table is filled only while it is looked at; so is the chart painted.
void FigureView::update_page() {
  if (shows_table()) {
    update_table();
    pages_->setCurrentWidget(table_);
  } else if (figure_.empty() && !canvas_->is_zoomed()) {
    pages_->setCurrentWidget(empty_);
  } else {
    pages_->setCurrentWidget(canvas_);
  }
  update_tools();
}

void FigureView::update_table() {
  model_->set_figure(figure_);
}

void FigureView::update_tools() {
  const bool chart = !shows_table() && pages_->currentWidget() == canvas_;
  zoom_in_->setEnabled(chart);
  zoom_out_->setEnabled(chart && canvas_->is_zoomed());
  zoom_reset_->setEnabled(chart && canvas_->is_zoomed());
  export_->setEnabled(!figure_.empty());
}

std::optional<Span> FigureView::time_range() const {
  return figure_.x.quantity == figures::Quantity::time_ns ? canvas_->chart().x_zoom() : std::nullopt;
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
  return as_table_->isChecked();
}

void FigureView::set_shows_table(bool table) {
  (table ? as_table_ : as_chart_)->setChecked(true);
}

int64_t FigureView::paints() const {
  return canvas_->paints();
}

void FigureView::copy_picture() {
  const Picture picture{.x = canvas_->chart().x_zoom(), .y = canvas_->chart().y_zoom()};
  QGuiApplication::clipboard()->setImage(figure_image(figure_, picture));
  say("Picture copied", false);
}

void FigureView::copy_table() {
  update_table();
  const auto cells = shows_table() ? table_->selectionModel()->selectedIndexes() : QModelIndexList();
  QGuiApplication::clipboard()->setText(model_->tsv(cells));
  say("Table copied", false);
}

bool FigureView::save(const QString& path) {
  const Picture picture{.x = canvas_->chart().x_zoom(), .y = canvas_->chart().y_zoom()};
  const auto saved = export_figure(figure_, path, picture);
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

void FigureView::say(const QString& text, bool is_error) {
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, is_error ? theme::color(theme::Status::bad) : theme::muted_text());
  said_->setPalette(colors);
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
  QPalette colors = QGuiApplication::palette();
  colors.setColor(QPalette::WindowText, theme::muted_text());
  for (QLabel* label : {&notes_->label(), said_, empty_}) label->setPalette(colors);
  for (QLabel* label : {&notes_->label(), said_}) label->setFont(theme::text_font(theme::TextSize::small));
}

}  // namespace n2nq::ui::charts

#include "moc_figure_view.cpp"
