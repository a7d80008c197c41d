#include "app/hosts/import_choice.h"

#include <gmock/gmock.h>

namespace n2nq::hosts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<Host> kFound{{.name = "far", .address = "far", .jump = "middle"},
                               {.name = "middle", .address = "middle", .jump = "gate"},
                               {.name = "gate", .address = "gate"},
                               {.name = "alone", .address = "alone"},
                               {.name = "lost", .address = "lost", .jump = "nowhere"},
                               {.name = "known", .address = "other"}};

std::vector<std::string> names(const ImportChoice& choice) {
  std::vector<std::string> all;
  for (const Host& host : choice.chosen()) all.push_back(host.name);
  return all;
}

struct ImportChoiceTest : testing::Test {
  ImportChoice choice{{.hosts = {{.name = "known", .address = "known"}}}, kFound};
};

TEST_F(ImportChoiceTest, TakesWhatIsNewAndCanBeInTheList) {
  EXPECT_THAT(names(choice), ElementsAre("far", "middle", "gate", "alone"));
  EXPECT_THAT(choice.all()[4].refused, HasSubstr("there is no host \"nowhere\""));
  EXPECT_TRUE(choice.all()[5].there_already);
  for (const size_t never : {4u, 5u}) choice.choose(never, true);
  EXPECT_THAT(names(choice), ElementsAre("far", "middle", "gate", "alone"));
}

TEST_F(ImportChoiceTest, AHostComesWithTheHostsItIsReachedThrough) {
  EXPECT_THAT(choice.needed_for(2), ElementsAre("far", "middle"));
  choice.choose(2, false);
  EXPECT_THAT(names(choice), ElementsAre("alone"));
  choice.choose(1, true);
  EXPECT_THAT(names(choice), ElementsAre("middle", "gate", "alone"));
  choice.choose(0, true);
  choice.choose(0, false);
  EXPECT_THAT(names(choice), ElementsAre("middle", "gate", "alone")) << "a jump host may come alone";
  EXPECT_THAT(choice.needed_for(3), IsEmpty());
}

}  // namespace
}  // namespace n2nq::hosts
