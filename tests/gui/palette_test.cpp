// Everything by name: Ctrl+K over the real window, by keys alone.
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

class Palette : public WindowRig {
 protected:
  void open_palette() {
    key(Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(wait([&] { return shows("Command"); }));
    EXPECT_TRUE(find("Command")->hasFocus());
  }
  void find_command(const QString& typed) {
    open_palette();
    QTest::keyClicks(find("Command"), typed);
  }
  QStringList commands() const {
    QStringList texts;
    const auto* model = find_as<QListView>("Commands")->model();
    for (int row = 0; row < model->rowCount(); row++) texts << model->index(row, 0).data().toString();
    return texts;
  }
};

TEST_F(Palette, OpensFromAFieldToo) {
  open_window();
  click("Not now");
  find("Plan name")->setFocus();
  open_palette();
  EXPECT_EQ(text_of("Plan name"), "untitled") << "a field has other uses for these keys elsewhere";
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  EXPECT_FALSE(shows("Command"));
  EXPECT_TRUE(find("Plan name")->hasFocus());
}

TEST_F(Palette, ReachesPagesSettingsAndHelp) {
  open_window();
  click("Not now");
  find_command("go to hosts");
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Add a host"));
  find_command("dark");
  EXPECT_EQ(commands().front(), "Dark");
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([] { return QApplication::palette().color(QPalette::Window).lightness() < 128; }));
  find_command("help");
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Help topics"));
}

TEST_F(Palette, StartsARunAndFindsItsResultByName) {
  open_window();
  click("Not now");
  type("Plan name", "nightly");
  type("Senders messages text", "20");
  type("Senders delay", "5 ms");
  click("Page Results");
  find_command("start all");
  key(Qt::Key_Return);
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("passed"); }));
  find_command("nightly");
  EXPECT_EQ(commands().front(), "#1 nightly");
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([&] { return shows("Details of the result"); }));
}

TEST_F(Palette, OpensTheLogOfTheSelectedService) {
  open_window();
  click("Not now");
  type("Senders messages text", "20");
  type("Senders delay", "5 ms");
  key(Qt::Key_F5);
  ASSERT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("passed"); }));
  find("Receivers")->setFocus();
  QTest::keyClick(find("Receivers"), Qt::Key_Down);
  find_command("open log receiver");
  ASSERT_FALSE(commands().isEmpty());
  EXPECT_EQ(commands().front(), "Open log");
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  open_palette();
  EXPECT_TRUE(commands().contains("Show the chart of received messages")) << commands().join(", ").toStdString();
  EXPECT_TRUE(commands().filter(QRegularExpression("^(Tile|Process) ")).isEmpty());
}

TEST_F(Palette, ACommandThatCannotBeDoneSaysWhy) {
  open_window();
  click("Not now");
  find_command("compare");
  EXPECT_TRUE(text_of("Command hint").startsWith("Not now: ")) << text_of("Command hint").toStdString();
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Command"));
}

}  // namespace
}  // namespace n2nq::test
