// Where the bench keeps what it makes, and where it finds the programs that it starts. A QCoreApplication is there
// already for the programs' folder. Any thread.
#pragma once

#include <string>

#include "broker/base/result.h"

namespace n2nq::place {

// Whether this process may, as access(2) asks it, but by who it acts as, not by who started it.
bool may(const std::string& path, int mode);

// The files of a data folder, by name.
struct DataFolder {
  std::string path{};
  std::string store() const { return path + "/results.sqlite"; }  // store::ResultStore
  std::string runs() const { return path + "/runs"; }             // a folder for each run: logs, journal, master file
  std::string begun() const { return path + "/begun"; }           // links to runs elsewhere: journal/begun_runs.h
  std::string hosts() const { return path + "/hosts.json"; }      // hosts::HostList
  std::string allowed() const { return path + "/allowed.json"; }  // plan::Permissions
  std::string last_plan() const { return path + "/last-plan.json"; }
  std::string last_campaign() const { return path + "/last-campaign.json"; }  // campaign::CampaignDraft
};

// `given` if it is not empty, else $N2NQ_DATA_DIR, else the user's (~/.local/share/n2nq-bench). Absolute.
std::string data_folder_path(const std::string& given = {});
// Makes it, readable for the user alone, and checks that it can be written. The error says what to do.
Result<DataFolder> open_data_folder(const std::string& path);
// For what only reads: one that is there is taken as it is, also where nobody may write.
Result<DataFolder> open_data_folder_to_read(const std::string& path);

// For where that failed: a folder among the temporary files, of this user alone and the same at each start; another one
// where somebody else has taken its name.
Result<DataFolder> open_temporary_folder();

// $N2NQ_PROGRAMS, else the folder of this program.
std::string programs_folder();
// The same programs as they are brought to other hosts: smaller, without their symbols, where they were made so.
std::string programs_for_hosts(const std::string& programs = programs_folder());
// That n2nq-broker, n2nq-sender, n2nq-receiver and n2nq-recorder are there and may be run. The error says what to do.
Result<void> check_programs(const std::string& folder);

}  // namespace n2nq::place
