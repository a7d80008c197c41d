#include "tests/gui/lab_rig.h"

#include <QDialog>
#include <QLineEdit>
#include <QTimer>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/gui/widgets.h"

namespace n2nq::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHosts[] = {"vm1", "vm2", "vm3", "gate"};

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) names.push_back(entry.path().filename());
  return names;
}

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

LabRig::LabRig() {
  fs::create_directories(dir_ / "home");
  qputenv("HOME", (dir_ / "home").c_str());
  qunsetenv("SSH_AUTH_SOCK");
}

LabRig::~LabRig() {
  close_window();
  qputenv("HOME", home_);
  if (!agent_.isNull()) qputenv("SSH_AUTH_SOCK", agent_);
}

void LabRig::SetUp() {
  if (const auto reason = Lab::why_not()) GTEST_SKIP() << *reason;
  lab_ = std::make_unique<Lab>(N2NQ_BUILT_BIN_DIR "/for-hosts");
  lab_->enter();
}

void LabRig::TearDown() {
  close_window();
  if (!lab_) return;
  for (const char* host : kHosts) {
    EXPECT_TRUE(lab_->wait_no_process(host, Deadline(20s)))
        << host << ": " << testing::PrintToString(lab_->processes(host));
    EXPECT_THAT(names_in(lab_->home(host) / ".cache/n2nq-bench/runs"), testing::IsEmpty()) << host;
  }
}

std::string LabRig::ssh_config(const Lab& lab, const std::string& host, const std::string& key) {
  std::string text = "Host " + host + "\n  HostName " + lab.address(host) + "\n  User " + Lab::kUser + "\n";
  if (!key.empty()) text += "  IdentityFile " + key + "\n";
  if (host == "vm3") text += "  ProxyJump gate\n";
  return text;
}

void LabRig::write_ssh_config(const std::string& text) const {
  fs::create_directories(dir_ / "home" / ".ssh");
  std::ofstream(dir_ / "home" / ".ssh" / "config") << text;
}

void LabRig::import_hosts() {
  click("Take over from SSH config");
  ASSERT_TRUE(wait([&] { return shows("Import checked hosts"); }));
  click("Import checked hosts");
  window().activateWindow();
  EXPECT_TRUE(wait([&] { return QApplication::focusWidget() != nullptr && window().isActiveWindow(); }));
}

void LabRig::write_known_list(const std::vector<std::string>& split) const {
  nlohmann::json list = nlohmann::json::array();
  for (const std::string name : kHosts) {
    nlohmann::json host{{"name", name},
                        {"address", lab_->address(name)},
                        {"user", Lab::kUser},
                        {"key_file", lab_->key()},
                        {"data_address", lab_->data_address(name)}};
    if (name == "vm3") host["jump"] = "gate";
    list.push_back(host);
  }
  for (const std::string& more : split) list.push_back(nlohmann::json::parse(more));
  fs::create_directories(data());
  std::ofstream(data() / "hosts.json") << nlohmann::json{{"version", 1}, {"hosts", list}}.dump(2);
  fs::create_directories(dir_ / "home" / ".ssh");
  fs::copy_file(lab_->known_hosts(), dir_ / "home" / ".ssh" / "known_hosts");
}

void LabRig::open_page_hosts() {
  open_window();
  if (shows("Not now")) click("Not now");
  key(Qt::Key_3, Qt::ControlModifier);
  ASSERT_TRUE(shows("Hosts") || shows("Take over from SSH config"));
}

void LabRig::choose_host(const std::string& name) {
  auto* table = find_as<QTableView>("Hosts");
  for (int row = 0; row < rows("Hosts"); row++) {
    if (cell("Hosts", row, "Name").toStdString() != name) continue;
    table->setFocus();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(table->model()->index(row, 0)).center());
    EXPECT_EQ(text_of("Host name").toStdString(), name);
    EXPECT_EQ(QApplication::focusWidget(), table);
    return;
  }
  ADD_FAILURE() << "there is no host " << name << " in the list";
}

std::string LabRig::host_cell(const std::string& name, const QString& column) const {
  for (int row = 0; row < rows("Hosts"); row++)
    if (cell("Hosts", row, "Name").toStdString() == name) return cell("Hosts", row, column).toStdString();
  return {};
}

// It is asked within the window.
QDialog* LabRig::question() {
  for (QWidget* widget : QApplication::allWidgets())
    if (auto* dialog = qobject_cast<QDialog*>(widget); dialog != nullptr && dialog->isVisible()) return dialog;
  return nullptr;
}

QDialog* LabRig::wait_question(const std::string& title) const {
  const bool came = wait([&] { return question() != nullptr && question()->windowTitle().contains(qt(title)); });
  EXPECT_TRUE(came) << "no question " << title << " but "
                    << (question() != nullptr ? question()->windowTitle().toStdString() : "none");
  if (!came) return nullptr;
  // On the offscreen platform a list that was open stays the active window.
  if (QGuiApplication::platformName() == QStringLiteral("offscreen")) window().activateWindow();
  EXPECT_TRUE(wait([] { return question()->isAncestorOf(QApplication::focusWidget()); }, kPatienceMs))
      << "keys do not reach it";
  return question();
}

void LabRig::accept_key(const std::string& host) {
  ASSERT_NE(wait_question("Unknown host key of " + host), nullptr);
  EXPECT_EQ(text_of("Fingerprint").toStdString(), lab_->fingerprint(host));
  EXPECT_EQ(text_of("Key type"), "ssh-ed25519");
  click("Accept key");
}

void LabRig::answer(const std::string& title, const std::string& text) {
  ASSERT_NE(wait_question(title), nullptr);
  auto* edit = find_as<QLineEdit>("Answer");
  ASSERT_NE(edit, nullptr);
  EXPECT_EQ(edit->echoMode(), QLineEdit::Password);
  QTest::keyClicks(edit, qt(text));
  click("Log in");
}

void LabRig::answer_if_asked() {
  if (question() == nullptr) return;
  const std::string title = question()->windowTitle().toStdString();
  const std::string host = title.starts_with("vm2 asks") ? "vm2" : title.substr(title.rfind(' ') + 1);
  if (title.starts_with("Unknown host key")) {
    asked_.push_back("key " + host);
    accept_key(host);
  } else if (title.starts_with("Passphrase")) {
    asked_.push_back("passphrase " + host);
    answer(title, Lab::kPassphrase);
  } else {
    asked_.push_back("password " + host);
    answer(title, Lab::kPassword);
  }
}

QWidget* LabRig::log_window(const std::string& title) {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget->isVisible() && widget->objectName() == "log_window" && widget->windowTitle().contains(qt(title)))
      return widget;
  return nullptr;
}

std::string LabRig::log_status(const std::string& title) {
  const QWidget* log = log_window(title);
  return log != nullptr ? log->findChild<QLabel*>("status")->text().toStdString() : std::string();
}

std::string LabRig::run_log_text() const {
  std::string text;
  for (int row = 0; row < rows("Run log"); row++) text += cell("Run log", row, "Event").toStdString() + "\n";
  return text;
}

void LabRig::expect_nowhere(const std::string& secret) const {
  for (const auto& entry : fs::recursive_directory_iterator(dir_.path())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.find(secret), std::string::npos) << entry.path();
  }
}

}  // namespace n2nq::test
