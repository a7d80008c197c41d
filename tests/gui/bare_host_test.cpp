// A host without a shell, where processes keep no logs: said where a log is asked for.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/gui/window_rig.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;

class BareHost : public WindowRig {
 protected:
  void write_hosts() const {
    const auto guard = dir_ / "no-shell";
    std::ofstream(guard) << "#!/bin/sh\n[ \"$1\" = /bin/sh ] && exit 127\nexec \"$@\"\n";
    std::filesystem::permissions(guard, std::filesystem::perms(0755));
    std::filesystem::create_directories(data());
    std::ofstream(data() / "hosts.json")
        << R"({"version": 1, "hosts": [{"name": "bare", "kind": "command", "data_address": "127.0.0.1", "command": ")"
        << guard.string() << R"( {command}", "work_folder": ")" << N2NQ_BUILT_BIN_DIR << R"("}]})";
  }
};

TEST_F(BareHost, SaysWhyThereIsNoLog) {
  write_hosts();
  open_window();
  if (shows("Not now")) click("Not now");
  choose("Queue host", "bare");
  choose("Senders source", "internal");
  short_run();
  const std::string why = "bare has no shell: its processes keep no log files.";
  find_as<QTableView>("Senders")->selectRow(0);
  find_as<QTableView>("Senders")->setFocus();
  key(Qt::Key_L, Qt::ControlModifier);
  ASSERT_TRUE(wait([&] { return shows("Notice"); })) << text_of("Message").toStdString();
  EXPECT_EQ(text_of("Notice").toStdString(), "No log of sender 1: " + why);
}

}  // namespace
}  // namespace n2nq::test
