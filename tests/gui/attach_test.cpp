// Workers that somebody started by hand take part in a run of the window.
#include <fstream>

#include "tests/gui/window_rig.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

class Attach : public WindowRig {
 protected:
  Attach() {
    std::ofstream(token_) << "s3cret\n";
    std::filesystem::permissions(token_, std::filesystem::perms::owner_read);
  }
  static std::string address(const ReservedPort& port) { return "127.0.0.1:" + std::to_string(port.number()); }
  Process by_hand(const std::string& program, const Options& options) const {
    Options argv{test::program(program), "--broker",    address(queue_), "--token-file", token_.string(), "--control",
                 address(control_),      "--telemetry", "100ms",         "--log-dir",    theirs_.string()};
    argv.insert(argv.end(), options.begin(), options.end());
    return Process(argv);
  }
  void attach(const QString& role) {
    choose(role + " source", "by address");
    type(role + " address", QString::fromStdString(address(control_)));
    if (!shows("Queue listen")) click("More settings of the queue");
    type("Queue listen", QString::fromStdString(address(queue_)));
    type("Queue token file", QString::fromStdString(token_.string()));
  }
  void expect_passed(Process& theirs) {
    EXPECT_TRUE(wait([&] { return shows("Message") && text_of("Message").contains("passed"); }))
        << text_of("Message").toStdString();
    EXPECT_EQ(number(cell("Receivers", 0, "Received")), 120);
    EXPECT_EQ(number(cell("Senders", 0, "Sent")), 40);
    EXPECT_EQ(theirs.wait_exit(20s), Exit{.code = 0}) << theirs.err();
  }

  std::filesystem::path token_ = dir_ / "token";
  std::filesystem::path theirs_ = dir_ / "theirs";
  ReservedPort queue_, control_;
};

TEST_F(Attach, SendersOfSomebodyElseTakePart) {
  open_window();
  type("Senders amount text", "3");
  type("Senders messages text", "40");
  type("Senders delay", "10 ms");
  type("Receivers amount text", "2");
  attach("Senders");
  Process theirs = by_hand("n2nq-sender", {"--count", "3", "--messages", "40", "--delay", "10ms"});
  ASSERT_TRUE(await_json(theirs, "ready").contains("port")) << "the bench attaches once";
  click("Start all");
  expect_passed(theirs);
  EXPECT_EQ(read_logs(theirs_, "sender").at(2).rows.size(), 40u);
}

TEST_F(Attach, ReceiversOfSomebodyElseTakePart) {
  open_window();
  type("Senders amount text", "3");
  type("Senders messages text", "40");
  type("Senders delay", "10 ms");
  type("Receivers amount text", "2");
  attach("Receivers");
  Process theirs = by_hand("n2nq-receiver", {"--count", "2"});
  ASSERT_TRUE(await_json(theirs, "ready").contains("port")) << "the bench attaches once";
  click("Start all");
  expect_passed(theirs);
  EXPECT_EQ(read_logs(theirs_, "receiver").at(2).rows.size(), 120u);
}

}  // namespace
}  // namespace n2nq::test
