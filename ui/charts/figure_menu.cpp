#include "ui/charts/figure_menu.h"

#include <QActionGroup>
#include <array>
#include <utility>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/legend.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

constexpr std::array<std::pair<ScaleChoice, const char*>, 3> kScales{{{ScaleChoice::automatic, "Automatic"},
                                                                      {ScaleChoice::linear, "Linear"},
                                                                      {ScaleChoice::logarithmic, "Logarithmic"}}};

// With the key that does the same in the chart, which is not one of the whole window.
QString with_key(const char* text, const char* key) {
  return QString("%1\t%2").arg(text, key);
}

}  // namespace

void add_series(QMenu& menu, ChartCanvas& canvas) {
  const auto& series = canvas.chart().figure().series;
  int number = 0;
  for (const size_t i : named_series(canvas.chart().figure())) {
    QString text = legend_name(series[i]);
    text.replace('&', "&&");
    if (++number <= 9) text += QString("\t%1").arg(number);
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(!canvas.chart().is_hidden(i));
    QObject::connect(action, &QAction::triggered, &canvas, [&canvas, i] { canvas.toggle_series(i); });
  }
}

FigureMenu::FigureMenu(FigureView* view) : QMenu(view), view_(view) {
  setAccessibleName("Entries of the chart menu");
  add_files();
  addSeparator();
  add_sight();
  add_scale();
  connect(this, &QMenu::aboutToShow, this, &FigureMenu::update_actions);
}

void FigureMenu::add_files() {
  of_contents_ << addAction(theme::icon("copy"), "Copy picture", view_, &FigureView::copy_picture);
  of_contents_ << addAction(theme::icon("table"), "Copy table", view_, &FigureView::copy_table);
  addSeparator();
  for (const char* kind : {"PNG", "SVG", "PDF", "CSV", "JSON"}) {
    const QString suffix = QString(kind).toLower();
    of_contents_ << addAction(QString("Save as %1…").arg(kind), view_,
                              [view = view_, suffix] { view->choose_file(suffix); });
  }
  as_on_screen_ = addAction("Pictures as on screen");
  as_on_screen_->setToolTip("Pictures have the colours of the window; else they are dark on white.");
  as_on_screen_->setCheckable(true);
  connect(as_on_screen_, &QAction::toggled, view_, &FigureView::set_as_on_screen);
}

void FigureMenu::add_sight() {
  highest_ = addAction(theme::icon("clock"), "Find the slowest message here", view_, &FigureView::click_highest);
  highest_->setToolTip("Opens the log of the receiver that has the slowest message of the highest point in sight.");
  to_highest_ =
      addAction(with_key("Go to the highest point", "Ctrl+Up"), &view_->canvas(), &ChartCanvas::go_to_highest);
  to_highest_->setToolTip("Puts the crosshair on the highest point in sight, and the keyboard into the chart.");
  table_ = addAction("Show as table");
  table_->setCheckable(true);
  connect(table_, &QAction::triggered, view_, &FigureView::set_shows_table);
  ChartCanvas* canvas = &view_->canvas();
  zoom_in_ = addAction(theme::icon("zoom"), with_key("Zoom in", "+"), canvas, &ChartCanvas::zoom_in);
  zoom_out_ = addAction(theme::icon("zoom-out"), with_key("Zoom out", "-"), canvas, &ChartCanvas::zoom_out);
  show_all_ = addAction(theme::icon("zoom-reset"), with_key("Show all", "Home"), canvas, &ChartCanvas::zoom_reset);
  series_ = addMenu("Series");
}

void FigureMenu::add_scale() {
  scale_ = addMenu("Scale");
  scales_ = new QActionGroup(this);
  for (const auto& [choice, text] : kScales) {
    QAction* action = scale_->addAction(text);
    action->setCheckable(true);
    action->setData(static_cast<int>(choice));
    scales_->addAction(action);
    connect(action, &QAction::triggered, view_, [view = view_, chosen = choice] { view->set_scale(chosen); });
  }
}

void FigureMenu::update_actions() {
  const ChartCanvas& canvas = view_->canvas();
  const bool chart = view_->shows_chart();
  for (QAction* action : of_contents_) action->setEnabled(!view_->figure().empty());
  as_on_screen_->setChecked(view_->is_as_on_screen());
  highest_->setVisible(view_->can_click_highest());
  to_highest_->setEnabled(chart);
  table_->setChecked(view_->shows_table());
  zoom_in_->setEnabled(chart);
  zoom_out_->setEnabled(chart && canvas.is_zoomed());
  show_all_->setEnabled(chart && canvas.is_zoomed());
  series_->clear();
  add_series(*series_, view_->canvas());
  series_->setEnabled(chart && !series_->isEmpty());
  scale_->setEnabled(chart && can_be_logarithmic(view_->figure()));
  for (QAction* action : scales_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(canvas.chart().scale()));
}

}  // namespace n2nq::ui::charts

#include "moc_figure_menu.cpp"
