#include "ui/services/filter_list.h"

#include <QCheckBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>

#include "ui/services/filter_rules.h"
#include "ui/theme/buttons.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/table_view.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;

class FieldDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
    auto* edit = new QLineEdit(parent);
    edit->setFrame(false);
    edit->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    edit->setToolTip(index.model()->headerData(index.column(), Qt::Horizontal, Qt::ToolTipRole).toString());
    static constexpr const char* kSuch[] = {"1-5,9", "1-5,9", "10B..1KiB", "1..100"};
    edit->setPlaceholderText(kSuch[index.column()]);
    return edit;
  }
};

}  // namespace

FilterList::FilterList(FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      rules_(new FilterRules(draft, this)),
      table_(new theme::TableView(QStringLiteral("Filter rules"), this)),
      wrong_(new theme::Label({}, theme::TextSize::body, theme::Tone::bad, this)) {
  build_table();
  wrong_->setWordWrap(true);
  wrong_->setAccessibleName(QStringLiteral("What is wrong"));
  wrong_->hide();
  auto* column = theme::column_in(this, theme::kSpace2, {0, theme::kSpace2, 0, theme::kSpace2});
  column->addWidget(build_actions());
  column->addWidget(table_, 1);
  column->addWidget(wrong_);
  connect(rules_, &FilterRules::wrong_changed, this, &FilterList::say_wrong);
  connect(rules_, &FilterRules::modelReset, this, &FilterList::show_removable);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &FilterList::show_removable);
  show_removable();
  setFocusProxy(table_);
  take_theme();
}

void FilterList::build_table() {
  table_->setModel(rules_);
  table_->setItemDelegate(new FieldDelegate(table_));
  table_->setAccessibleDescription(
      QStringLiteral("One row for all receivers with the same filter; Enter edits a field."));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked |
                          QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  table_->setSelectionBehavior(QAbstractItemView::SelectItems);
  table_->setAlternatingRowColors(false);
  table_->setShowGrid(true);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerItem);
  table_->setFrameShape(QFrame::NoFrame);
  // As in a spreadsheet: Enter edits a field, Delete empties it, and what is copied is the field.
  table_->on_key({Qt::Key_Return}, [this] {
    if (table_->currentIndex().isValid()) table_->edit(table_->currentIndex());
  });
  table_->on_key({Qt::Key_Delete}, [this] {
    if (table_->currentIndex().column() != FilterRules::receivers)
      table_->model()->setData(table_->currentIndex(), QString());
  });
  table_->on_key(QKeySequence::keyBindings(QKeySequence::Copy), nullptr);
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Interactive);
  header->setSectionResizeMode(FilterRules::senders, QHeaderView::Stretch);
  header->moveSection(FilterRules::rate, FilterRules::size);
  header->setSectionHidden(FilterRules::rate, true);
}

QWidget* FilterList::build_actions() {
  auto* bar = new QWidget(this);
  auto* row = new theme::FlowLayout(bar);
  add_ = theme::push_button("add", "Add rule", "Adds a separate filter for some of the receivers.", bar);
  remove_ = theme::push_button("remove", "Remove rule", {}, bar);
  auto* each = new QCheckBox(QStringLiteral("One row per receiver"), bar);
  each->setToolTip(QStringLiteral("Shows each receiver in its own row, even if several have the same filter."));
  auto* pin = theme::push_button("pin", "Pin one-to-one",
                                 "Receiver 1 gets only sender 1, receiver 2 only sender 2, and so on.", bar);
  connect(pin, &QPushButton::clicked, this,
          [this] { draft_.edit_freely([](plan::FilterMatrix& matrix) { matrix.pin_one_to_one(); }); });
  for (QPushButton* button : {add_, remove_, pin}) row->addWidget(button);
  each->setMinimumHeight(theme::kDenseHeight);
  row->addWidget(each);
  connect(add_, &QPushButton::clicked, this, &FilterList::add_rule);
  connect(remove_, &QPushButton::clicked, this, &FilterList::remove_rule);
  connect(each, &QCheckBox::toggled, this, [this](bool on) {
    rules_->set_one_row_each(on);
    add_->setEnabled(!on);
  });
  return bar;
}

void FilterList::take_theme() {
  const QFontMetrics metrics(table_->font());
  table_->verticalHeader()->setDefaultSectionSize(qMax(metrics.height() + kGrid, theme::kDenseHeight));
  const auto width = [&](const char* text) { return metrics.horizontalAdvance(text) + 3 * kGrid; };
  table_->horizontalHeader()->setMinimumSectionSize(width("From senders"));
  table_->setColumnWidth(FilterRules::receivers, width("1-100,200"));
  table_->setColumnWidth(FilterRules::rate, width("Rate now [/s]"));
  table_->setColumnWidth(FilterRules::size, width("1000KiB..1000MiB"));
  table_->setColumnWidth(FilterRules::index_range, width("Message numbers"));
}

void FilterList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) take_theme();
}

void FilterList::set_received(const ToldRates& received) {
  rules_->set_received(received);
  table_->setColumnHidden(FilterRules::rate, received.empty());
}

void FilterList::add_rule() {
  const int row = rules_->split(table_->currentIndex().row());
  if (row < 0) {
    wrong_->setText(QStringLiteral("Every receiver already has its own rule."));
    wrong_->show();
    return;
  }
  const QModelIndex field = rules_->index(row, FilterRules::receivers);
  table_->setCurrentIndex(field);
  table_->edit(field);
}

void FilterList::remove_rule() {
  rules_->remove(table_->currentIndex().row());
}

void FilterList::show_removable() {
  const int row = table_->currentIndex().row();
  const bool can = rules_->can_remove(row);
  remove_->setEnabled(can);
  remove_->setToolTip(can       ? QStringLiteral("Removes the selected rule; its receivers get everything again.")
                      : row < 0 ? QStringLiteral("Select a rule to remove it.")
                                : QStringLiteral("Nothing to remove: the receivers of this rule get everything."));
}

void FilterList::say_wrong() {
  show_removable();
  const QString text = rules_->first_wrong();
  wrong_->setText(text);
  wrong_->setVisible(!text.isEmpty());
}

}  // namespace n2nq::ui

#include "moc_filter_list.cpp"
