// What the window asks of the desktop, on message buses of the test's own.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>
#include <QDBusVirtualObject>
#include <QTest>
#include <array>
#include <optional>

#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "ui/theme/verdict_status.h"
#include "ui/window/desktop_notice.h"
#include "ui/window/long_work_watch.h"
#include "ui/window/look_choice.h"
#include "ui/window/sleep_guard.h"

namespace n2nq::ui {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kPatienceMs = 20'000;

bool wait(const std::function<bool()>& condition) {
  return QTest::qWaitFor(condition, kPatienceMs);
}

// A lock of the login service: open for as long as somebody else holds its far end.
class Lock {
 public:
  Lock() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Lock() {
    ::close(ends_[0]);
    give_away();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  QDBusUnixFileDescriptor far_end() const { return QDBusUnixFileDescriptor(ends_[1]); }
  void give_away() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  bool held() const {
    pollfd end{.fd = ends_[0], .events = POLLIN, .revents = 0};
    return ::poll(&end, 1, 0) == 0;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// A service that notes what it is asked.
class Asked : public QDBusVirtualObject {
 public:
  QString introspect(const QString&) const override { return {}; }
  bool handleMessage(const QDBusMessage& message, const QDBusConnection&) override {
    calls.push_back(message);
    return true;
  }
  std::vector<QDBusMessage> calls;
};

class Desktop : public testing::Test {
 protected:
  // Qt connects to each bus once in the life of a program.
  static void SetUpTestSuite() {
    if (bus_) return;
    dir_.emplace();
    const std::string address = "--address=unix:dir=" + dir_->path().string();
    bus_.emplace(std::vector<std::string>{"/usr/bin/env", "dbus-daemon", "--session", "--nofork", "--nopidfile",
                                          address, "--print-address=1"});
    const auto said = bus_->next_line(milliseconds(kPatienceMs));
    ASSERT_TRUE(said) << bus_->err();
    qputenv("DBUS_SESSION_BUS_ADDRESS", said->c_str());
    qputenv("DBUS_SYSTEM_BUS_ADDRESS", said->c_str());
    QDBusConnection services = QDBusConnection::connectToBus(QString::fromStdString(*said), "services");
    ASSERT_TRUE(services.registerService("org.freedesktop.login1"));
    ASSERT_TRUE(services.registerService("org.freedesktop.Notifications"));
    ASSERT_TRUE(services.registerService("org.freedesktop.portal.Desktop"));
  }
  Desktop() {
    EXPECT_TRUE(services().registerVirtualObject("/org/freedesktop/login1", &login_));
    EXPECT_TRUE(services().registerVirtualObject("/org/freedesktop/Notifications", &notifications_));
    EXPECT_TRUE(services().registerVirtualObject("/org/freedesktop/portal/desktop", &portal_));
  }
  ~Desktop() override {
    services().unregisterObject("/org/freedesktop/login1");
    services().unregisterObject("/org/freedesktop/Notifications");
    services().unregisterObject("/org/freedesktop/portal/desktop");
  }
  static QDBusConnection services() { return QDBusConnection("services"); }
  bool wait_asked(size_t times = 1) {
    return wait([&] { return login_.calls.size() >= times; });
  }
  void grant() {
    services().send(login_.calls.back().createReply(QVariant::fromValue(lock_.far_end())));
    lock_.give_away();
  }
  // What was answered before has come by then: it goes the same way.
  void hear_the_answer() {
    const size_t before = login_.calls.size();
    const QDBusPendingCall call = QDBusConnection::systemBus().asyncCall(QDBusMessage::createMethodCall(
        "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "CanSuspend"));
    ASSERT_TRUE(wait_asked(before + 1));
    services().send(login_.calls.back().createReply("yes"));
    ASSERT_TRUE(wait([&] { return call.isFinished(); }));
    QCoreApplication::processEvents();
  }
  std::string notice(size_t index, int argument) const {
    return notifications_.calls.at(index).arguments().at(argument).toString().toStdString();
  }
  bool wait_noticed(size_t times) {
    return wait([&] { return notifications_.calls.size() >= times; });
  }

  // To the end of the program.
  static inline std::optional<test::TempDir> dir_;
  static inline std::optional<test::Process> bus_;
  Asked login_, notifications_, portal_;
  Lock lock_;
};

TEST_F(Desktop, IsKeptAwakeWhileTheGuardIsActive) {
  SleepGuard guard;
  guard.set_active(true);
  ASSERT_TRUE(wait_asked());
  EXPECT_EQ(login_.calls[0].member(), "Inhibit");
  EXPECT_EQ(login_.calls[0].arguments().at(0), "sleep:idle");
  EXPECT_EQ(login_.calls[0].arguments().at(1), "N2NQ Bench");
  EXPECT_EQ(login_.calls[0].arguments().at(3), "block");
  grant();
  hear_the_answer();
  EXPECT_TRUE(lock_.held());
  guard.set_active(false);
  EXPECT_FALSE(lock_.held());
}

TEST_F(Desktop, IsNotKeptAwakeByAnAnswerThatCameTooLate) {
  SleepGuard guard;
  guard.set_active(true);
  ASSERT_TRUE(wait_asked());
  guard.set_active(false);
  grant();
  EXPECT_TRUE(wait([&] { return !lock_.held(); }));
}

TEST_F(Desktop, IsToldATitleAndAText) {
  notify_desktop("quick: passed", "all was received");
  ASSERT_TRUE(wait_noticed(1));
  EXPECT_EQ(notifications_.calls[0].member(), "Notify");
  EXPECT_EQ(notice(0, 0), "N2NQ Bench");
  EXPECT_EQ(notice(0, 3), "quick: passed");
  EXPECT_EQ(notice(0, 4), "all was received");
}

TEST_F(Desktop, IsToldNoMarkup) {
  notify_desktop("a & b", "<b>vm1</b> & <img src=\"x\">");
  ASSERT_TRUE(wait_noticed(1));
  EXPECT_EQ(notice(0, 3), "a & b");
  EXPECT_EQ(notice(0, 4), "&lt;b&gt;vm1&lt;/b&gt; &amp; &lt;img src=&quot;x&quot;&gt;");
}

// What the portal says of light and dark: 1 dark, 2 light, 0 neither.
class DesktopLook : public Desktop {
 protected:
  ~DesktopLook() override { theme::apply(*qApp, theme::Appearance::light); }
  void answer(uint scheme) {
    ASSERT_TRUE(wait([this] { return !portal_.calls.empty(); }));
    EXPECT_EQ(portal_.calls[0].member(), "Read");
    EXPECT_EQ(portal_.calls[0].arguments(), QVariantList({"org.freedesktop.appearance", "color-scheme"}));
    const QVariant inner = QVariant::fromValue(QDBusVariant(scheme));
    services().send(portal_.calls[0].createReply(QVariant::fromValue(QDBusVariant(inner))));
  }
  static void change(const char* group, uint scheme) {
    auto signal = QDBusMessage::createSignal("/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings",
                                             "SettingChanged");
    signal << group << "color-scheme" << QVariant::fromValue(QDBusVariant(scheme));
    services().send(signal);
  }

  test::TempDir folder_;
  QSettings settings_{QString::fromStdString((folder_ / "window.ini").string()), QSettings::IniFormat};
};

TEST_F(DesktopLook, IsFollowedWhileTheBenchRuns) {
  LookChoice look(settings_);
  answer(1);
  EXPECT_TRUE(wait([] { return theme::is_dark(); }));
  change("org.freedesktop.appearance", 2);
  EXPECT_TRUE(wait([] { return !theme::is_dark(); }));
  change("org.freedesktop.other", 1);
  change("org.freedesktop.appearance", 0);
  EXPECT_TRUE(wait([&] { return !look.desktop_is_dark(); }));
  EXPECT_FALSE(theme::is_dark());
}

TEST_F(DesktopLook, CountsForNothingWhereTheUserSelectedAnother) {
  LookChoice look(settings_);
  look.select(theme::Appearance::light);
  answer(1);
  EXPECT_TRUE(wait([&] { return look.desktop_is_dark() == true; }));
  EXPECT_FALSE(theme::is_dark());
  look.select(theme::Appearance::system);
  EXPECT_TRUE(theme::is_dark());
}

TEST_F(DesktopLook, TheTypefaceIsASettingToo) {
  {
    LookChoice look(settings_);
    EXPECT_EQ(look.typeface(), theme::Typeface::inter);
    look.select(theme::Typeface::system);
  }
  const LookChoice look(settings_);
  EXPECT_EQ(look.typeface(), theme::Typeface::system);
  EXPECT_FALSE(QApplication::font().family().contains("Inter"));
}

// Runs that end at once, for there is nothing to start.
class Watched : public Desktop {
 protected:
  void run(milliseconds long_run) {
    const std::unique_ptr<LongWorkWatch> watched(watch(sequence_, &window_, long_run));
    ASSERT_TRUE(sequence_.start_all({.base = {.name = "nightly"}}));
    ASSERT_TRUE(wait_asked());
    grant();
    ASSERT_TRUE(wait([this] { return !sequence_.active(); }));
  }
  // All that were shown before this one.
  size_t notices() {
    notify_desktop("last", "");
    EXPECT_TRUE(
        wait([this] { return !notifications_.calls.empty() && notice(notifications_.calls.size() - 1, 3) == "last"; }));
    return notifications_.calls.size() - 1;
  }
  static constexpr milliseconds kAlways{-1};

  QWidget window_;
  test::TempDir folder_;
  run::RunSequence sequence_{{.programs = "/nonexistent", .runs_folder = folder_ / "runs"}, nullptr};
};

TEST_F(Watched, ALongRunKeepsTheComputerAwakeAndItsEndIsTold) {
  run(kAlways);
  EXPECT_TRUE(wait([&] { return !lock_.held(); })) << "it may sleep again";
  ASSERT_EQ(notices(), 1u);
  EXPECT_THAT(notice(0, 3), HasSubstr("nightly: failed"));
  EXPECT_THAT(notice(0, 4), testing::Not(IsEmpty()));
}

TEST_F(Watched, AShortRunIsNotTold) {
  run(std::chrono::hours(1));
  EXPECT_EQ(notices(), 0u);
}

TEST_F(Watched, NothingIsToldToWhoLooksAtTheWindow) {
  window_.show();
  window_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
  run(kAlways);
  EXPECT_EQ(notices(), 0u);
}

TEST(GravestRun, IsTheOneThatFailedWhenever) {
  std::vector<record::RunRecord> records(3);
  records[0].verdict = record::Verdict::stopped;
  records[1].verdict = record::Verdict::failed;
  records[2].verdict = record::Verdict::passed;
  EXPECT_EQ(&theme::gravest(records), &records[1]);
  records[2].verdict = record::Verdict::exceeded;
  records[2].passed_limits = {{.metric = "p99", .fails = true}};
  EXPECT_EQ(&theme::gravest(records), &records[1]) << "a limit is the lesser failure";
  EXPECT_EQ(theme::status_of(records[2].verdict, records[2].passed_limits), theme::Status::bad);
  records[2].verdict = record::Verdict::passed;
  records[2].passed_limits.front().fails = false;
  EXPECT_EQ(theme::status_of(records[2].verdict, records[2].passed_limits), theme::Status::warning);
}

}  // namespace
}  // namespace n2nq::ui
