#include "ui/run/field_picker.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "app/plan/plan_fields.h"
#include "ui/run/field_names.h"
#include "ui/run/plan_binding.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kSearchRole = Qt::UserRole + 1;  // all that typing is looked for in; empty: the head of a group
constexpr int kHelpRole = Qt::UserRole + 2;
constexpr int kNameWidth = 180;
constexpr int kListWidth = 640;
constexpr int kMostVisible = 14;

// The name, and what the field does in a fainter colour beside it; heads of groups are small.
class FieldDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return {QStyledItemDelegate::sizeHint(option, index).width(), theme::kDenseHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool head = index.data(kSearchRole).toString().isEmpty();
    const QRect line = option.rect.adjusted(theme::kSpace2, 0, -theme::kSpace2, 0);
    painter->save();
    if (!head && option.state.testFlag(QStyle::State_Selected))
      painter->fillRect(option.rect, theme::surface(theme::Surface::selected));
    painter->setFont(theme::text_font(head ? theme::TextSize::caption : theme::TextSize::body));
    painter->setPen(head ? theme::muted_text() : option.palette.color(QPalette::Text));
    const QString name = index.data(Qt::DisplayRole).toString();
    const int name_width = head ? line.width() : std::max(kNameWidth, painter->fontMetrics().horizontalAdvance(name));
    painter->drawText(line.adjusted(0, 0, name_width - line.width(), 0), Qt::AlignVCenter, name);
    const QRect rest = line.adjusted(name_width + theme::kSpace3, 0, 0, 0);
    if (!head && rest.width() > 0) {
      painter->setPen(theme::muted_text());
      painter->drawText(
          rest, Qt::AlignVCenter,
          painter->fontMetrics().elidedText(index.data(kHelpRole).toString(), Qt::ElideRight, rest.width()));
    }
    painter->restore();
  }
};

// Of several fields the last one, which is being typed.
class FieldCompleter : public QCompleter {
 public:
  using QCompleter::QCompleter;

  QStringList splitPath(const QString& path) const override { return {path.mid(path.lastIndexOf(',') + 1).trimmed()}; }
  QString pathFromIndex(const QModelIndex& index) const override {
    const QString typed = completionPrefix();  // not the text, which is what was highlighted before
    const qsizetype comma = typed.lastIndexOf(',');
    return (comma < 0 ? QString() : typed.left(comma + 1) + ' ') + index.data(Qt::DisplayRole).toString();
  }
};

void dress(QAbstractItemView& view) {
  view.setItemDelegate(new FieldDelegate(&view));
  view.setMinimumWidth(kListWidth);
}

// Parts behind the field that they are of.
std::vector<const plan::PlanField*> fields_in_order() {
  std::vector<const plan::PlanField*> fields;
  const auto all = plan::settable_fields();
  const auto parts = all.subspan(plan::plan_fields().size());
  for (const plan::PlanField& field : plan::plan_fields()) {
    fields.push_back(&field);
    const std::string prefix = std::string(field.key) + ".";
    for (const plan::PlanField& part : parts)
      if (part.key.starts_with(prefix)) fields.push_back(&part);
  }
  return fields;
}

}  // namespace

FieldPicker::FieldPicker(const QString& name, QWidget* parent) : QComboBox(parent), edit_(new PlanLineEdit(this)) {
  setEditable(true);
  setLineEdit(edit_);
  setInsertPolicy(QComboBox::NoInsert);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(20);
  setMaxVisibleItems(kMostVisible);
  setAccessibleName(name);
  edit_->setAccessibleName(tr("%1 text").arg(name));
  fill();
  connect(edit_, &QLineEdit::textEdited, this, &FieldPicker::picked);
  connect(this, &QComboBox::textActivated, this, &FieldPicker::picked);
}

void FieldPicker::fill() {
  auto* fields = new QStandardItemModel(this);
  QString group;
  for (const plan::PlanField* field : fields_in_order()) {
    if (field->key == "name") continue;
    const std::string key(field->key);
    if (const QString its = field_group(key); its != group) {
      group = its;
      auto* head = new QStandardItem(group);
      head->setFlags(Qt::NoItemFlags);
      fields->appendRow(head);
    }
    auto* item = new QStandardItem(field_name(key));
    const QString help = help_of(key);
    item->setData(theme::qt(key), Qt::UserRole);
    item->setData(QStringList{item->text(), theme::qt(key), help}.join(' '), kSearchRole);
    item->setData(help, kHelpRole);
    item->setToolTip(help + '\n' + tr("Takes %1").arg(theme::qt(field->form)));
    fields->appendRow(item);
  }
  setView(new QListView(this));
  setModel(fields);
  dress(*view());
  search(*fields);
  setCurrentIndex(-1);
}

void FieldPicker::search(QStandardItemModel& fields) {
  auto* completer = new FieldCompleter(&fields, this);
  completer->setCompletionRole(kSearchRole);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setMaxVisibleItems(kMostVisible);
  dress(*completer->popup());
  setCompleter(completer);
  connect(completer, qOverload<const QModelIndex&>(&QCompleter::activated), this, &FieldPicker::picked,
          Qt::QueuedConnection);  // the text comes first
}

void FieldPicker::offer_first(const QString& keys) {
  auto* fields = qobject_cast<QStandardItemModel*>(model());
  auto* item = new QStandardItem(names_of_keys(keys));
  item->setData(keys, Qt::UserRole);
  item->setData(item->text() + ' ' + keys, kSearchRole);
  item->setData(tr("Each value is given to all of them."), kHelpRole);
  fields->insertRow(0, item);
  setCurrentIndex(-1);
}

void FieldPicker::show_keys(const QString& keys) {
  if (keys_of_names(edit_->text()) != keys) edit_->setText(names_of_keys(keys));
}

QString FieldPicker::keys() const {
  return keys_of_names(edit_->text());
}

}  // namespace n2nq::ui

#include "moc_field_picker.cpp"
