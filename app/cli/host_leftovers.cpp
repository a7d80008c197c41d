#include "app/cli/host_leftovers.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/status_line.h"
#include "app/record/run_folder.h"

namespace n2nq::cli {

using launch::HostLink;
using launch::LeftRun;

HostLeftovers::HostLeftovers(HostAccess& access, std::vector<std::string> names, Wish wish, FolderOf folder_of,
                             const HostsOptions& hosts)
    : access_(access), names_(std::move(names)), wish_(wish), folder_of_(std::move(folder_of)), hosts_(hosts) {
  std::ranges::reverse(names_);
}

HostLeftovers::~HostLeftovers() = default;

BenchExit HostLeftovers::execute() {
  later([this] { next_host(); });
  QCoreApplication::exec();
  return stopped_ ? BenchExit::stopped : code_;
}

void HostLeftovers::stop() {
  stopped_ = true;
  if (fetch_)
    fetch_->cut_short();
  else
    QCoreApplication::exit();
}

void HostLeftovers::report(const LeftRun& run, const std::string& text) {
  std::printf("%-16s %s  %s\n", link_->host().name.c_str(), run.name.c_str(), text.c_str());
  std::fflush(stdout);
}

void HostLeftovers::trouble(const std::string& text) {
  say(text);
  if (code_ == BenchExit::passed) code_ = BenchExit::host_trouble;
}

void HostLeftovers::next_host() {
  if (link_ != nullptr) link_->disconnect(this);
  if (names_.empty() || stopped_) return QCoreApplication::exit();
  link_ = &access_.links.to(names_.back());
  names_.pop_back();
  connect(link_, &HostLink::state_changed, this, &HostLeftovers::on_state);
  opened_ = false;
  waiting_ = true;
  link_->open();
  later([this] { on_state(); });  // it may be open already
}

void HostLeftovers::on_state() {
  if (link_->state() == HostLink::State::lost) {
    const auto& failure = link_->failure();
    runs_.clear();
    // While files are fetched the link is tried again, as after a run; else the next step comes by itself.
    if (!std::exchange(waiting_, false)) return;
    job_.reset();
    trouble(failure ? failure_text(*failure, hosts_) : link_->host().name + ": the link was lost");
    if (failure && failure->trouble == launch::LinkTrouble::unknown_key) code_ = BenchExit::unknown_key;
    return later([this] { next_host(); });
  }
  if (link_->state() != HostLink::State::open || opened_) return;
  opened_ = true;
  if (!link_->has_shell()) {
    waiting_ = false;
    say(link_->host().name + " has no shell: runs leave nothing there");
    return later([this] { next_host(); });
  }
  job_ = link_->left_runs([this](const Result<std::vector<LeftRun>>& runs) { take(runs); });
}

void HostLeftovers::take(const Result<std::vector<LeftRun>>& runs) {
  waiting_ = false;
  if (!runs) {
    trouble(link_->host().name + ": " + runs.error().text);
    return later([this] { next_host(); });
  }
  if (runs->empty()) say(link_->host().name + ": nothing left over from runs");
  runs_ = *runs;
  std::ranges::reverse(runs_);
  later([this] { next_run(); });
}

void HostLeftovers::next_run() {
  job_.reset();
  if (runs_.empty() || stopped_) return next_host();
  const LeftRun run = std::move(runs_.back());
  runs_.pop_back();
  if (run.busy) {
    report(run, "is still running there, and is left alone");
    return later([this] { next_run(); });
  }
  if (wish_ == Wish::clean)
    remove(run);
  else
    list(run);
}

void HostLeftovers::remove(const LeftRun& run) {
  waiting_ = true;
  job_ = link_->remove_run_folder(run.name, [this, run](const Result<void>& removed) {
    waiting_ = false;
    if (removed)
      report(run, "removed");
    else
      trouble(link_->host().name + ": " + removed.error().text);
    later([this] { next_run(); });
  });
}

void HostLeftovers::list(const LeftRun& run) {
  waiting_ = true;
  job_ = link_->list(run.folder, [this, run](const Result<std::vector<launch::FolderEntry>>& entries) {
    waiting_ = false;
    if (entries) return later([this, run, entries = *entries] { fetch(run, entries); });
    trouble(link_->host().name + ": " + entries.error().text);
    later([this] { next_run(); });
  });
}

// Into the folder that the run has here, where its result looks for them.
void HostLeftovers::fetch(const LeftRun& run, const std::vector<launch::FolderEntry>& entries) {
  job_.reset();
  run::FarFolder far{.host = link_->host().name, .path = run.folder, .used = true};
  const std::string folder = folder_of_(run.name);
  std::error_code error;
  for (const launch::FolderEntry& entry : entries) {
    if (entry.folder || !record::is_process_file(entry.name)) continue;
    const auto here = std::filesystem::file_size(folder + "/" + entry.name, error);
    if (error) {
      far.files.insert(entry.name);
    } else if (here != static_cast<uintmax_t>(entry.size)) {
      trouble(entry.name + " is in " + folder + " already, and is another one; what is on " + link_->host().name +
              " stays there in " + run.folder);
      return later([this] { next_run(); });
    }
  }
  std::filesystem::create_directories(folder, error);
  if (!error) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  if (error) {
    trouble(folder + " cannot be created: " + error.message() + "; what is on " + link_->host().name +
            " stays there in " + run.folder);
    code_ = BenchExit::local_trouble;
    return later([this] { next_run(); });
  }
  fetch_ = std::make_unique<run::LogFetch>(access_.links, run.name, std::vector{std::move(far)}, folder,
                                           run::LogFetch::Bounds{});
  connect(fetch_.get(), &run::LogFetch::finished, this, [this, run, folder] { on_fetched(run, folder); });
  fetch_->start();
}

void HostLeftovers::on_fetched(const LeftRun& run, const std::string& folder) {
  for (const record::RunNote& note : fetch_->notes()) trouble(note.text);
  if (!fetch_->fetched_hosts().empty()) {
    report(run, "fetched to " + folder);
    if (std::ranges::find(collected_, folder) == collected_.end()) collected_.push_back(folder);
  }
  later([this] {
    fetch_.reset();
    next_run();
  });
}

}  // namespace n2nq::cli

#include "moc_host_leftovers.cpp"
