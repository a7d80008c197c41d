// The real window beside a lab of hosts with real sshd's: a home of its own without keys or an agent, and the questions
// that hosts ask answered as a person would. After each test nothing may be left on any host: no process, no file of a
// run.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/gui/window_rig.h"
#include "tests/helpers/lab/lab.h"

class QDialog;

namespace n2nq::test {

class LabRig : public WindowRig {
 protected:
  LabRig();
  ~LabRig() override;
  void SetUp() override;
  void TearDown() override;

  const Lab& lab() const { return *lab_; }
  Lab& lab() { return *lab_; }

  // A line of ~/.ssh/config for it; vm3 goes through gate. Without a key: none.
  static std::string ssh_config(const Lab& lab, const std::string& host, const std::string& key);
  void write_ssh_config(const std::string& text) const;
  void import_hosts();  // by the menu of the page Hosts
  // All four, with keys that open without a question and known to be who they are, as another start would find them.
  void write_known_list(const std::vector<std::string>& split = {}) const;
  void open_page_hosts();
  void choose_host(const std::string& name);
  std::string host_cell(const std::string& name, const QString& column) const;
  std::string test_of(const std::string& name) const { return host_cell(name, "Last test"); }

  // A question that is open; null: there is none.
  static QDialog* question();
  // Waits for a question whose title has this in it.
  QDialog* wait_question(const std::string& title) const;
  // The key is the host's: compared with the host's own, then accepted.
  void accept_key(const std::string& host);
  void answer(const std::string& title, const std::string& text);
  // Any question that is open now is answered: keys accepted if they are right, secrets by what the lab takes. Each is
  // noted as "passphrase vm1".
  void answer_if_asked();
  std::vector<std::string> asked_;

  // Window of a log whose title has this in it, and what it says of where one is.
  static QWidget* log_window(const std::string& title);
  static std::string log_status(const std::string& title);
  bool passed() const { return shows("Message") && text_of("Message").contains("passed"); }
  std::string run_log_text() const;  // as the window shows it; opened if it is not
  // No file below the bench's folders holds it.
  void expect_nowhere(const std::string& secret) const;

 private:
  std::unique_ptr<Lab> lab_;
  QByteArray home_ = qgetenv("HOME");
  QByteArray agent_ = qgetenv("SSH_AUTH_SOCK");
};

}  // namespace n2nq::test
