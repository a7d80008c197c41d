// The folder of one run's files: how large it is, and how it is removed without touching anything that is not ours.
// Slow on a large folder; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plan/role.h"
#include "broker/base/result.h"

namespace n2nq::record {

inline constexpr char kJournalName[] = "journal.jsonl";
inline constexpr char kDamagedName[] = "journal.jsonl.damaged";
inline constexpr char kMasterName[] = "master.csv";
inline constexpr char kIntervalLogName[] = "latency.hlog";

// "20261120T122505Z-3f2a": in the order of time, and different for two benches in the same second. Of one that was
// imported, with what it is known by: "imported-8c0e".
std::string new_run_name();
inline constexpr char kImportedPrefix[] = "imported-";
// Whether benches give folders of runs such a name.
bool is_run_name(std::string_view name);

// The log of a service; of the broker its own is 0, from 1 on those of the servers that it starts.
std::string log_name(Role role, uint32_t service);

// For its regular files, those in folders below included; links are not followed.
uint64_t folder_bytes(const std::string& folder);
// Whether runs write files of this name, and whether it is the log or the summary that a process of one leaves on its
// host; and those of the folder, by name. Links are left out.
bool is_run_file(std::string_view name);
bool is_process_file(std::string_view name);
std::vector<std::string> run_files(const std::string& folder);
// The real path of the folder that it lies in; empty if there is none.
std::string runs_folder_of(const std::string& folder);

// What the disk of a folder has room for, as the system says it of that folder itself: a mount table need not name it
// (in a chroot, a container). Nothing where that cannot be told, which forbids nothing.
std::optional<int64_t> free_bytes(const std::string& folder);
using FreeBytes = std::function<std::optional<int64_t>(const std::string& folder)>;
inline constexpr int64_t kLeaveFree = 64 << 20;  // of it, for what others write there meanwhile

// Removes the files of a run, then the folder if nothing else is in it. Only where the folder still really lies in
// `runs_folder`, is not a link, has the name of one (a store from elsewhere may name any), and holds what runs leave
// behind; otherwise it is left as it is. A file that cannot be removed, or a folder that cannot be looked into, is an
// error.
Result<void> remove_run_folder(const std::string& folder, const std::string& runs_folder);

}  // namespace n2nq::record
