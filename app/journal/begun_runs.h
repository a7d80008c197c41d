// Which runs were begun and are in no store yet, for those whose folders lie elsewhere than the bench looks by itself
// (`--out DIR`): a link to each in a folder of the data folder. Any thread, any number of benches.
#pragma once

#include <string>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::journal {

// Once the run has its journal.
Result<void> remember_run(const std::string& begun_folder, const std::string& run_folder);
// Once it is in the store.
void forget_run(const std::string& begun_folder, const std::string& run_folder);
// The folder of the one of that name; empty: it is not known.
std::string begun_run(const std::string& begun_folder, const std::string& name);
// The folders of those that have a journal which nobody holds. Forgets those that are gone, but not those on a disk
// that is not there at the moment.
std::vector<std::string> begun_and_cut_off(const std::string& begun_folder);

}  // namespace n2nq::journal
