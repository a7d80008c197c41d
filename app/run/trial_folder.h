// The folder of a run that becomes no result, as a test's: among the temporary files, and removed with this. What a
// bench that was killed left of one is removed when the next one is made. Any thread.
#pragma once

#include <string>

#include "broker/base/fd.h"

namespace n2nq::run {

class TrialFolder {
 public:
  TrialFolder();
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  ~TrialFolder() { remove(); }

  const std::string& path() const { return path_; }  // empty: it could not be made
  bool remove();                                     // whether all of it is gone

 private:
  bool make(const std::string& parent);

  std::string path_;
  Fd lock_;  // held while it is used; it goes with its process
};

}  // namespace n2nq::run
