#include "app/run/log_fetch.h"

#include <algorithm>
#include <limits>

#include "app/record/run_folder.h"
#include "app/text/quantity.h"
#include "broker/base/clock.h"

namespace n2nq::run {
namespace {

using launch::HostLink;
using record::Severity;

constexpr std::chrono::milliseconds kLinkSpeaks{1'000};

std::string bytes_text(int64_t bytes) {
  return text::bytes(static_cast<double>(bytes));
}

bool operator==(const launch::FolderEntry& a, const launch::FolderEntry& b) {
  return a.name == b.name && a.size == b.size && a.folder == b.folder;
}

bool same(const std::vector<launch::FolderEntry>& a, const std::vector<launch::FolderEntry>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x == y; });
}

}  // namespace

// One host: reaching -> listing -> fetching -> removing -> over; back to reaching when the link is lost.
class LogFetch::Visit : public QObject {
 public:
  Visit(LogFetch& owner, HostLink& link, std::string run_name, FarFolder folder, std::string local, Bounds bounds)
      : owner_(owner),
        link_(link),
        run_name_(std::move(run_name)),
        folder_(std::move(folder)),
        local_(std::move(local)),
        bounds_(bounds) {
    deadline_.setSingleShot(true);
    look_.setSingleShot(true);
    connect(&deadline_, &QTimer::timeout, this, &Visit::on_deadline);
    trouble_.setSingleShot(true);
    connect(&look_, &QTimer::timeout, this, [this] { list(); });
    connect(&trouble_, &QTimer::timeout, this, &Visit::on_trouble);
    quiet_.setSingleShot(true);
    connect(&quiet_, &QTimer::timeout, this, &Visit::on_quiet);
    connect(&link_, &HostLink::state_changed, this, &Visit::on_state);
  }

  void start() {
    // Nobody would miss what is in a folder in which nothing was ever written.
    if (!folder_.used && link_.state() != HostLink::State::open) return end(true);
    reach();
  }

  void cut_short() {
    if (over_) return;
    owner_.note(Severity::warning, "saving was cut short: what is not here of the logs of " + folder_.host +
                                       " is there in " + folder_.path);
    end(false);
  }

 private:
  void reach() {
    job_.reset();
    if (link_.state() == HostLink::State::open) return list();
    if (!deadline_.isActive()) deadline_.start(bounds_.reconnect);
    link_.open(bounds_.reconnect);
  }

  void on_state() {
    if (over_) return;
    const bool open = link_.state() == HostLink::State::open;
    if (open && !reached_) {
      reached_ = true;
      deadline_.stop();
      return list();
    }
    if (link_.state() != HostLink::State::lost) return;
    trouble_.stop();
    look_.stop();
    quiet_.stop();
    if (std::exchange(reached_, false)) reach();
  }

  void on_deadline() {
    const std::string why = link_.failure() ? ": " + link_.failure()->text : "";
    owner_.note(Severity::warning, folder_.host + " could not be reached again within " +
                                       std::to_string(bounds_.reconnect.count() / 1000) +
                                       " s; its logs remain there in " + folder_.path + why);
    end(false);
  }

  // A summary is the last that a process writes.
  bool all_left_summaries(const std::vector<launch::FolderEntry>& entries) const {
    size_t awaited = 0, there = 0;
    for (const std::string& name : folder_.files) {
      if (!name.ends_with(".summary.json")) continue;
      awaited++;
      there += std::ranges::find(entries, name, &launch::FolderEntry::name) != entries.end();
    }
    return awaited > 0 && there == awaited;  // servers leave none
  }

  bool settled(const std::vector<launch::FolderEntry>& entries) {
    if (folder_.cut_off_ns == 0) return true;
    if (all_left_summaries(entries)) return true;
    const bool long_ago = now_ns() - folder_.cut_off_ns >= std::chrono::nanoseconds(bounds_.settle).count();
    return long_ago && same(entries, last_look_);
  }

  // The host answers, and what was asked of it does not come: a disk that hangs, say.
  void on_quiet() {
    owner_.note(Severity::warning, folder_.host + ": nothing has come of its logs for " +
                                       std::to_string(bounds_.quiet.count() / 1000) + " s; they are there in " +
                                       folder_.path);
    end(false);
  }

  void list() {
    reached_ = true;
    if (!folder_.used) return remove();
    quiet_.start(bounds_.quiet);
    job_ = link_.list(folder_.path, [this](const Result<std::vector<launch::FolderEntry>>& entries) {
      if (!entries) return suspect(entries.error().text);
      if (!settled(*entries)) {
        quiet_.stop();
        last_look_ = *entries;
        look_.start(bounds_.look);
        return;
      }
      waiting_.clear();
      for (const launch::FolderEntry& entry : *entries)
        if (!entry.folder && folder_.files.contains(entry.name)) waiting_.push_back(entry);
      if (is_room()) fetch_next();
    });
  }

  // What the host says that it has is all that is taken from it. Other hosts write to the same disk at the same time,
  // and the master file, made of the logs, is about as large as they are.
  bool is_room() {
    give_back();
    const int64_t free = std::max<int64_t>(owner_.free_bytes_(local_).value_or(std::numeric_limits<int64_t>::max()) -
                                               record::kLeaveFree - owner_.promised_,
                                           0);
    int64_t size = 0;
    for (const launch::FolderEntry& entry : waiting_)
      size += std::min<int64_t>(size_of(entry), std::numeric_limits<int64_t>::max() / 4 - size);
    const int64_t needed = 2 * size;
    if (needed <= free) {
      brought_ = 0;
      promise(needed);
      return true;
    }
    owner_.note(Severity::warning, folder_.host + ": its logs are " + bytes_text(size) + ", with as much for the " +
                                       "master file, and there is room for " + bytes_text(free) + " here in " + local_ +
                                       ": they stay there in " + folder_.path +
                                       "; free some space, and fetch them with n2nq-bench hosts collect " +
                                       folder_.host);
    end(false);
    return false;
  }

  static int64_t size_of(const launch::FolderEntry& entry) { return std::max<int64_t>(entry.size, 0); }

  void promise(int64_t bytes) {
    promised_ += bytes;
    owner_.promised_ += bytes;
  }
  void give_back() { promise(-promised_); }

  void fetch_next() {
    if (waiting_.empty()) return remove();
    quiet_.start(bounds_.quiet);
    const std::string name = waiting_.back().name;
    const std::string to = std::string(local_).append("/").append(name);
    written_ = 0;
    job_ = link_.fetch(
        folder_.path + "/" + name, to,
        [this](const launch::FetchProgress& progress) {
          quiet_.start(bounds_.quiet);
          wrote(progress.bytes);
        },
        [this, name](const Result<void>& fetched) {
          if (!fetched) return suspect(name + ": " + fetched.error().text);
          if (name.ends_with(".log")) files_++;
          wrote(size_of(waiting_.back()));
          brought_ += std::exchange(written_, 0);
          waiting_.pop_back();
          fetch_next();
        },
        size_of(waiting_.back()));
  }

  // What is written is missing from what the disk says that is free.
  void wrote(int64_t bytes) {
    promise(written_ - bytes);
    written_ = bytes;
  }

  void remove() {
    if (!whole_) return end(false);
    quiet_.start(bounds_.quiet);
    job_ = link_.remove_run_folder(run_name_, [this](const Result<void>& removed) {
      if (!removed)
        owner_.note(Severity::warning,
                    folder_.host + ": the folder of the run could not be removed: " + removed.error().text);
      if (folder_.cut_off_ns != 0)
        owner_.note(Severity::info, folder_.host + " was reached again: " + std::to_string(files_) +
                                        (files_ == 1 ? " log" : " logs") + " fetched");
      end(true);
    });
  }

  // A link that is lost may say so a moment after what was in progress on it has failed, and is tried again.
  void suspect(const std::string& text) {
    trouble_text_ = text;
    trouble_.start(kLinkSpeaks);
  }

  // Another trouble is that file's, and the rest is fetched all the same.
  void on_trouble() {
    if (link_.state() != HostLink::State::open) return;
    owner_.note(Severity::warning, folder_.host + ": not all logs could be fetched; they remain there in " +
                                       folder_.path + ": " + trouble_text_);
    whole_ = false;
    if (waiting_.empty()) return end(false);
    // Nothing of it stays, and no line of it is in the master file.
    promise(std::exchange(written_, 0) - 2 * size_of(waiting_.back()));
    waiting_.pop_back();
    fetch_next();
  }

  // From the event loop, as the jobs and their owner may be on the stack.
  void end(bool whole) {
    if (std::exchange(over_, true)) return;
    deadline_.stop();
    look_.stop();
    trouble_.stop();
    quiet_.stop();
    link_.disconnect(this);
    job_.reset();
    give_back();
    promise(brought_);  // to the master file
    QMetaObject::invokeMethod(this, [this, whole] { owner_.visit_over(whole, folder_.host); }, Qt::QueuedConnection);
  }

  LogFetch& owner_;
  HostLink& link_;
  std::string run_name_;
  FarFolder folder_;
  std::string local_;
  Bounds bounds_;
  QTimer deadline_;
  QTimer look_;
  QTimer trouble_;
  QTimer quiet_;
  std::string trouble_text_;
  launch::Job job_;
  std::vector<launch::FolderEntry> last_look_;
  std::vector<launch::FolderEntry> waiting_;
  size_t files_ = 0;
  int64_t promised_ = 0;  // of the disk here, and not written yet
  int64_t written_ = 0;   // of the file that is fetched
  int64_t brought_ = 0;   // in whole files
  bool reached_ = false;
  bool whole_ = true;
  bool over_ = false;
};

LogFetch::LogFetch(HostLinks& links, std::string run_name, std::vector<FarFolder> folders, std::string local_folder,
                   Bounds bounds, FreeBytes free)
    : free_bytes_(free != nullptr ? std::move(free) : record::FreeBytes(record::free_bytes)) {
  for (FarFolder& folder : folders) {
    launch::HostLink& link = links.to(folder.host);
    visits_.push_back(std::make_unique<Visit>(*this, link, run_name, std::move(folder), local_folder, bounds));
  }
}

LogFetch::~LogFetch() = default;

void LogFetch::start() {
  open_visits_ = visits_.size();
  for (const auto& visit : visits_) visit->start();
}

void LogFetch::cut_short() {
  for (const auto& visit : visits_) visit->cut_short();
}

void LogFetch::note(Severity severity, const std::string& text) {
  notes_.push_back({.utc_ns = wall_ns(), .severity = severity, .text = text});
}

void LogFetch::visit_over(bool whole, const std::string& host) {
  if (whole) fetched_.push_back(host);
  if (--open_visits_ == 0) Q_EMIT finished();
}

}  // namespace n2nq::run

#include "moc_log_fetch.cpp"
