// The bus as a choice on the card of the queue: what its fields are, and what becomes of those that it has no place
// for.
#include "ui/run/queue_panel.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QtMath>

#include "ui/run/count_field.h"
#include "ui/run/plan_line_edit.h"
#include "ui/services/filter_draft.h"
#include "ui/theme/command_hints.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class QueuePanelTest : public testing::Test {
 protected:
  QueuePanelTest() {
    QObject::connect(&editor_, &plan::PlanEditor::changed, &panel_, [this] { panel_.show_plan(editor_.plan()); });
    panel_.show_plan(editor_.plan());
    panel_.show();
  }
  // Visible or not.
  template <class Widget>
  Widget* find(const QString& name) {
    for (auto* widget : panel_.findChildren<Widget*>())
      if (widget->accessibleName() == name) return widget;
    ADD_FAILURE() << "no " << name.toStdString();
    return nullptr;
  }
  bool shows(const QString& name) { return find<QWidget>(name)->isVisibleTo(&panel_); }
  void choose(const QString& list, const QString& text) {
    auto* box = find<QComboBox>(list);
    const int at = box->findText(text);
    ASSERT_GE(at, 0) << text.toStdString();
    box->setCurrentIndex(at);
    Q_EMIT box->activated(at);
  }
  void type(const QString& field, const QString& text) {
    auto* edit = find<PlanLineEdit>(field);
    edit->selectAll();
    QTest::keyClicks(edit, text);
  }

  QTemporaryDir dir_;
  QSettings settings_{dir_.filePath("settings"), QSettings::IniFormat};
  plan::PlanEditor editor_{std::string()};
  FilterDraft draft_;
  QueuePanel panel_{editor_, draft_, settings_};
};

TEST_F(QueuePanelTest, OffersEveryBusWithTheSettingsThatItHas) {
  const auto* box = find<QComboBox>("Bus");
  ASSERT_EQ(box->count(), static_cast<int>(bus::all_buses().size()));
  for (const bus::BusTraits& bus : bus::all_buses()) {
    choose("Bus", QString::fromUtf8(bus.title.data(), static_cast<qsizetype>(bus.title.size())));
    EXPECT_EQ(editor_.plan().bus.kind, bus.kind);
    EXPECT_THAT(plan::problems_of(editor_.plan()), IsEmpty()) << bus.kind;
    for (const char* field : {"Remove after", "Receiver responses", "Receiver requests"})
      EXPECT_EQ(shows(field), bus.own_queue) << field << " of " << bus.kind;
    EXPECT_EQ(shows("Bus connection"), bus::find_setting(bus, "connection") != nullptr) << bus.kind;
    EXPECT_EQ(shows("Bus quiet time"), bus::find_setting(bus, "quiet") != nullptr) << bus.kind;
    const bool has_tls = bus::find_setting(bus, "tls") != nullptr;
    EXPECT_EQ(shows("Bus TLS"), has_tls && (bus.own_queue || bus.meets_directly)) << bus.kind;
    EXPECT_FALSE(shows("Bus certificate authority")) << bus.kind;
    EXPECT_EQ(shows("What the bus is"), !bus.own_queue) << bus.kind;
    EXPECT_EQ(shows("Bus server"), bus::find_setting(bus, "address") != nullptr) << bus.kind;
  }
}

// By the server that is there; what was set stays in sight until it is set back.
TEST_F(QueuePanelTest, HasOfASettingOnlyWhatTheServerAtHandHas) {
  choose("Bus", "Kafka");
  for (const char* of_own : {"Bus image", "Bus servers", "Bus kill"}) EXPECT_TRUE(shows(of_own)) << of_own;
  for (const char* other : {"Bus user", "Bus password file", "Bus SASL", "Bus TLS", "Bus CPU limit"})
    EXPECT_FALSE(shows(other)) << other;
  type("Bus image", "kafka:1");
  EXPECT_TRUE(shows("Bus CPU limit"));
  type("Bus server", "kafka.example:9092");
  for (const char* of_theirs : {"Bus user", "Bus password file", "Bus SASL", "Bus TLS"})
    EXPECT_TRUE(shows(of_theirs)) << of_theirs;
  for (const char* other : {"Bus servers", "Bus kill"}) EXPECT_FALSE(shows(other)) << other;
  EXPECT_TRUE(shows("Bus image")) << "is set all the same";
  find<QAbstractButton>("Bus TLS")->click();
  EXPECT_TRUE(shows("Bus certificate authority"));
}

// It is there only because it is set: while somebody types it stays, with the keys.
TEST_F(QueuePanelTest, KeepsAFieldInWhichSomebodyTypes) {
  const auto empty = [this](const char* name) {
    auto* edit = find<PlanLineEdit>(name);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
  };
  choose("Bus", "Kafka");
  type("Bus server", "kafka.example:9092");
  type("Bus user", "me");
  panel_.activateWindow();
  ASSERT_TRUE(QTest::qWaitFor([this] { return panel_.isActiveWindow(); }));
  empty("Bus server");
  ASSERT_TRUE(shows("Bus user")) << "is set all the same";
  empty("Bus user");
  EXPECT_TRUE(find<PlanLineEdit>("Bus user")->hasFocus() && shows("Bus user"));
  find<PlanLineEdit>("Bus server")->setFocus();
  EXPECT_TRUE(QTest::qWaitFor([this] { return !shows("Bus user"); }));
}

TEST_F(QueuePanelTest, SaysAllThatIsWrong) {
  const auto said = [this] {
    for (const auto* label : panel_.findChildren<QLabel*>())
      if (label->accessibleName() == "Plan of the queue") return label->text().toStdString();
    return std::string("nothing");
  };
  EXPECT_THAT(said(), testing::HasSubstr("broadcaster"));
  panel_.show_problems({{.key = "queue.mode", .text = "a <wrong> one"}});
  EXPECT_EQ(said(), "Mode: a &lt;wrong&gt; one");
  EXPECT_TRUE(find<QAbstractButton>("Queue mode broadcaster")->property(theme::kWrong).toBool());
  panel_.show_problems({{.key = "queue.mode", .text = "one"}, {.key = "queue.host", .text = "none"}});
  EXPECT_EQ(said(), "Host: none; Mode: one");
  panel_.show_problems({});
  EXPECT_THAT(said(), testing::HasSubstr("broadcaster"));
}

TEST_F(QueuePanelTest, NamesSettingsAsTheirMakersDo) {
  const auto says = [this](const QString& text) {
    return std::ranges::any_of(panel_.findChildren<QLabel*>(), [&](const QLabel* label) {
      return label->isVisibleTo(&panel_) && (label->text() == text || label->toolTip() == text);
    });
  };
  for (const auto& [bus, theirs, not_theirs] :
       {std::tuple("Kafka", "replication-factor", "num_replicas"), std::tuple("Kafka", "linger.ms", "prefetch_count"),
        std::tuple("NATS JetStream", "num_replicas", "replication-factor"),
        std::tuple("RabbitMQ", "prefetch_count", "linger.ms")}) {
    choose("Bus", bus);
    EXPECT_TRUE(says(theirs)) << bus;
    EXPECT_FALSE(says(not_theirs)) << bus;
    for (const char* heading : {"Promises", "Server", "Cluster", "Tuning"}) EXPECT_TRUE(says(heading)) << heading;
  }
  choose("Bus", "N2NQ");
  EXPECT_FALSE(says("Promises")) << "nothing is below it";
}

TEST_F(QueuePanelTest, SaysInItsLineWholePartsOfThePlan) {
  choose("Bus", "NATS JetStream");
  editor_.edit("kill", [](plan::PlanFile& file) {
    file.base.bus.settings = {{"servers", "3"}, {"kill", "leader:4s"}, {"replicas", "3"}};
  });
  panel_.resize(360, 700);
  QApplication::processEvents();
  const auto* said = find<QLabel>("Plan of the queue");
  ASSERT_TRUE(find<QAbstractButton>("Show all of the plan of the queue")->isVisible());
  const QString dot = QString::fromUtf8(" ·");
  std::vector<int> ends;
  for (auto at = said->text().indexOf(dot); at >= 0; at = said->text().indexOf(dot, at + 1))
    ends.push_back(qCeil(said->fontMetrics().horizontalAdvance(said->text().left(at) + dot)));
  EXPECT_THAT(ends, testing::Contains(testing::AllOf(testing::Ge(said->width() - 2), testing::Le(said->width() + 2))))
      << said->width();
}

TEST_F(QueuePanelTest, SaysHowLongReceiversWaitWhereThatIsNotWhatIsSet) {
  const auto beside = [this] {
    return find<QWidget>("Bus quiet time")->property(theme::kAlsoCalled).toString().toStdString();
  };
  choose("Bus", "NATS JetStream");
  EXPECT_EQ(beside(), "");
  editor_.edit("servers", [](plan::PlanFile& file) { file.base.bus.settings["servers"] = "3"; });
  EXPECT_EQ(beside(), "15 s in these runs");
}

TEST_F(QueuePanelTest, SaysWhatAKillIsByTheNamesOfTheFormInLinesThatFindRoom) {
  choose("Bus", "NATS JetStream");
  const QString tip = find<QWidget>("Bus kill")->toolTip();
  EXPECT_THAT(tip.toStdString(), testing::StartsWith("Which server of Bus servers is killed"));
  EXPECT_FALSE(tip.contains("bus."));
  for (const QString& line : tip.split('\n')) EXPECT_LE(line.size(), 100) << line.toStdString();
}

TEST_F(QueuePanelTest, SaysWhyAModeIsNotThere) {
  EXPECT_TRUE(find<QAbstractButton>("Queue mode broadcaster")->isEnabled());
  choose("Bus", "HTTP/1.1");
  const auto* broadcaster = find<QAbstractButton>("Queue mode broadcaster");
  EXPECT_FALSE(broadcaster->isEnabled());
  EXPECT_EQ(broadcaster->toolTip(), "HTTP/1.1 has no broadcaster; choose another mode, or another bus.");
  EXPECT_TRUE(find<QAbstractButton>("Queue mode load balancer")->isChecked());
  EXPECT_TRUE(find<QAbstractButton>("Queue mode request-reply")->isEnabled());
  choose("Bus", "WebSocket");
  EXPECT_TRUE(find<QAbstractButton>("Queue mode broadcaster")->isChecked()) << "as it was";
}

TEST_F(QueuePanelTest, OffersRepliesFromAllOnlyWhereTheBusCanBringThem) {
  choose("Bus", "WebSocket");
  find<QAbstractButton>("Queue mode request-reply")->click();
  EXPECT_TRUE(shows("Reply from"));
  EXPECT_EQ(find<QComboBox>("Reply from")->currentText(), "one replier");
  choose("Bus", "HTTP/1.1");
  EXPECT_FALSE(shows("Reply from"));
  choose("Bus", "N2NQ");
  EXPECT_TRUE(shows("Reply from"));
}

TEST_F(QueuePanelTest, AsksAllWhereTheBusCannotChooseOne) {
  choose("Bus", "Redis pub/sub");
  find<QAbstractButton>("Queue mode request-reply")->click();
  EXPECT_EQ(find<QComboBox>("Reply from")->currentText(), "first of all");
  EXPECT_THAT(plan::problems_of(editor_.plan()), IsEmpty());
  editor_.undo();
  EXPECT_EQ(editor_.plan().queue.mode, plan::Mode::broadcaster) << "in one step";
  EXPECT_EQ(editor_.plan().queue.reply_from, plan::ReplyFrom::one);
}

TEST_F(QueuePanelTest, TakesTheSettingsOfABusByTheirKinds) {
  choose("Bus", "HTTP/1.1");
  choose("Bus connection", "fresh");
  find<QAbstractButton>("Bus TLS")->click();
  type("Bus quiet time", "250 ms");
  type("Bus connection limit text", "1000");
  using Settings = std::map<std::string, std::string>;
  EXPECT_EQ(editor_.plan().bus.settings,
            (Settings{{"connection", "fresh"}, {"connections", "1000"}, {"quiet", "250ms"}, {"tls", "true"}}));
  EXPECT_THAT(panel_.troubles(), IsEmpty());
  type("Bus quiet time", "1 ms");
  ASSERT_THAT(panel_.troubles(), SizeIs(1));
  EXPECT_EQ(panel_.troubles().front().text, "\"1ms\" is not a value for it: duration, 10ms to 1h");
}

// Though others have settings between these.
TEST_F(QueuePanelTest, LeavesNoHolesBetweenTheSettingsOfABus) {
  constexpr int kRowAndHeading = 64;
  for (const char* bus : {"NATS JetStream", "Redis Streams", "HTTP/1.1", "Kafka"}) {
    SCOPED_TRACE(bus);
    choose("Bus", bus);
    panel_.layout()->activate();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    std::vector<int> rows;
    for (const auto* widget : panel_.findChildren<QWidget*>())
      if (widget->accessibleName().startsWith("Bus ") && widget->isVisibleTo(&panel_))
        rows.push_back(widget->mapTo(&panel_, QPoint()).y());
    std::ranges::sort(rows);
    ASSERT_GT(rows.size(), 4u);
    // Host and mode stand between the profile and the settings.
    for (size_t i = 2; i < rows.size(); i++) EXPECT_LT(rows[i] - rows[i - 1], kRowAndHeading) << i;
  }
}

TEST_F(QueuePanelTest, HasWhatTheProfileSaysWhereNothingIsTyped) {
  EXPECT_FALSE(shows("Bus profile"));
  choose("Bus", "HTTP/1.1");
  EXPECT_FALSE(shows("Bus profile")) << "it has none";
  choose("Bus", "Redis Streams");
  EXPECT_TRUE(shows("Bus profile"));
  EXPECT_FALSE(shows("Reset to the profile")) << "nothing is set";
  const auto window = [this] { return find<PlanLineEdit>("Bus unanswered text")->text(); };
  const auto fetch = [this] { return find<PlanLineEdit>("Bus read at once text")->text(); };
  EXPECT_EQ(window(), "1,000");
  choose("Bus profile", "throughput");
  EXPECT_EQ(window(), "10,000");
  EXPECT_EQ(fetch(), "1,000");
  type("Bus read at once text", "50");
  EXPECT_TRUE(shows("Reset to the profile"));
  EXPECT_TRUE(find<QWidget>("Bus read at once")->toolTip().contains("Set here. The profile would set 1,000"));
  choose("Bus profile", "latency");
  EXPECT_EQ(window(), "100");
  EXPECT_EQ(fetch(), "50") << "as it was typed";
  find<QAbstractButton>("Reset to the profile")->click();
  EXPECT_EQ(fetch(), "100");
  EXPECT_FALSE(shows("Reset to the profile"));
  type("Bus unanswered text", "7");
  EXPECT_EQ(window(), "7");
  auto* edit = find<PlanLineEdit>("Bus unanswered text");
  edit->selectAll();
  QTest::keyClick(edit, Qt::Key_Delete);
  EXPECT_THAT(panel_.troubles(), IsEmpty());
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_EQ(window(), "100") << "left to the profile again";
  EXPECT_FALSE(shows("Reset to the profile"));
}

TEST_F(QueuePanelTest, KeepsWhatIsTypedForOtherBusesHalfTypedOrNot) {
  type("Remove after text", "30 s");
  type("Queue tries text", "9");
  type("Queue memory limit", "1 Gi");
  choose("Bus", "HTTP/1.1");
  EXPECT_THAT(panel_.troubles(), IsEmpty()) << "nobody looks at what is not there";
  type("Bus quiet time", "2 ");
  ASSERT_THAT(panel_.troubles(), SizeIs(1));
  choose("Bus", "N2NQ");
  EXPECT_EQ(find<PlanLineEdit>("Remove after text")->text(), "30 s");
  EXPECT_EQ(find<PlanLineEdit>("Queue memory limit")->text(), "1 Gi");
  EXPECT_EQ(editor_.plan().queue.tries, 9u);
  ASSERT_THAT(panel_.troubles(), SizeIs(1));
  EXPECT_EQ(panel_.troubles().front().key, "queue.max_memory");
  choose("Bus", "WebSocket");
  EXPECT_EQ(find<PlanLineEdit>("Bus quiet time")->text(), "2 ");
}

TEST_F(QueuePanelTest, ShowsWhatTheBusDoesNotHaveWhereThePlanHasIt) {
  choose("Bus", "HTTP/1.1");
  EXPECT_FALSE(shows("Remove after"));
  plan::PlanFile file = editor_.file();
  file.base.queue.retention_ns = 30'000'000'000;
  file.base.queue.tries = 9;
  editor_.reset(file);
  panel_.show_problems(plan::problems_of(editor_.plan()));
  for (const char* field : {"Remove after", "Queue tries"}) EXPECT_TRUE(shows(field)) << field;
  for (const char* field : {"Receiver requests", "Queue seed"}) EXPECT_FALSE(shows(field)) << field;
  EXPECT_EQ(find<PlanLineEdit>("Remove after text")->text(), "30 s");
  type("Remove after text", "5 s");
  EXPECT_FALSE(shows("Remove after"));
}

TEST_F(QueuePanelTest, TakesAChoiceBackInOneStep) {
  type("Remove after text", "30 s");
  const plan::RunPlan before = editor_.plan();
  choose("Bus", "HTTP/1.1");
  EXPECT_EQ(editor_.undo_text(), "Undo bus");
  editor_.undo();
  EXPECT_EQ(editor_.plan(), before);
  EXPECT_EQ(find<QComboBox>("Bus")->currentText(), "N2NQ");
  EXPECT_EQ(find<PlanLineEdit>("Remove after text")->text(), "30 s");
}

// As of every other field: in the card's own line, so that nothing moves under whoever types.
TEST_F(QueuePanelTest, SaysWhatIsWrongWithRunsAndLimitsWithoutMovingThem) {
  const auto line = [this] { return find<QLabel>("Plan of the queue")->text().toStdString(); };
  const std::string plain = line();
  for (const auto& [field, wrong] : {std::pair("Runs", "queue.mood=good"), {"Limits", "p98 <= 5 ms"}}) {
    auto* edit = find<PlanLineEdit>(field);
    const auto place = [&] { return QRect(edit->mapTo(&panel_, QPoint()), edit->size()); };
    QTest::qWait(0);
    const QRect before = place();
    type(field, wrong);
    QTest::qWait(0);
    EXPECT_THAT(line(), StartsWith(std::string(field) + ": "));
    EXPECT_TRUE(edit->property(theme::kWrong).toBool());
    EXPECT_EQ(place(), before) << field;
    edit->clear();
    Q_EMIT edit->textEdited({});
    EXPECT_EQ(line(), plain);
    EXPECT_FALSE(edit->property(theme::kWrong).toBool());
  }
  type("Limits", "p98 <= 5 ms");
  type("Runs", "queue.mood=good");
  EXPECT_THAT(line(), AllOf(StartsWith("Runs: "), testing::HasSubstr("; Limits: "))) << "neither hides the other";
  for (const char* field : {"Runs", "Limits"}) {
    find<PlanLineEdit>(field)->clear();
    Q_EMIT find<PlanLineEdit>(field)->textEdited({});
  }
  // Of what is understood, and yet cannot be run.
  type("Limits", "timeouts <= 3");
  panel_.show_problems(plan::problems_of(editor_.plan()));
  EXPECT_THAT(line(), AllOf(StartsWith("Limits: timeouts is of replies"), Not(HasSubstr("queue.mode"))));
  panel_.show_problems({{.key = "runs", .text = "run 2: Delay: too long"}});
  EXPECT_THAT(line(), "Runs: run 2: Delay: too long");
}

}  // namespace
}  // namespace n2nq::ui
