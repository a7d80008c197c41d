// Searches by clicks: made up in the form, saved, and not lost half-typed. That they find a limit is in
// tests/headless/search_test.cpp.
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <fstream>

#include "tests/gui/campaign_rig.h"
#include "ui/theme/theme.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class SearchForms : public CampaignRig {
 protected:
  void open_form() {
    open_window();
    if (shows("Not now")) click("Not now");
    click("Page Campaigns");
    new_from("From the plan");
    ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
    click("Points by a search");
    ASSERT_TRUE(wait([&] { return shows("Search from"); }));
    EXPECT_FALSE(shows("Axis 1 values"));
  }
  // By name.
  static std::string search_in(const std::filesystem::path& file) {
    QFile json(QString::fromStdString(file.string()));
    EXPECT_TRUE(json.open(QIODevice::ReadOnly));
    const QJsonObject search = QJsonDocument::fromJson(json.readAll()).object()["search"].toObject();
    return QJsonDocument(search).toJson(QJsonDocument::Compact).toStdString();
  }
  std::string note(const QString& name) const { return text_of(name).toStdString(); }
  // Without an icon, and in the colour of hints.
  bool is_quiet(const QString& name) const {
    const QWidget* label = find(name);
    for (const QLabel* part : label->parentWidget()->findChildren<QLabel*>())
      if (part != label && part->isVisible()) return false;
    return label->palette().color(QPalette::WindowText) == ui::theme::muted_text();
  }
  // Its first colour.
  QColor shown_icon(const QString& name) const {
    const QWidget* label = find(name);
    for (const QLabel* part : label->parentWidget()->findChildren<QLabel*>())
      if (part != label && part->isVisible()) {
        const QImage image = part->pixmap().toImage();
        return image.pixelColor(image.width() / 2, 2);
      }
    return {};
  }
  bool tells(const QString& name, const std::string& text) {
    return wait([&] { return note(name).find(text) != std::string::npos; });
  }
};

TEST_F(SearchForms, OneMadeByClicksIsSavedAsItWasMade) {
  open_form();
  type("Search from", "100");
  type("Search to", "1,600");
  type("Limit 1 value", "400 ms");
  click("Add limit");
  ASSERT_TRUE(wait([&] { return shows("Limit 2 value"); }));
  choose("Limit 2 metric", "lost");
  QTest::keyClick(find("Limit 2 comparison"), Qt::Key_End);
  EXPECT_EQ(text_of("Limit 2 comparison"), "=");
  type("Limit 2 value", "0");
  type("Precision", "25 %");
  type("Confirmation runs text", "2");
  ASSERT_TRUE(shows("Log summary only")) << "what writes every message limits by itself";
  click("Log summary only");
  ASSERT_TRUE(wait([&] { return !shows("Log summary only"); }));
  ASSERT_TRUE(wait([&] { return state().startsWith("a search: about 12 runs, about "); })) << state().toStdString();
  EXPECT_THAT(state().toStdString(), HasSubstr("up to four times as much if runs contradict each other"));
  EXPECT_THAT(note("Titles of the figures"), HasSubstr("; "));

  click("Save campaign");
  answer_file_dialog(dir_ / "found.json");
  ASSERT_TRUE(wait([&] { return std::filesystem::exists(dir_ / "found.json"); }));
  EXPECT_EQ(
      search_in(dir_ / "found.json"),
      R"({"confirm":2,"from":100,"limits":["p99 <= 400ms","lost = 0"],"precision":"25%","to":1600,"vary":"rate"})");
  type("Search from", "1");
  type("Limit 1 value", "1 ms");
  drop(dir_ / "found.json", QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return text_of("Search from") == "100" && text_of("Limit 1 value") == "400ms"; }))
      << "what was saved is what was made up";
}

TEST_F(SearchForms, WhatIsLeftToBeTypedIsNoMistakeBeforeItsFieldWasEdited) {
  open_form();
  ASSERT_TRUE(tells("From and to, note", "missing: from and to (messages per second, such as 2000)"));
  EXPECT_TRUE(tells("Limit 1 note", "value missing (a duration such as 5ms)"));
  EXPECT_TRUE(is_quiet("From and to, note"));
  EXPECT_TRUE(is_quiet("Limit 1 note"));
  EXPECT_FALSE(find("Start campaign")->isEnabled());
  EXPECT_THAT(message(), HasSubstr("Cannot start: search: from: it is missing"));
  EXPECT_THAT(find("Start campaign")->toolTip().toStdString(), HasSubstr("it is missing"));

  type("Search to", "2000");
  ASSERT_TRUE(tells("From and to, note", "missing: from (messages"));
  EXPECT_TRUE(is_quiet("From and to, note"));
  type("Search to", "");
  ASSERT_TRUE(tells("From and to, note", "to: it is missing"));
  EXPECT_FALSE(is_quiet("From and to, note"));
  EXPECT_TRUE(is_quiet("Limit 1 note")) << "only of the field that was edited";

  // What was edited goes with its row.
  click("Add limit");
  ASSERT_TRUE(wait([&] { return shows("Limit 2 value"); }));
  type("Limit 2 value", "5");
  type("Limit 2 value", "");
  ASSERT_TRUE(tells("Limit 2 note", "its value is missing"));
  EXPECT_FALSE(is_quiet("Limit 2 note"));
  EXPECT_TRUE(is_quiet("Limit 1 note"));
  click("Remove limit 1");
  ASSERT_TRUE(wait([&] { return !shows("Limit 2 value") && !is_quiet("Limit 1 note"); }));

  // Another one is new.
  type("Campaign name", "other");
  new_from("From the plan");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  click("Points by a search");
  ASSERT_TRUE(tells("From and to, note", "missing: from and to"));
  EXPECT_TRUE(is_quiet("Limit 1 note"));
}

TEST_F(SearchForms, WhoTriesToStartIsToldWhatIsMissing) {
  open_form();
  ASSERT_TRUE(tells("Limit 1 note", "value missing"));
  EXPECT_TRUE(wait([&] { return !message().empty() && message().find("Cannot start") == 0; })) << message();
  const QColor calm = shown_icon("Campaign message");
  QTest::mouseClick(find("Start campaign"), Qt::LeftButton);
  EXPECT_TRUE(tells("From and to, note", "from: it is missing; expected messages per second, such as 2000; to: it is"));
  EXPECT_FALSE(is_quiet("From and to, note"));
  EXPECT_FALSE(is_quiet("Limit 1 note"));
  EXPECT_NE(shown_icon("Campaign message"), calm);
  click("Add limit");
  ASSERT_TRUE(wait([&] { return shows("Limit 2 note"); }));
  ASSERT_TRUE(tells("Limit 2 note", "value missing"));
  EXPECT_TRUE(is_quiet("Limit 2 note")) << "it was not there";
}

TEST_F(SearchForms, WhatIsWrongIsToldBesideTheField) {
  open_form();
  click("Log summary only");  // or a disk with little left would be one more thing that is wrong
  type("Search from", "slow");
  type("Search to", "2000/s");
  EXPECT_TRUE(tells("From and to, note", "is not a value of rate; expected messages per second, such as 2000"));
  type("Search from", "100");
  EXPECT_TRUE(tells("From and to, note", "starts with an easy value"));
  type("Limit 1 value", "5 ms");
  ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
  find("Start campaign")->setFocus();
  find("Limit 1 value")->setFocus();
  find_as<QLineEdit>("Limit 1 value")->clear();
  QTest::keyClicks(find("Limit 1 value"), "5");
  ASSERT_TRUE(wait([&] { return !find("Start campaign")->isEnabled(); }));
  EXPECT_TRUE(find("Limit 1 value")->hasFocus()) << "somebody types here";
  EXPECT_TRUE(tells("Limit 1 note", "is not a limit for p99; expected a duration such as 5ms"));
  EXPECT_THAT(message(), HasSubstr("Cannot start: search: limit 1: "));
  choose("Limit 1 metric", "rate");
  EXPECT_TRUE(tells("Limit 1 note", "deliver")) << "5 is one for a rate: what the metric is, is said instead";
  type("Precision", "90 %");
  EXPECT_TRUE(tells("Precision and confirmation, note", "is not a precision; expected 0.1% to 50%"));
  type("Precision", "5 %");
  type("Confirmation runs text", "26");
  EXPECT_TRUE(tells("Precision and confirmation, note", "is not valid; expected 1 to 25"));
  type("Confirmation runs text", "3");
  choose("What is varied", "services");
  EXPECT_TRUE(tells("What is varied, note", "as many senders as receivers"));
  EXPECT_TRUE(tells("From and to, note", "is not a value of services; expected a whole number"));
  type("Search to", "20");
  ASSERT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
  click("Remove limit 1");
  EXPECT_TRUE(tells("Limits note", "there is none; add one"));
  EXPECT_FALSE(shows("Limit 1 value"));
}

TEST_F(SearchForms, NothingTypedIsLostBetweenAxesAndSearchOrOverARestart) {
  open_form();
  type("Search from", "1x");
  type("Limit 1 value", "so");
  click("Points by axes");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  EXPECT_FALSE(shows("Search from"));
  type("Axis 1 values", "1, 10, x");
  type("Stop limit", "p99 >");
  click("Points by a search");
  ASSERT_TRUE(wait([&] { return shows("Search from"); }));
  EXPECT_FALSE(shows("Stop limit"));
  EXPECT_EQ(text_of("Search from"), "1x");
  close_window();
  open_page();
  ASSERT_TRUE(wait([&] { return shows("Search from"); }));
  EXPECT_EQ(text_of("Search from"), "1x");
  EXPECT_EQ(text_of("Limit 1 value"), "so");
  EXPECT_EQ(text_of("Precision"), "5%");
  EXPECT_EQ(text_of("Confirmation runs text"), "3");
  click("Points by axes");
  ASSERT_TRUE(wait([&] { return shows("Axis 1 values"); }));
  EXPECT_EQ(text_of("Axis 1 values"), "1, 10, x");
  EXPECT_EQ(text_of("Stop limit"), "p99 >");
}

TEST_F(SearchForms, AFileWithASearchIsEditedInTheForm) {
  const auto path = dir_ / "search.json";
  std::ofstream(path) << R"({"version": 1, "name": "harder delays", "base": {"senders": {"duration": "1s"}},
    "search": {"vary": "senders.delay", "from": "20ms", "to": "10us", "limits": ["p99.9 <= 20ms", "lost = 0"],
               "precision": "10%", "confirm": 5}})";
  open_page();
  drop(path, QPoint(400, 400));
  ASSERT_TRUE(wait([&] { return shows("Search from"); }));
  EXPECT_EQ(text_of("What is varied"), "Senders delay");
  EXPECT_EQ(text_of("Search from"), "20ms");
  EXPECT_EQ(text_of("Search to"), "10us");
  EXPECT_EQ(text_of("Limit 1 metric"), "p99.9");
  EXPECT_EQ(text_of("Limit 2 comparison"), "=");
  EXPECT_EQ(text_of("Precision"), "10%");
  EXPECT_EQ(text_of("Confirmation runs text"), "5");
  EXPECT_TRUE(wait([&] { return find("Start campaign")->isEnabled(); })) << message();
}

}  // namespace
}  // namespace n2nq::test
