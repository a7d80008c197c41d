#include "ui/report/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QPaintDevice>
#include <QPainter>
#include <QTextCursor>
#include <QTextObjectInterface>
#include <QTextTable>
#include <algorithm>
#include <utility>

#include "ui/report/report_drawing.h"
#include "ui/report/report_pages.h"
#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using record::Severity;
using theme::qt;

constexpr int kPictureType = QTextFormat::UserObject + 1;
constexpr int kPictureIndex = QTextFormat::UserProperty + 1;
constexpr double kHeadline = 17, kBody = 9, kSmall = 7.5, kTiny = 6.5;  // points
constexpr double kAboveHeading = 12;                                    // points
constexpr double kBesideNumber = 6;                                     // points: what follows it begins at the left
constexpr size_t kManyColumns = 7;
constexpr size_t kShortText = 24;  // is not broken

QColor text_color() {
  return theme::make_palette(false).color(QPalette::Text);
}
QColor muted_color() {
  return theme::muted_text_on(false);
}
QColor line_color() {
  return theme::grid_line_on(false);
}
QColor band_color() {
  return theme::make_palette(false).color(QPalette::Window);
}

QColor status_color(Severity severity) {
  if (severity == Severity::error) return theme::color_on(false, theme::Status::bad);
  return theme::color_on(false, severity == Severity::warning ? theme::Status::warning : theme::Status::good);
}

// Its colour, pale: text stands on it.
QColor band_of(Severity severity) {
  constexpr double kShare = 0.12;
  const QColor full = status_color(severity);
  const auto pale = [](double channel) { return 1 - kShare * (1 - channel); };
  return QColor::fromRgbF(static_cast<float>(pale(full.redF())), static_cast<float>(pale(full.greenF())),
                          static_cast<float>(pale(full.blueF())));
}

QColor edge_of(const figures::Headline& one) {
  return one.severity ? status_color(*one.severity) : theme::series_color_on(false, one.hue, 0);
}

// Paints the picture that the format names.
class Pictures : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

 public:
  Pictures(std::vector<QPicture> pictures, double width, QObject* parent)
      : QObject(parent), pictures_(std::move(pictures)), width_(width) {}

  QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat&) override {
    return {width_, width_ * kFigureHeight / kFigureWidth};
  }
  void drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format) override {
    const auto index = static_cast<size_t>(format.intProperty(kPictureIndex));
    if (index >= pictures_.size()) return;
    painter->save();
    painter->translate(area.topLeft());
    // A picture plays in the size that the resolution of the paper gives it.
    const double as_played = painter->device()->logicalDpiX() / static_cast<double>(pictures_[index].logicalDpiX());
    painter->scale(area.width() / kFigureWidth / as_played, area.height() / kFigureHeight / as_played);
    pictures_[index].play(painter);
    painter->restore();
  }

 private:
  std::vector<QPicture> pictures_;
  double width_;
};

class Writer {
 public:
  explicit Writer(QTextDocument& document) : cursor_(&document) {}

  void operator()(const report::Heading& heading) {
    if (fresh_ && table_ != nullptr) {  // there Qt knows of no room above a block
      QTextTableFormat format = table_->format();
      format.setBottomMargin(kAboveHeading * dot_);
      table_->setFormat(format);
    }
    block(heading.level == 1 ? 0 : kAboveHeading, 4, true);
    cursor_.insertText(qt(heading.text), font(heading.level == 1 ? 18 : heading.level == 2 ? 13 : 10.5, true));
  }
  void operator()(const report::Paragraph& paragraph) {
    QTextBlockFormat format = block(2, 4, false);
    if (paragraph.severity) {
      format.setBackground(band_of(*paragraph.severity));
      cursor_.setBlockFormat(format);
    }
    cursor_.insertText(lines(paragraph.text), font(kBody, false));
  }
  void operator()(const report::Items& items) {
    for (const std::string& text : items.texts) {
      QTextBlockFormat format = block(1, 2, false);
      format.setLeftMargin(10 * dot_);
      format.setTextIndent(-8 * dot_);
      cursor_.setBlockFormat(format);
      cursor_.insertText(QStringLiteral("•  ") + lines(text), font(kBody, false));
    }
  }
  void operator()(const report::Table& table) {
    const double size = table.columns.size() > kManyColumns ? kTiny : kSmall;
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(2 * dot_);
    format.setTopMargin(3 * dot_);
    format.setBottomMargin(6 * dot_);
    const auto stretches = [](const figures::TableColumn& column) { return column.stretch; };
    if (std::ranges::any_of(table.columns, stretches)) format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    block(0, 0, false);
    QTextTable* made =
        cursor_.insertTable(static_cast<int>(table.rows.size()) + 1, static_cast<int>(table.columns.size()), format);
    for (size_t i = 0; i < table.columns.size(); i++)
      fill(*made, 0, i, table.columns[i].header, table.columns[i], font(size, true, muted_color()), {});
    for (size_t row = 0; row < table.rows.size(); row++)
      for (size_t i = 0; i < table.columns.size() && i < table.rows[row].cells.size(); i++)
        fill(*made, row + 1, i, table.rows[row].cells[i], table.columns[i], font(size, false),
             table.rows[row].severity);
    cursor_.movePosition(QTextCursor::End);
    fresh_ = true;
    table_ = made;
  }
  void operator()(const report::Code& code) {
    QTextBlockFormat format = block(3, 6, false);
    format.setBackground(band_color());
    cursor_.setBlockFormat(format);
    QTextCharFormat mono = font(kSmall, false);
    mono.setFontFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
    QString text = lines(code.text);
    while (text.endsWith(QChar::LineSeparator)) text.chop(1);
    cursor_.insertText(text, mono);
  }
  void operator()(const figures::Figure&) {
    block(4, 6, false);
    QTextCharFormat format;
    format.setObjectType(kPictureType);
    format.setProperty(kPictureIndex, picture_++);
    cursor_.insertText(QString(QChar::ObjectReplacementCharacter), format);
  }
  void operator()(const report::Headlines& headlines) {
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(4 * dot_);
    format.setTopMargin(6 * dot_);
    format.setBottomMargin(6 * dot_);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    const auto amount = static_cast<int>(headlines.all.size());
    format.setColumnWidthConstraints(
        QList<QTextLength>(amount, QTextLength(QTextLength::PercentageLength, 100.0 / amount)));
    block(0, 0, false);
    QTextTable* made = cursor_.insertTable(1, amount, format);
    for (int i = 0; i < amount; i++) headline(*made, i, headlines.all[static_cast<size_t>(i)]);
    cursor_.movePosition(QTextCursor::End);
    fresh_ = true;
    table_ = made;
  }
  void operator()(const report::NewPage&) { new_page_ = true; }
  void subtitle(const std::string& text) {
    block(0, 6, false);
    cursor_.insertText(qt(text), font(kBody, false, muted_color()));
  }

 private:
  QTextBlockFormat block(double above, double below, bool heading) {
    QTextBlockFormat format;
    format.setTopMargin(above * dot_);
    format.setBottomMargin(below * dot_);
    format.setProperty(kHeadingProperty, heading);
    if (std::exchange(new_page_, false)) format.setProperty(kNewPageProperty, true);
    if (fresh_)
      cursor_.setBlockFormat(format);
    else
      cursor_.insertBlock(format);
    fresh_ = false;
    return format;
  }
  static QTextCharFormat font(double points, bool bold, const QColor& color = text_color()) {
    QTextCharFormat format;
    format.setFontFamilies(theme::print_font().families());
    format.setFontPointSize(points);
    format.setFontWeight(bold ? QFont::DemiBold : QFont::Normal);
    format.setForeground(color);
    return format;
  }
  static QString lines(const std::string& text) { return qt(text).replace(u'\n', QChar::LineSeparator); }

  void fill(QTextTable& table, size_t row, size_t column, const std::string& text, const figures::TableColumn& kind,
            const QTextCharFormat& font, std::optional<Severity> severity) const {
    QTextTableCell cell = table.cellAt(static_cast<int>(row), static_cast<int>(column));
    QTextTableCellFormat format;
    format.setBottomBorder(0.5 * dot_);
    format.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBottomBorderBrush(line_color());
    if (severity) format.setBackground(band_of(*severity));
    if (kind.number) format.setRightPadding(kBesideNumber * dot_);
    cell.setFormat(format);
    QTextCursor at = cell.firstCursorPosition();
    QTextBlockFormat block;
    block.setNonBreakableLines(!kind.stretch && text.size() <= kShortText);
    block.setAlignment(kind.number ? Qt::AlignRight : Qt::AlignLeft);
    at.setBlockFormat(block);
    at.insertText(lines(text), font);
  }

  // Name, value and note below each other; the role's colour above them.
  void headline(QTextTable& table, int column, const figures::Headline& one) const {
    QTextTableCell cell = table.cellAt(0, column);
    QTextTableCellFormat format;
    format.setTopBorder(2 * dot_);
    format.setTopBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setTopBorderBrush(edge_of(one));
    cell.setFormat(format);
    QTextCursor at = cell.firstCursorPosition();
    QTextBlockFormat block;
    block.setNonBreakableLines(true);
    at.setBlockFormat(block);
    at.insertText(qt(one.name), font(kSmall, false, muted_color()));
    at.insertBlock(block);
    at.insertText(qt(one.value), font(kHeadline, true));
    if (!one.unit.empty()) at.insertText(u' ' + qt(one.unit), font(kBody, false, muted_color()));
    at.insertBlock(block);
    at.insertText(qt(one.note), font(kSmall, false, muted_color()));
  }

  // A point, in the unit that a document scales to its paper.
  static constexpr double dot_ = 96.0 / 72;

  QTextCursor cursor_;
  bool fresh_ = true;
  QTextTable* table_ = nullptr;  // the last
  int picture_ = 0;
  bool new_page_ = false;  // begins with the next block
};

// Figures that are longer than a line of their column may be broken where a table is wider than the paper.
void fit_tables(QTextDocument& document, double width) {
  for (auto at = document.rootFrame()->begin(); !at.atEnd(); ++at) {
    auto* table = qobject_cast<QTextTable*>(at.currentFrame());
    if (table == nullptr || document.documentLayout()->frameBoundingRect(table).width() <= width) continue;
    QTextCursor edit = table->firstCursorPosition();
    edit.beginEditBlock();  // all of it is laid out once
    QTextTableFormat format = table->format();
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    table->setFormat(format);
    for (auto cell = table->begin(); !cell.atEnd(); ++cell) {
      QTextBlockFormat breakable = cell.currentBlock().blockFormat();
      breakable.setNonBreakableLines(false);
      QTextCursor(cell.currentBlock()).setBlockFormat(breakable);
    }
    edit.endEditBlock();
  }
}

}  // namespace

std::unique_ptr<QTextDocument> lay_out(const report::Report& report, const std::vector<QPicture>& pictures,
                                       QPaintDevice& device, double width) {
  auto document = std::make_unique<QTextDocument>();
  document->setUndoRedoEnabled(false);
  document->documentLayout()->setPaintDevice(&device);
  document->documentLayout()->registerHandler(kPictureType, new Pictures(pictures, width, document.get()));
  document->setDocumentMargin(0);
  QTextOption option = document->defaultTextOption();
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  document->setDefaultTextOption(option);
  QTextCursor whole(document.get());
  whole.beginEditBlock();  // what is written is laid out once
  Writer writer(*document);
  writer(report::Heading{.level = 1, .text = report.title});
  writer.subtitle(report.subtitle);
  for (const report::Block& block : report.blocks) std::visit(writer, block);
  writer.subtitle("Written by " + report::product() + ".");
  whole.endEditBlock();
  document->setTextWidth(width);
  fit_tables(*document, width);
  return document;
}

}  // namespace n2nq::ui

#include "report_document.moc"
