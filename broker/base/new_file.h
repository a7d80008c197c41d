// A file that is whole under its name or not there: it is written beside it, under a name that nobody else has or can
// guess, and takes its own once all of it is on the disk. What had that name stays until then. A link is replaced, not
// followed. One thread at a time.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq {

struct NewFileOptions {
  std::optional<mode_t> mode{};  // under the umask; nothing: as the file that it replaces, or 0666
  std::string advice{};          // what to do if it cannot be written; empty: what fits the error
  bool sync = true;              // false: it outlives this program, though perhaps not the computer
};

class NewFile {
 public:
  static Result<NewFile> create(const std::string& path, NewFileOptions options = {});
  NewFile(NewFile&&) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();  // nothing is left of one that is not finished

  int fd() const { return file_.get(); }
  const std::string& path_until_finished() const { return beside_; }
  Result<void> write(std::string_view bytes);  // all of them
  Result<void> finish();                       // what is written after that is in the file at once

  std::unexpected<Error> trouble(int error_number) const;  // of this file, for who writes by its descriptor

 private:
  NewFile(const std::string& path, NewFileOptions options) : path_(path), options_(std::move(options)) {}
  bool open_beside(mode_t mode);

  std::string path_;
  std::string beside_;
  NewFileOptions options_;
  Fd file_;
  bool replaces_ = false;
  bool finished_ = false;
};

// Whether a file of this name is what a killed program left of a new one.
bool is_unfinished_file(std::string_view name);

}  // namespace n2nq
