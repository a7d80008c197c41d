// Everything by name: Ctrl+K over the real window, by keys alone.
#include <QComboBox>
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
  find_command("chart rate");
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([] { return QApplication::focusWidget()->accessibleName().startsWith("Rate"); }))
      << "the chart has the keyboard";
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
  find_command("pin");
  EXPECT_TRUE(commands().contains("Pin senders to receivers, or filter")) << commands().join("; ").toStdString();
  QTest::keyClicks(find("Command"), " senders to receivers");
  EXPECT_TRUE(text_of("Command hint").contains("Turn on Receiver requests")) << text_of("Command hint").toStdString();
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  find_command("compare");
  ASSERT_TRUE(commands().contains("Compare")) << commands().join("; ").toStdString();
  for (auto down = commands().indexOf("Compare"); down > 0; down--) QTest::keyClick(find("Command"), Qt::Key_Down);
  EXPECT_TRUE(text_of("Command hint").startsWith("Not now: ")) << text_of("Command hint").toStdString();
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Command"));
}

TEST_F(Palette, UnfoldsWhatIsFoldedAwayAndNeverFolds) {
  open_window();
  click("Not now");
  ASSERT_TRUE(shows("Senders delay"));
  find_command("edit plan");
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Senders delay")) << "it was there already";
  click("Figures");
  ASSERT_FALSE(shows("Senders delay"));
  find_command("senders delay");
  EXPECT_EQ(commands().front(), "Senders delay");
  key(Qt::Key_Return);
  EXPECT_TRUE(shows("Senders delay"));
  EXPECT_TRUE(find("Senders delay")->hasFocus());
  ASSERT_FALSE(shows("Queue drain timeout"));
  find_command("senders delay");
  key(Qt::Key_Return);
  EXPECT_EQ(find_as<QLineEdit>("Senders delay")->selectedText(), text_of("Senders delay"));
  find_command("senders size");
  EXPECT_EQ(commands().front(), "Senders smallest size");
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  find_command("drain timeout");
  key(Qt::Key_Return);
  ASSERT_TRUE(shows("Queue drain timeout"));
  EXPECT_TRUE(find("Queue drain timeout")->hasFocus());
  EXPECT_EQ(find("Queue drain timeout")->visibleRegion().boundingRect(), find("Queue drain timeout")->rect());
}

TEST_F(Palette, FindsABusByItsNameAndASettingByThatOfItsMakers) {
  open_window();
  click("Not now");
  find_command("kafka");
  EXPECT_TRUE(commands().contains("Bus: Kafka")) << commands().join(", ").toStdString();
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  find_command("bus: kafka");
  EXPECT_EQ(commands().front(), "Bus: Kafka");
  key(Qt::Key_Return);
  EXPECT_EQ(find_as<QComboBox>("Bus")->currentText(), "Kafka");
  for (const auto& [theirs, ours] : {std::pair("linger.ms", "Bus linger"), {"enable.idempotence", "Bus idempotence"}}) {
    find_command(theirs);
    EXPECT_EQ(commands().front().remove(QStringLiteral(" text")), ours);
    key(Qt::Key_Return);
    EXPECT_TRUE(QApplication::focusWidget()->accessibleName().startsWith(ours));
  }
}

TEST_F(Palette, FindsFoldedButtonsTabsAndSearches) {
  open_window();
  click("Not now");
  click("Figures");
  ASSERT_FALSE(shows("Edit limits"));
  find_command("edit limits");
  EXPECT_EQ(commands().front(), QString::fromUtf8("Edit limits\u2026"));
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  find_command("receiver requests");
  EXPECT_EQ(commands().front(), "Receiver requests");
  key(Qt::Key_Return);
  find_command("matrix");
  EXPECT_EQ(commands().front(), "Matrix");
  key(Qt::Key_Return);
  EXPECT_TRUE(wait([&] { return shows("Pin one-to-one"); }));
  find_command("search");
  EXPECT_TRUE(commands().contains("Find the limit of the plan on the Run page"));
  QTest::keyClick(find("Command"), Qt::Key_Escape);
  find_command("repeats");
  EXPECT_EQ(commands().front(), "Repeats of the plan");
}

}  // namespace
}  // namespace n2nq::test
