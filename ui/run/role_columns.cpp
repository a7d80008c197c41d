#include "ui/run/role_columns.h"

#include <QApplication>
#include <QPointer>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

#include "ui/run/role_header.h"
#include "ui/theme/buttons.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/layouts.h"
#include "ui/theme/share_splitter.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr std::array kRoles{Role::sender, Role::broker, Role::receiver};
constexpr int kLeastHeightWithCharts = 560;
constexpr int kLeastWidthWithFields = 340;  // of a role: two of them beside each other, each with its label
constexpr int kBeside = theme::kSpace3;     // of the page
constexpr const char* kColumnsKey = "run/columns";
constexpr const char* kLowerKey = "run/lower";

// Columns, the same as tabs, charts and filters, log. Filters need more height than charts.
struct Rows {
  const char* key;
  QList<int> usual;
};
Rows rows_of(bool with_filters) {
  return with_filters ? Rows{.key = "run/rows-with-filters", .usual = {400, 400, 480, 120}}
                      : Rows{.key = "run/rows", .usual = {460, 460, 340, 120}};
}

}  // namespace

RoleColumns::RoleColumns(const Parts& parts, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      parts_(parts),
      settings_(settings),
      rows_(new theme::ShareSplitter(Qt::Vertical, this)),
      columns_(new theme::ShareSplitter(Qt::Horizontal)),
      lower_(new theme::ShareSplitter(Qt::Horizontal)),
      tabbed_(new QWidget),
      tabs_(new QTabBar(tabbed_)),
      beside_tabs_(new QHBoxLayout),
      stack_(new QStackedWidget(tabbed_)) {
  for (theme::ShareSplitter* splitter : {rows_, columns_, lower_}) {
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(theme::kSpace2);
  }
  for (QWidget* role : roles()) {
    columns_->addWidget(role);
    role->installEventFilter(this);
  }
  rows_->addWidget(columns_);
  rows_->addWidget(tabbed_);
  rows_->addWidget(lower_);
  rows_->addWidget(parts.log);
  lower_->addWidget(parts.charts);
  parts.filters->setParent(this);  // hidden, as long as nobody wants them
  tabbed_->hide();
  theme::make_tabs_flat(*tabs_);
  tabs_->setAccessibleName(tr("Roles"));
  while (tabs_->count() < static_cast<int>(kRoles.size())) tabs_->addTab({});
  show_mode(plan::Mode::broadcaster);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    // Qt would give the keys to the first button of the page that comes, which starts something.
    if (stack_->isAncestorOf(window()->focusWidget())) tabs_->setFocus(Qt::OtherFocusReason);
    stack_->setCurrentIndex(index);
  });
  auto* tabbed = theme::column_in(tabbed_, theme::kSpace2);
  tabbed->addWidget(tabs_);
  tabbed->addLayout(beside_tabs_, 1);
  beside_tabs_->setSpacing(theme::kSpace2);
  beside_tabs_->addWidget(stack_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kBeside, 0, kBeside, kBeside);
  layout->setSizeConstraint(QLayout::SetNoConstraint);  // narrower than the columns it becomes tabs
  layout->addWidget(rows_);
  restore();
  // Not at once: the press that takes the keys away goes to what is still under the mouse.
  connect(qApp, &QApplication::focusChanged, this, [this] { fit(); }, Qt::QueuedConnection);
}

void RoleColumns::show_mode(plan::Mode mode) {
  const bool replies = mode == plan::Mode::request_reply;
  const QString tips[] = {
      replies ? tr("Settings of the requesters, and each requester.") : tr("Sending settings, and each sender."),
      tr("How messages are passed on, and the processes."),
      replies ? tr("Settings of the repliers, and each replier.") : tr("Receiving settings, and each receiver.")};
  for (size_t i = 0; i < kRoles.size(); i++) {
    tabs_->setTabText(static_cast<int>(i), tr(role_title(kRoles[i], mode)));
    tabs_->setTabToolTip(static_cast<int>(i), tips[i]);
  }
}

QSize RoleColumns::minimumSizeHint() const {
  QSize least = with_charts_ ? parts_.charts->minimumSizeHint() : QSize();
  for (const QWidget* role : roles()) least = least.expandedTo(role->minimumSizeHint());
  if (with_filters_) {
    const QSize filters = parts_.filters->minimumSizeHint();
    least = least.expandedTo({0, filters.height()}) + QSize(theme::kSpace2 + filters.width(), 0);
  }
  return least + QSize(2 * kBeside, tabs_->sizeHint().height() + theme::kSpace2 + kBeside);
}

void RoleColumns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit(std::exchange(window_size_, window()->size()) != window()->size());
}

bool RoleColumns::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) fit();
  return QWidget::eventFilter(watched, event);
}

QWidget* RoleColumns::with_keys() const {
  QWidget* focus = window()->focusWidget();
  return isAncestorOf(focus) ? focus : nullptr;
}

void RoleColumns::fit(bool resized) {
  const Form form = fitting(size());
  if (form == form_) return;
  const QPointer<QWidget> focus = with_keys();
  if (focus != nullptr && focus->testAttribute(Qt::WA_InputMethodEnabled) && !resized) return;
  // Qt would take the keys by Tab from a field that is hidden meanwhile, and that selects all in the field they reach.
  if (focus != nullptr) setFocus(Qt::OtherFocusReason);
  arrange(form);
  if (focus == nullptr) return;
  for (int i = 0; i < stack_->count(); i++)
    if (stack_->widget(i)->isAncestorOf(focus)) tabs_->setCurrentIndex(i);
  focus->setFocus(Qt::OtherFocusReason);
}

RoleColumns::Form RoleColumns::fitting(const QSize& size) const {
  if ((with_charts_ || with_filters_) && size.height() < kLeastHeightWithCharts) return Form::tabs;
  int width = 2 * columns_->handleWidth();
  for (const QWidget* role : roles())
    width += std::max(role->minimumSizeHint().width(), with_charts_ ? 0 : kLeastWidthWithFields);
  return width <= size.width() - 2 * kBeside ? Form::columns : Form::tabs_above_charts;
}

void RoleColumns::arrange(Form form) {
  if (form_ == Form::columns) save();
  form_ = form;
  const int current = tabs_->currentIndex();
  const bool as_columns = form == Form::columns;
  for (int i = 0; i < 3; i++) {
    if (as_columns) {
      columns_->insertWidget(i, roles()[static_cast<size_t>(i)]);
      roles()[static_cast<size_t>(i)]->show();
    } else {
      stack_->insertWidget(i, roles()[static_cast<size_t>(i)]);
    }
  }
  place_lower();
  columns_->setVisible(as_columns);
  tabbed_->setVisible(!as_columns);
  tabs_->setCurrentIndex(std::min(current, tabs_->count() - 1));
  stack_->setCurrentIndex(tabs_->currentIndex());
  if (as_columns) restore();
}

void RoleColumns::place_lower() {
  const bool low = form_ == Form::tabs;
  const bool as_tab = low && with_charts_;
  QWidget* const charts = parts_.charts;
  for (QWidget* folded : {charts, static_cast<QWidget*>(lower_)})
    theme::set_opened_by(*folded, as_tab ? nullptr : opener_);
  if (!as_tab && tabs_->count() > 3) tabs_->removeTab(3);
  if (as_tab && tabs_->count() == 3) {
    tabs_->setTabToolTip(tabs_->addTab(tr("Charts")), tr("The figures of the run."));
    stack_->insertWidget(3, charts);
  }
  if (!as_tab && charts->parentWidget() != lower_) lower_->insertWidget(0, charts);
  if (!as_tab) charts->setVisible(with_charts_);
  if (!with_filters_) parts_.filters->setParent(this);
  if (with_filters_ && low) beside_tabs_->addWidget(parts_.filters, 1);
  if (with_filters_ && !low && lower_->count() < 2) {
    lower_->addWidget(parts_.filters);
    lower_->share({1000, 1000});
    lower_->restore(settings_.value(kLowerKey).toByteArray());
  }
  parts_.filters->setVisible(with_filters_);
  lower_->setVisible(!low && (with_charts_ || with_filters_));
}

void RoleColumns::set_with(bool& what, bool with) {
  if (with == what) return;
  save();
  what = with;
  const bool columns = form_ == Form::columns;  // in the other forms sizes are not kept
  if (columns) restore();                       // before fit() saves it
  if (fitting(size()) == form_)
    place_lower();
  else
    fit(/*resized=*/true);
  if (columns && form_ == Form::columns) restore();
  updateGeometry();
}

void RoleColumns::set_with_charts(bool with) {
  set_with(with_charts_, with);
}

void RoleColumns::set_with_filters(bool with) {
  set_with(with_filters_, with);
}

void RoleColumns::set_charts_opened_by(QAbstractButton* opener) {
  opener_ = opener;
  place_lower();
}

void RoleColumns::show_column(int index) {
  tabs_->setCurrentIndex(index);
}

void RoleColumns::show_charts() {
  if (form_ == Form::tabs) tabs_->setCurrentIndex(3);
}

void RoleColumns::save() const {
  if (form_ != Form::columns) return;
  settings_.setValue(kColumnsKey, columns_->state());
  if (lower_->count() > 1) settings_.setValue(kLowerKey, lower_->state());
  settings_.setValue(rows_of(with_filters_).key, rows_->state());
}

void RoleColumns::restore() {
  columns_->share({1000, 1000, 1000});
  rows_->share(rows_of(with_filters_).usual);
  columns_->restore(settings_.value(kColumnsKey).toByteArray());
  rows_->restore(settings_.value(rows_of(with_filters_).key).toByteArray());
}

}  // namespace n2nq::ui

#include "moc_role_columns.cpp"
