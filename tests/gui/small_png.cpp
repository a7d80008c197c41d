#include "tests/gui/small_png.h"

#include <QHash>
#include <QList>
#include <algorithm>

namespace n2nq::test {
namespace {

constexpr qsizetype kMostColors = 256;
constexpr int kSmallest = 0;  // quality of a PNG: how well it is packed

QList<QRgb> commonest_colors(const QImage& picture) {
  QHash<QRgb, int> counts;
  for (int y = 0; y < picture.height(); y++) {
    const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
    for (int x = 0; x < picture.width(); x++) counts[line[x] | 0xff000000]++;
  }
  QList<QRgb> colors = counts.keys();
  std::ranges::sort(colors, [&](QRgb a, QRgb b) { return std::pair(counts[b], a) < std::pair(counts[a], b); });
  return colors.mid(0, kMostColors);
}

}  // namespace

bool save_small(const QImage& picture, const QString& path) {
  const QImage plain = picture.convertToFormat(QImage::Format_RGB32);
  return plain.convertToFormat(QImage::Format_Indexed8, commonest_colors(plain), Qt::ThresholdDither)
      .save(path, "PNG", kSmallest);
}

}  // namespace n2nq::test
