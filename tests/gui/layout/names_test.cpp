// Everything that can be worked with has a name, for those who hear the window, and says what it does.
#include <set>

#include "tests/gui/layout/spoken_names.h"
#include "tests/gui/layout/tour.h"

namespace n2nq::test {
namespace {

class Names : public Tour {};

TEST_F(Names, AndASentenceOnWhatItDoesAreWithEveryButtonFieldAndTab) {
  std::set<QString> said;
  walk("light", {kSmall, kLarge}, [&](const std::string& stop, QWidget& window) {
    for (const QString& node : nodes_without_tip(interactive_nodes(window)))
      if (said.insert(node).second) ADD_FAILURE() << stop << ": without a tip: " << node.toStdString();
  });
}

TEST_F(Names, OfAllThatCanBeWorkedWithAreThereAndDiffer) {
  std::set<QString> said;
  walk("light", {kSmall, kLarge}, [&](const std::string& stop, QWidget& window) {
    const auto nodes = interactive_nodes(window);
    EXPECT_GT(nodes.size(), 3u) << stop;
    for (const QString& node : unnamed_nodes(nodes))
      if (said.insert(node).second) ADD_FAILURE() << stop << ": without a name: " << node.toStdString();
    for (const QString& name : shared_names(nodes))
      if (said.insert(name).second) ADD_FAILURE() << stop << ": more than one is named " << name.toStdString();
  });
}

}  // namespace
}  // namespace n2nq::test
