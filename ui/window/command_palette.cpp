#include "ui/window/command_palette.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/label.h"
#include "ui/theme/shapes.h"
#include "ui/theme/spoken.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"
#include "ui/theme/veil.h"
#include "ui/window/command_model.h"

namespace n2nq::ui {
namespace {

constexpr const char* kRecentKey = "palette/recent";
constexpr int kMostRecent = 8;
constexpr int kRowsInSight = 9;
constexpr int kCommandIcon = 16;

// What is left of the room, at its right, after the text was drawn there.
int draw_at_right(QPainter& painter, const QRect& room, const QString& text) {
  if (text.isEmpty()) return room.right();
  const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * theme::kSpace2;
  const QRect box(room.right() - width, room.center().y() - painter.fontMetrics().height() / 2 - 2, width,
                  painter.fontMetrics().height() + 4);
  theme::draw_round(painter, box, theme::kSpace1, Qt::transparent, theme::surface(theme::Surface::line));
  painter.setPen(theme::muted_text());
  painter.drawText(box, Qt::AlignCenter, text);
  return box.left() - theme::kSpace2;
}

// A row: icon, name, where it is, and its keys at the right.
class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect area = option.rect.adjusted(0, 1, 0, -1);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected || option.state.testFlag(QStyle::State_MouseOver))
      theme::draw_round(*painter, area, theme::kSmallRadius,
                        theme::surface(selected ? theme::Surface::selected : theme::Surface::hover), Qt::transparent);
    const QString why = index.data(CommandModel::why_not_role).toString();
    const QRect icon(area.left() + theme::kSpace2, area.center().y() - kCommandIcon / 2, kCommandIcon, kCommandIcon);
    qvariant_cast<QIcon>(index.data(Qt::DecorationRole))
        .paint(painter, icon, Qt::AlignCenter, why.isEmpty() ? QIcon::Normal : QIcon::Disabled);
    painter->setFont(theme::text_font(theme::TextSize::caption));
    const QRect room = area.adjusted(kCommandIcon + 2 * theme::kSpace2, 0, -theme::kSpace2, 0);
    const int right = draw_at_right(*painter, room, index.data(CommandModel::keys_role).toString());
    painter->setFont(theme::text_font());
    painter->setPen(why.isEmpty() ? option.palette.color(QPalette::Text) : theme::muted_text());
    const QString text =
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, right - room.left());
    const int end = room.left() + painter->fontMetrics().horizontalAdvance(text) + theme::kSpace3;
    painter->drawText(QRect(room.left(), room.top(), right - room.left(), room.height()), Qt::AlignVCenter, text);
    painter->setFont(theme::text_font(theme::TextSize::caption));
    painter->setPen(theme::muted_text());
    const QString beside = why.isEmpty() ? index.data(CommandModel::where_role).toString() : why;
    if (right > end)
      painter->drawText(QRect(end, room.top(), right - end, room.height()), Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(beside, Qt::ElideRight, right - end));
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {0, theme::kControlHeight}; }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* parent, QSettings& settings)
    : theme::Card(parent),
      settings_(settings),
      model_(new CommandModel(this)),
      edit_(new QLineEdit(this)),
      list_(new QListView(this)),
      hint_(new theme::Label({}, theme::TextSize::caption, theme::Tone::muted, this)) {
  edit_->setAccessibleName(tr("Command"));
  edit_->setToolTip(tr("Finds actions, pages, results and campaigns by any part of their names."));
  edit_->setPlaceholderText(tr("Find an action, a page, a result or a campaign"));
  theme::add_clear_button(*edit_, tr("Clear the command"));
  edit_->installEventFilter(this);
  list_->setAccessibleName(tr("Commands"));
  list_->setModel(model_);
  list_->setItemDelegate(new CommandDelegate(list_));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFixedHeight(kRowsInSight * theme::kControlHeight);
  list_->installEventFilter(this);
  hint_->setAccessibleName(tr("Command hint"));
  body()->setSpacing(theme::kSpace2);
  body()->addWidget(edit_);
  body()->addWidget(list_);
  body()->addWidget(hint_);
  connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::find);
  connect(list_, &QListView::clicked, this, &CommandPalette::do_current);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::show_current);
}

void CommandPalette::open(QWidget& window, PageBar& pages, QSettings& settings, const Source& saved) {
  auto& veil = theme::Veil::over(window, theme::Veil::Place::top);
  if (veil.isVisible()) return;
  auto actions = window_commands(window, pages);
  auto* palette = new CommandPalette(&veil, settings);
  palette->model_->set_commands(std::move(actions), saved ? saved() : std::vector<Command>{},
                                settings.value(kRecentKey).toStringList());
  palette->find();
  connect(&veil, &theme::Veil::clicked_beside, palette, &CommandPalette::finish);
  veil.hold(palette, kWidest, palette->edit_);
}

void CommandPalette::finish() {
  hide();
  deleteLater();
}

void CommandPalette::find() {
  model_->find(edit_->text());
  list_->setCurrentIndex(model_->index(0, 0));
  list_->scrollToTop();
  show_current();
}

void CommandPalette::move(int rows) {
  const int count = model_->rowCount();
  if (count == 0) return;
  const int row = list_->currentIndex().row() + rows;
  const bool one = rows == 1 || rows == -1;
  list_->setCurrentIndex(model_->index(one ? (row + count) % count : std::clamp(row, 0, count - 1), 0));
}

// The field has the focus, so what is current in the list is said by the field.
void CommandPalette::show_current() {
  const QModelIndex current = list_->currentIndex();
  if (!current.isValid()) {
    hint_->setText(tr("No command, setting or result has this name."));
    edit_->setAccessibleDescription(hint_->text());
    return;
  }
  const Command& command = model_->at(current.row());
  hint_->setText(command.why_not.isEmpty() ? tr("Up and Down select, Enter does it, Escape closes.")
                                           : tr("Not now: %1").arg(command.why_not.section(u'\n', 0, 0)));
  edit_->setAccessibleDescription(current.data(Qt::AccessibleTextRole).toString());
  QAccessibleEvent changed(edit_, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

void CommandPalette::do_current() {
  const QModelIndex current = list_->currentIndex();
  if (!current.isValid() || !model_->at(current.row()).why_not.isEmpty()) return;
  const Command command = model_->at(current.row());
  remember(command.id);
  finish();  // the focus goes back first
  command.run();
}

void CommandPalette::remember(const QString& id) {
  QStringList recent = settings_.value(kRecentKey).toStringList();
  recent.removeAll(id);
  recent.prepend(id);
  settings_.setValue(kRecentKey, QStringList(recent.mid(0, kMostRecent)));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return theme::Card::eventFilter(watched, event);
  const auto& key = static_cast<QKeyEvent&>(*event);
  switch (key.key()) {
    case Qt::Key_Up:
      move(-1);
      return true;
    case Qt::Key_Down:
      move(1);
      return true;
    case Qt::Key_PageUp:
      move(-kRowsInSight);
      return true;
    case Qt::Key_PageDown:
      move(kRowsInSight);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      do_current();
      return true;
    case Qt::Key_Escape:
      finish();
      return true;
    default:
      return theme::Card::eventFilter(watched, event);
  }
}

}  // namespace n2nq::ui

#include "moc_command_palette.cpp"
