#include "tests/gui/layout/text_room.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionHeader>
#include <QStyleOptionToolButton>
#include <QTabBar>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <cmath>

namespace n2nq::test {
namespace {

constexpr int kBesideIcon = 4;      // between an icon and its text
constexpr int kEdgeOfALine = 2;     // at both ends of a line of text
constexpr int kEdgeOfATab = 4;      // the same of a tab
constexpr int kUnlimited = 100000;  // in pixels

QSize text_size(const QWidget& widget, const QString& text) {
  return widget.fontMetrics().size(Qt::TextShowMnemonic, text);
}

QSize beside(const QSize& text, const QIcon& icon, const QSize& icon_size) {
  if (icon.isNull()) return text;
  return {text.width() + icon_size.width() + kBesideIcon, std::max(text.height(), icon_size.height())};
}

bool is_rich(const QLabel& label) {
  return label.textFormat() == Qt::RichText ||
         (label.textFormat() == Qt::AutoText && Qt::mightBeRichText(label.text()));
}

QSize rich_size(const QLabel& label, int width) {
  QTextDocument document;
  document.setDefaultFont(label.font());
  document.setDocumentMargin(0);
  document.setHtml(label.text());
  if (label.wordWrap()) document.setTextWidth(width);
  return {static_cast<int>(std::ceil(document.idealWidth())), static_cast<int>(std::ceil(document.size().height()))};
}

QSize wrapped_size(const QLabel& label, int width) {
  const QRect room(0, 0, width, kUnlimited);
  return label.fontMetrics().boundingRect(room, Qt::TextWordWrap, label.text()).size();
}

TextRoom of_label(const QLabel& label) {
  const int margin = 2 * label.margin();
  const QSize given = label.contentsRect().size() - QSize(margin + std::max(label.indent(), 0), margin);
  if (is_rich(label)) return {label.text(), rich_size(label, given.width()), given};
  if (label.wordWrap()) return {label.text(), wrapped_size(label, given.width()), given};
  return {label.text(), text_size(label, label.text()), given};
}

TextRoom of_push_button(const QPushButton& button) {
  QStyleOptionButton option;
  option.initFrom(&button);
  if (button.menu() != nullptr) option.features |= QStyleOptionButton::HasMenu;
  QSize given = button.style()->subElementRect(QStyle::SE_PushButtonContents, &option, &button).size();
  if (button.menu() != nullptr)
    given.rwidth() -= button.style()->pixelMetric(QStyle::PM_MenuButtonIndicator, &option, &button);
  return {button.text(), beside(text_size(button, button.text()), button.icon(), button.iconSize()), given};
}

TextRoom of_tick(const QAbstractButton& button, QStyle::SubElement contents) {
  QStyleOptionButton option;
  option.initFrom(&button);
  return {button.text(), beside(text_size(button, button.text()), button.icon(), button.iconSize()),
          button.style()->subElementRect(contents, &option, &button).size()};
}

TextRoom of_tool_button(const QToolButton& button) {
  const bool text_shown = button.toolButtonStyle() != Qt::ToolButtonIconOnly || button.icon().isNull();
  if (!text_shown) return {};
  QStyleOptionToolButton option;
  option.initFrom(&button);
  option.subControls = QStyle::SC_ToolButton;
  const int frame = 2 * button.style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, &button);
  QSize given = button.size() - QSize(frame, frame);
  // A small arrow stands beside the text.
  if (button.menu() != nullptr)
    given.rwidth() -= button.style()->pixelMetric(QStyle::PM_MenuButtonIndicator, &option, &button) - 2 * kBesideIcon;
  const bool icon_shown = button.toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
  const QSize text = text_size(button, button.text());
  return {button.text(), icon_shown ? beside(text, button.icon(), button.iconSize()) : text, given};
}

std::vector<TextRoom> of_button(const QAbstractButton& button) {
  if (button.text().isEmpty()) return {};
  if (const auto* tool = qobject_cast<const QToolButton*>(&button)) return {of_tool_button(*tool)};
  if (const auto* push = qobject_cast<const QPushButton*>(&button)) return {of_push_button(*push)};
  if (qobject_cast<const QCheckBox*>(&button) != nullptr) return {of_tick(button, QStyle::SE_CheckBoxContents)};
  if (qobject_cast<const QRadioButton*>(&button) != nullptr) return {of_tick(button, QStyle::SE_RadioButtonContents)};
  return {};
}

std::vector<TextRoom> of_tabs(const QTabBar& tabs) {
  std::vector<TextRoom> rooms;
  for (int i = 0; i < tabs.count(); i++) {
    if (!tabs.isTabVisible(i)) continue;
    const QRect tab = tabs.tabRect(i) & tabs.rect();
    rooms.push_back({tabs.tabText(i), beside(text_size(tabs, tabs.tabText(i)), tabs.tabIcon(i), tabs.iconSize()),
                     tab.size() - QSize(2 * kEdgeOfATab, 0)});
  }
  return rooms;
}

TextRoom of_list(const QComboBox& list) {
  QStyleOptionComboBox option;
  option.initFrom(&list);
  option.editable = list.isEditable();
  const QRect field = list.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &list);
  return {list.currentText(), text_size(list, list.currentText()), field.size()};
}

TextRoom of_line(const QLineEdit& line) {
  const QString text = line.text().isEmpty() ? line.placeholderText() : line.displayText();
  QSize given = line.contentsRect().size() - QSize(2 * kEdgeOfALine, 0);
  for (const QToolButton* inside : line.findChildren<QToolButton*>())
    if (inside->isVisible()) given.rwidth() -= inside->width();
  return {text, {line.fontMetrics().horizontalAdvance(text), line.fontMetrics().height()}, given};
}

std::vector<TextRoom> of_titles(const QHeaderView& header) {
  std::vector<TextRoom> rooms;
  const QAbstractItemModel* model = header.model();
  if (model == nullptr || header.orientation() != Qt::Horizontal) return rooms;
  const QVariant upright = header.property("upright");
  for (int i = 0; i < header.count(); i++) {
    const QString title = model->headerData(i, Qt::Horizontal).toString();
    const QRect section(header.sectionViewportPosition(i), 0, header.sectionSize(i), header.height());
    if (header.isSectionHidden(i) || title.isEmpty() || !header.viewport()->rect().contains(section)) continue;
    if (upright.isValid() && !upright.toBool()) {
      rooms.push_back({title, header.fontMetrics().size(0, title), {header.height(), section.width()}});
      continue;
    }
    QStyleOptionHeader option;
    option.initFrom(&header);
    option.rect = section;
    option.orientation = Qt::Horizontal;
    option.state |= QStyle::State_Horizontal;
    if (header.isSortIndicatorShown() && header.sortIndicatorSection() == i)
      option.sortIndicator = QStyleOptionHeader::SortDown;
    const QRect given = header.style()->subElementRect(QStyle::SE_HeaderLabel, &option, &header);
    rooms.push_back({title, header.fontMetrics().size(0, title), {given.width(), header.height()}});
  }
  return rooms;
}

// Figures must be seen whole; words may end in dots where the column says so.
std::vector<TextRoom> of_figures(const QTableView& table) {
  std::vector<TextRoom> rooms;
  const QAbstractItemModel* model = table.model();
  if (model == nullptr) return rooms;
  const QRect seen = table.viewport()->rect();
  for (int row = std::max(0, table.rowAt(0)); row < model->rowCount(); row++) {
    if (table.rowViewportPosition(row) > seen.bottom()) break;
    for (int column = 0; column < model->columnCount(); column++) {
      const QModelIndex index = model->index(row, column);
      const QRect cell = table.visualRect(index);
      const auto alignment = index.data(Qt::TextAlignmentRole).toInt();
      if (!seen.contains(cell) || cell.isEmpty() || (alignment & Qt::AlignRight) == 0) continue;
      const QString text = index.data().toString();
      rooms.push_back({text, table.fontMetrics().size(0, text), cell.size()});
    }
  }
  return rooms;
}

}  // namespace

std::vector<TextRoom> text_rooms(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget))
    return label->text().isEmpty() ? std::vector<TextRoom>() : std::vector{of_label(*label)};
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return of_button(*button);
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) return of_tabs(*tabs);
  if (const auto* list = qobject_cast<const QComboBox*>(&widget))
    return list->isEditable() ? std::vector<TextRoom>() : std::vector{of_list(*list)};
  if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) return {of_line(*line)};
  if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) return of_titles(*header);
  if (const auto* table = qobject_cast<const QTableView*>(&widget)) return of_figures(*table);
  return {};
}

}  // namespace n2nq::test
