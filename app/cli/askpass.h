// Answers what hosts ask without a person: passwords and the like by a command, the keys of hosts not at all. UI
// thread.
#pragma once

#include <QObject>
#include <QProcess>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/run/host_links.h"

namespace n2nq::cli {

class Askpass : public QObject {
  Q_OBJECT

 public:
  // `command`: program and arguments; the question is its last argument, the first line on its stdout the answer, and
  // an exit code other than 0 none. Empty: nothing is answered. `keys`: keys of hosts are answered, with no; else they
  // are left to somebody who listens to the links as well.
  enum class Keys { answered, left };
  Askpass(run::HostLinks& links, const std::string& command, Keys keys);
  ~Askpass() override;

 private:
  void answer(const launch::LinkQuestion& question, const launch::LinkAnswer& answer);
  void ask(const launch::LinkQuestion& question, const launch::LinkAnswer& answer);

  std::string command_;
  Keys keys_;
  std::map<std::pair<std::string, launch::LinkQuestion::Kind>, int> asked_;
  std::vector<std::unique_ptr<QProcess>> running_;
};

}  // namespace n2nq::cli
