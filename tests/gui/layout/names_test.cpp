// Everything that can be worked with has a name, for those who hear the window, and says what it does.
#include <set>

#include "tests/gui/layout/spoken_names.h"
#include "tests/gui/layout/tour.h"

namespace n2nq::test {
namespace {

class Names : public Tour {};

TEST_F(Names, AndTipsAreWithAllThatCanBeWorkedWithAndNoTwoAreTheSame) {
  std::set<std::string> said;
  walk("light", {kSmall, kLarge}, [&](const std::string& stop, QWidget& window) {
    const auto tell = [&](const std::string& fault, const QStringList& nodes) {
      for (const QString& node : nodes)
        if (said.insert(fault + node.toStdString()).second) ADD_FAILURE() << stop << fault << node.toStdString();
    };
    const auto nodes = interactive_nodes(window);
    EXPECT_GT(nodes.size(), 3u) << stop;
    tell(": without a tip: ", nodes_without_tip(nodes));
    tell(": without a name: ", unnamed_nodes(nodes));
    tell(": more than one is named ", shared_names(nodes));
  });
}

}  // namespace
}  // namespace n2nq::test
