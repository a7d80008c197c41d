#include "ui/report/report_pdf.h"

#include <QBuffer>
#include <QHashFunctions>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include "ui/report/report_document.h"
#include "ui/report/report_pages.h"
#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kDotsPerInch = 600;
constexpr double kMargin = 15;  // millimetres
constexpr double kFooter = 8;   // of them, for the line below

double dots(double millimetres) {
  return millimetres / 25.4 * kDotsPerInch;
}

// The time at which it was written would be all that differs between two of the same.
void without_time(QByteArray& bytes) {
  const QByteArray key = "/CreationDate (D:";
  const qsizetype at = bytes.indexOf(key);
  const qsizetype end = at < 0 ? -1 : bytes.indexOf(')', at);
  if (end < 0) return;
  for (qsizetype i = at + key.size(); i < end; i++)
    if (bytes[i] >= '0' && bytes[i] <= '9') bytes[i] = '0';
  bytes.replace(at + key.size(), 8, "20000101");
}

void paint_footer(QPainter& painter, const QRectF& page, const QString& title, size_t number, size_t pages) {
  QFont font = theme::print_font();
  font.setPointSizeF(7);
  painter.setFont(font);
  painter.setPen(theme::muted_text_on(false));
  const QRectF line(page.left(), page.bottom() - dots(kFooter) / 2, page.width(), dots(kFooter) / 2);
  const QString text = QStringLiteral("%1 of %2").arg(number).arg(pages);
  painter.drawText(line, Qt::AlignRight | Qt::AlignBottom, text);
  const QString cut = painter.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(page.width() * 0.8));
  painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, cut);
}

// Qt writes the fonts in the order of a hash, which is another one in each process.
class OrderedHashes {
 public:
  OrderedHashes() { QHashSeed::setDeterministicGlobalSeed(); }
  OrderedHashes(const OrderedHashes&) = delete;
  ~OrderedHashes() { QHashSeed::resetRandomGlobalSeed(); }
};

}  // namespace

QByteArray to_pdf(const report::Report& report, const std::vector<QPicture>& pictures) {
  const OrderedHashes ordered;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setTitle(theme::qt(report.title));
  writer.setCreator(theme::qt(report::product()));
  writer.setResolution(kDotsPerInch);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Millimeter);
  const QRectF page(0, 0, writer.width(), writer.height());
  const QSizeF room(page.width(), page.height() - dots(kFooter));
  const auto document = lay_out(report, pictures, writer, room.width());
  const std::vector<PrintedPage> pages = cut_into_pages(*document, room.height());
  QPainter painter(&writer);
  for (size_t i = 0; i < pages.size(); i++) {
    if (i > 0) writer.newPage();
    paint_page(painter, *document, pages[i], room.width());
    paint_footer(painter, page, theme::qt(report.title), i + 1, pages.size());
  }
  painter.end();
  buffer.close();
  without_time(bytes);
  return bytes;
}

}  // namespace n2nq::ui
