// Every text has its room, nothing reaches out of its place, and no text lies upon another, and every colour, font and
// distance is one of the theme: in all states, sizes and palettes; the scale comes from the environment
// (QT_SCALE_FACTOR).
#include <set>

#include "tests/gui/layout/layout_faults.h"
#include "tests/gui/layout/token_faults.h"
#include "tests/gui/layout/tour.h"

namespace n2nq::test {
namespace {

class Layout : public Tour, public testing::WithParamInterface<const char*> {};

TEST_P(Layout, GivesEveryTextItsRoom) {
  std::set<QString> said;  // what is wrong everywhere is said once
  walk(GetParam(), {kSmall, kUsual, kLarge}, [&](const std::string& stop, QWidget& window) {
    for (const QString& fault : layout_faults(window) + token_faults(window))
      if (said.insert(fault).second) ADD_FAILURE() << stop << ": " << fault.toStdString();
  });
}

INSTANTIATE_TEST_SUITE_P(Palettes, Layout, testing::Values("light", "dark"),
                         [](const auto& one) { return std::string(one.param) == "light" ? "Light" : "Dark"; });

}  // namespace
}  // namespace n2nq::test
