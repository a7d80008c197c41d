// What becomes of a log file while somebody looks at it: it comes, grows, is cut, is replaced, goes. One stat a look;
// the file is opened when there is a new one. One thread.
#pragma once

#include <memory>
#include <string>

#include "app/logs/open_file.h"

namespace n2nq::logs {

enum class FileEvent { none, appeared, grew, truncated, replaced, vanished, unreadable };

class FileWatch {
 public:
  explicit FileWatch(std::string path) : path_(std::move(path)) {}

  // `appeared`, `truncated`, `replaced`: file() is another object than before, and what was known of the old one is
  // void. `vanished`, `unreadable`: told once; file() is what was open, if anything was.
  FileEvent look();

  const std::string& path() const { return path_; }
  const std::shared_ptr<const OpenFile>& file() const { return file_; }  // null: never opened
  int64_t size() const { return size_; }                                 // at the last look
  bool changed_lately() const { return changed_lately_; }                // within seconds of the last look
  const std::string& trouble() const { return trouble_; }                // why it cannot be read; what to do

 private:
  FileEvent open_anew(FileEvent event);
  FileEvent note_gone();
  FileEvent note_unreadable(const Error& error);

  std::string path_;
  std::shared_ptr<const OpenFile> file_;
  int64_t size_ = 0;
  uint64_t failures_seen_ = 0;  // of file_
  bool gone_ = false;
  bool changed_lately_ = false;
  std::string trouble_;
};

}  // namespace n2nq::logs
