// The bus as a choice: what another one has no place for is not offered, comes back with our own, and a run says what
// its messages travelled over.
#include <QTextBrowser>

#include "tests/gui/window_rig.h"
#include "tests/helpers/bus_servers.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class Bus : public WindowRig {};

TEST_F(Bus, OffersWhatItHasAndGivesTheRestBackWithOurOwn) {
  open_window();
  type("Remove after text", "30 s");
  set_checked("Receiver requests", true);
  EXPECT_FALSE(shows("What the bus is"));
  choose("Bus", "HTTP/1.1");
  EXPECT_TRUE(shows("What the bus is"));
  for (const char* gone : {"Remove after", "Receiver responses", "Receiver requests", "Edit filters", "Make request"})
    EXPECT_FALSE(shows(gone)) << gone;
  EXPECT_FALSE(find("Queue mode broadcaster")->isEnabled());
  EXPECT_THAT(find("Queue mode broadcaster")->toolTip().toStdString(), HasSubstr("HTTP/1.1 has no broadcaster"));
  EXPECT_TRUE(find("Start all")->isEnabled()) << "a plan that can be run";
  choose("Bus connection", "fresh");
  type("Bus quiet time", "1 ms");
  EXPECT_FALSE(find("Start all")->isEnabled());
  choose("Bus", "N2NQ");
  EXPECT_TRUE(find("Start all")->isEnabled()) << "nobody looks at it";
  EXPECT_EQ(text_of("Remove after text"), "30 s");
  EXPECT_TRUE(find_as<QAbstractButton>("Receiver requests")->isChecked());
  EXPECT_TRUE(find_as<QAbstractButton>("Queue mode broadcaster")->isChecked());
  choose("Bus", "HTTP/1.1");
  EXPECT_EQ(text_of("Bus quiet time"), "1 ms");
  EXPECT_EQ(find_as<QComboBox>("Bus connection")->currentText(), "fresh");
}

TEST_F(Bus, HasFieldsThatFollowItsProfileUnlessTheyAreSet) {
  open_window();
  choose("Bus", "Redis Streams");
  EXPECT_EQ(text_of("Bus unanswered text"), "1,000");
  choose("Bus profile", "throughput");
  EXPECT_EQ(text_of("Bus unanswered text"), "10,000");
  EXPECT_EQ(text_of("Bus read at once text"), "1,000");
  type("Bus read at once text", "50");
  EXPECT_TRUE(shows("Reset to the profile"));
  choose("Bus profile", "latency");
  EXPECT_EQ(text_of("Bus unanswered text"), "100");
  EXPECT_EQ(text_of("Bus read at once text"), "50");
  EXPECT_TRUE(find("Start all")->isEnabled());
  click("Reset to the profile");
  EXPECT_EQ(text_of("Bus read at once text"), "100");
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(text_of("Bus read at once text"), "50");
}

TEST_F(Bus, IsFoundByTheNameOfOneThatIsNotThereYet) {
  open_window();
  key(Qt::Key_K, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Command"); }));
  QTest::keyClicks(find("Command"), "zeromq");
  key(Qt::Key_Return);
  ASSERT_TRUE(wait([&] { return shows("Help text"); }));
  const QString page = find_as<QTextBrowser>("Help text")->toPlainText();
  EXPECT_TRUE(page.contains("MQTT and ZeroMQ cannot be"));
  for (const char* there : {"n2nq", "redis-pubsub", "redis-streams", "nats", "jetstream", "rabbitmq", "kafka", "relay",
                            "http", "websocket"})
    EXPECT_TRUE(page.contains(there)) << there;
}

class BusRun : public WindowRig, public testing::WithParamInterface<const char*> {
 protected:
  static void SetUpTestSuite() { put_servers_into_path(); }
  std::string server() const {
    const std::string bus = GetParam();
    if (bus == "RabbitMQ") return "rabbitmq-server";
    if (bus == "Kafka") return "Kafka";
    if (bus == "Bare relay") return "n2nq-relay";
    return bus.starts_with("Redis") ? "redis-server" : bus.starts_with("NATS") ? "nats-server" : "";
  }
  bool answers() const {
    const std::string bus = GetParam();
    return bus != "WebSocket" && bus != "NATS" && bus != "Bare relay";
  }
  QString value(const QString& table, const QString& name) const {
    for (int row = 0; row < rows(table); row++)
      if (cell(table, row, "Total") == name) return cell(table, row, "Value");
    ADD_FAILURE() << "no row " << name.toStdString();
    return {};
  }
};

TEST_P(BusRun, SaysWhatItsMessagesTravelledOverAndNothingThatItCannotKnow) {
  open_window();
  choose("Bus", GetParam());
  if (std::string(GetParam()) != "Redis pub/sub") set_checked("Queue mode load balancer", true);
  short_run();
  EXPECT_THAT(text_of("Queue in short").toStdString(), HasSubstr(GetParam()));
  EXPECT_EQ(text_of("Queue: in flight"), "0");
  for (const std::string program : {"redis-server", "nats-server", "rabbitmq-server", "Kafka", "n2nq-relay"})
    EXPECT_EQ(shows(("Process " + program).c_str()), program == server());
  key(Qt::Key_2, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Results") && rows("Results") == 1 && shows("All figures of the result"); }));
  click("All figures of the result");
  ASSERT_TRUE(wait([&] { return shows("Totals") && rows("Totals") > 0; }));
  EXPECT_EQ(cell("Results", 0, "Bus"), GetParam());
  // Partitions overtake each other, and that is no loss.
  if (std::string(GetParam()) != "Kafka") {
    EXPECT_EQ(value("Totals", "Losses"), "No losses");
  }
  EXPECT_EQ(value("Totals", "Messages accepted"), answers() ? "40" : "not known");
  // Receivers of Kafka ask while they wait, so that few messages may take kilobytes each.
  const QString unit = std::string(GetParam()) == "Kafka" ? "B" : " B";
  EXPECT_TRUE(value("Totals", "On the wire, a message").endsWith(unit)) << "with headers, more than its payload";
}

INSTANTIATE_TEST_SUITE_P(Buses, BusRun,
                         testing::Values("HTTP/1.1", "WebSocket", "Redis pub/sub", "Redis Streams", "NATS",
                                         "NATS JetStream", "RabbitMQ", "Kafka", "Bare relay"),
                         [](const auto& one) {
                           std::string name(one.param);
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace n2nq::test
