// Brings the files of a run home from the hosts that it took place on, and removes them there. A host whose link was
// lost is tried again for a while, and given the time in which its workers end by themselves. UI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/record/run_folder.h"
#include "app/record/run_record.h"
#include "app/run/host_links.h"

namespace n2nq::run {

// The folder of a run on a host.
struct FarFolder {
  std::string host{};
  std::string path{};             // there
  bool used = false;              // something was started there
  std::set<std::string> files{};  // that its processes write there; nothing else is brought home
  int64_t cut_off_ns = 0;         // when the link was lost that a process hung on (monotonic); 0: it was not
};

class LogFetch : public QObject {
  Q_OBJECT

 public:
  struct Bounds {
    std::chrono::milliseconds reconnect{30'000};  // for a link to come back
    std::chrono::milliseconds settle{12'000};     // from its loss, until workers there have ended by themselves
    std::chrono::milliseconds look{1'000};        // between two looks at whether they have
    std::chrono::milliseconds quiet{60'000};      // of a host whose link is open; then its logs are left there
  };

  // How many bytes may still be written below a folder here; by default what its disk says.
  using FreeBytes = record::FreeBytes;
  LogFetch(HostLinks& links, std::string run_name, std::vector<FarFolder> folders, std::string local_folder,
           Bounds bounds, FreeBytes free = nullptr);
  ~LogFetch() override;

  void start();
  // Leaves what is not here yet where it is; finished() comes with it said.
  void cut_short();
  const std::vector<record::RunNote>& notes() const { return notes_; }
  const std::vector<std::string>& fetched_hosts() const { return fetched_; }

 Q_SIGNALS:
  void finished();  // once, from the event loop

 private:
  class Visit;
  void note(record::Severity severity, const std::string& text);
  void visit_over(bool whole, const std::string& host);

  FreeBytes free_bytes_;
  std::vector<std::unique_ptr<Visit>> visits_;
  std::vector<record::RunNote> notes_;
  std::vector<std::string> fetched_;
  size_t open_visits_ = 0;
  int64_t promised_ = 0;  // bytes that visits will write here, or the master file of what they have brought
};

}  // namespace n2nq::run
