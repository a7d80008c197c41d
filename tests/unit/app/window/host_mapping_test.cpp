#include "ui/window/host_mapping.h"

#include <gmock/gmock.h>

#include <QLabel>
#include <QPushButton>

namespace n2nq::ui {
namespace {

TEST(HostMapping, ShowsStrangeNamesAsTheyAre) {
  const HostMapping mapping({"<b>big</b>", "a&b"}, {.hosts = {{.name = "vm1", .address = "10.0.0.5"}}}, nullptr);
  std::vector<std::string> shown;
  for (const auto* label : mapping.findChildren<QLabel*>()) {
    if (label->accessibleName() == "Notice") continue;
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    shown.push_back(label->text().toStdString());
  }
  EXPECT_THAT(shown, testing::UnorderedElementsAre("<b>big</b>", "a&&b")) << "the first of two is for the buddy";
  QStringList buttons;
  for (const auto* button : mapping.findChildren<QPushButton*>()) buttons += button->text();
  EXPECT_TRUE(buttons.contains("Add a&&b"));
}

}  // namespace
}  // namespace n2nq::ui
