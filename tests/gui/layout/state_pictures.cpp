// Pictures of every stop of the tour, for people to look at: in the folder N2NQ_PICTURES; of those whose name contains
// N2NQ_PICTURE, if that is set. The scale is that of the environment. Run by tests/gui/screenshots.sh.
#include <QImage>
#include <QRegularExpression>
#include <QScreen>

#include "tests/gui/layout/tour.h"
#include "tests/gui/small_png.h"

namespace n2nq::test {
namespace {

QString file_name(const std::string& stop, const QString& appearance) {
  QString name = QString::fromStdString(stop).toLower();
  name.remove(QRegularExpression(", scale 1\\.0"));
  name.replace(QRegularExpression("(\\d) x (\\d)"), "\\1x\\2");
  name.replace(QRegularExpression("[^a-z0-9.]+"), "-");
  return name + "-" + appearance + ".png";
}

class Pictures : public Tour, public testing::WithParamInterface<const char*> {};

TEST_P(Pictures, OfEveryState) {
  const QString folder = qEnvironmentVariable("N2NQ_PICTURES");
  if (folder.isEmpty()) GTEST_SKIP() << "N2NQ_PICTURES names no folder";
  const QString wanted = qEnvironmentVariable("N2NQ_PICTURE");
  const bool sharp = QApplication::primaryScreen()->devicePixelRatio() > 1;
  const std::vector<QSize> sizes = sharp ? std::vector<QSize>{kLarge} : std::vector<QSize>{kUsual, kLarge};
  walk_further(GetParam(), sizes, [&](const std::string& stop, QWidget& window) {
    const QString name = file_name(stop, GetParam());
    if (!name.contains(wanted)) return;
    EXPECT_TRUE(save_small(window.grab().toImage(), folder + "/" + name)) << name.toStdString();
  });
}

INSTANTIATE_TEST_SUITE_P(Palettes, Pictures, testing::Values("light", "dark"),
                         [](const auto& one) { return std::string(one.param) == "light" ? "Light" : "Dark"; });

}  // namespace
}  // namespace n2nq::test
