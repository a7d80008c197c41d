// What is run on a host by its shell: plain POSIX sh with what coreutils and busybox have, a line each, arguments as
// $1, $2, ... None of them outlives a link that is cut by more than the seconds that `timeout` gives them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace n2nq::launch {

inline constexpr std::string_view kShell = "/bin/sh";

// The arguments that have a shell run `script` with these. It says kAnswer first.
std::vector<std::string> shell(std::string_view script, const std::vector<std::string>& arguments = {});
// What comes before it on stdout is not the script's: the login's own shell has started it, and may greet
// (`echo` in its .bashrc).
inline constexpr std::string_view kAnswer = "n2nq-answer\n";
// A process that is started with such arguments, or with those of a program itself, and says nothing but its answer.
template <class Exec>
Exec answering(Exec exec, const std::vector<std::string>& arguments) {
  if (arguments.front() == kShell) exec->begin_after(kAnswer);
  return exec;
}

namespace scripts {

// $1 work folder, $2 machine that the programs are for, $3 a random word, for names that nobody else uses at the same
// time (process ids will not do: each container begins to count at 1), then HASH:NAME of each program. Says KEY=VALUE
// lines: system, machine, kernel, login_shell, folder, placed (programs are in the work folder itself), have (a name,
// for each program that is there). Exit codes below 20 are of these scripts; stderr then says why.
extern const std::string_view kProbe;
inline constexpr int kCannotMake = 11;     // the folder
inline constexpr int kCannotWrite = 12;    // into it
inline constexpr int kCannotExecute = 13;  // what is in it
inline constexpr int kBrokeOff = 14;       // fewer bytes came than were announced, or found no room
inline constexpr int kOtherContent = 15;

// $1 work folder, $2 name, $3 hash, $4 size, $5 a random word; the program on stdin. Says in a line how much has come,
// each 64 KiB.
extern const std::string_view kUpload;
// $1 work folder, then the path of the program and its arguments. What it writes is nobody else's to read. Says
// "n2nq-pid PID" on stderr before it turns into the program.
extern const std::string_view kStart;
inline constexpr std::string_view kPidMark = "n2nq-pid ";
// $1 signal, $2 PID.
extern const std::string_view kSignal;
// $1 path, $2 first byte (1, 2, ...), $3 how many at most. Says "SIZE gzip" or "SIZE plain" in a line, then the bytes
// so.
extern const std::string_view kRead;
// $1 folder: as `ls -lAn`.
extern const std::string_view kList;
// $1 folder, for its owner alone. Says "made", and wants to read "keep"; else the folder goes again.
extern const std::string_view kMakeFolder;
inline constexpr std::string_view kMade = "made";
inline constexpr std::string_view kKeep = "keep\n";
// $1 folder
extern const std::string_view kRemoveFolder;
// $1 work folder. Of each folder of a run a line: "runs NAME" where a process there still writes into it, else "over
// NAME".
extern const std::string_view kLeftRuns;
// Says which source in a line ("chrony", "timedatectl", "none"), then what that says.
extern const std::string_view kClock;

}  // namespace scripts
}  // namespace n2nq::launch
