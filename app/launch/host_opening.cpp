#include "app/launch/host_opening.h"

#include <QUuid>
#include <QVersionNumber>
#include <algorithm>

#include "app/launch/host_scripts.h"

namespace n2nq::launch {
namespace {

using remote::LinkFailure;
using remote::LinkStep;
using remote::LinkTrouble;

constexpr const char* kAsked = "n2nq-broker";
const QVersionNumber kOldestKernel(3, 10);  // the oldest that the programs were tried with (docs/links.md)
constexpr size_t kHashInPath = 16;
constexpr qsizetype kWordLength = 12;

std::string cache_folder(const Program& program) {
  return program.sha256.substr(0, kHashInPath);
}

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

std::string seconds_text(std::chrono::milliseconds time) {
  return std::to_string(time.count() / 1000) + " s";
}

// The first value of KEY=VALUE.
std::string value_of(const QByteArray& output, const QByteArray& key) {
  for (const QByteArray& line : output.split('\n'))
    if (line.startsWith(key + "=")) return line.mid(key.size() + 1).trimmed().toStdString();
  return {};
}

bool is_csh(const std::string& shell) {
  const std::string name = shell.substr(shell.rfind('/') + 1);
  return name == "csh" || name == "tcsh";
}

}  // namespace

HostOpening::HostOpening(const hosts::Host& host, const std::string& programs, const Bounds& bounds, Exec exec,
                         Step step, Moved moved, Done done)
    : host_(host),
      bounds_(bounds),
      exec_(std::move(exec)),
      step_(std::move(step)),
      moved_(std::move(moved)),
      done_(std::move(done)),
      word_(QUuid::createUuid().toByteArray(QUuid::Id128).left(kWordLength).toStdString()) {
  for (QTimer* timer : {&shell_patience_, &piece_patience_, &upload_patience_}) timer->setSingleShot(true);
  QObject::connect(&shell_patience_, &QTimer::timeout, &shell_patience_, [this] { on_shell_silent(); });
  QObject::connect(&piece_patience_, &QTimer::timeout, &piece_patience_, [this] {
    on_upload_stalls("accepted less than 64 KiB of it in " + seconds_text(bounds_.piece) +
                     "; is its disk full or missing, or the network path broken?");
  });
  QObject::connect(&upload_patience_, &QTimer::timeout, &upload_patience_, [this] {
    on_upload_stalls("took longer than " + seconds_text(bounds_.upload) +
                     "; copy the four programs there by hand, and set their folder as the host's work folder");
  });
  reading_.start([programs] { return read_programs(programs); }, [this](const Result<Programs>& read) { probe(read); });
}

void HostOpening::on_shell_silent() {
  script_.reset();
  fail(LinkTrouble::no_shell, LinkStep::architecture,
       "its shell did not answer within " + seconds_text(bounds_.shell) +
           "; is the machine very busy, or a disk missing?");
}

void HostOpening::on_upload_stalls(const std::string& how) {
  script_.reset();
  piece_patience_.stop();
  upload_patience_.stop();
  fail(LinkTrouble::upload, LinkStep::upload,
       "copying " + missing_[uploaded_]->name + " there was abandoned: it " + how);
}

void HostOpening::pass(LinkStep step, const std::string& text) {
  step_({.step = step, .ok = true, .text = text});
}

void HostOpening::fail(LinkTrouble trouble, LinkStep step, const std::string& text) {
  done_(std::unexpected(
      LinkFailure{.trouble = trouble, .step = step, .text = host_.name + ": " + text, .host = host_.name}));
}

void HostOpening::probe(const Result<Programs>& programs) {
  if (!programs) return fail(LinkTrouble::upload, LinkStep::upload, programs.error().text);
  programs_ = *programs;
  std::vector<std::string> arguments{host_.work_folder.empty() ? hosts::kWorkFolder : host_.work_folder,
                                     programs_.machine, word_};
  for (const Program& program : programs_.programs) arguments.push_back(cache_folder(program) + ":" + program.name);
  shell_patience_.start(bounds_.shell);
  script_ = std::make_unique<ScriptRun>(exec_(shell(scripts::kProbe, arguments)), QByteArray(),
                                        [this](const ScriptEnd& end) { on_probed(end); });
}

void HostOpening::on_probed(const ScriptEnd& end) {
  shell_patience_.stop();
  const bool command = host_.kind == hosts::Host::Kind::command;
  if (command && !end.begun && !end.lost) return fail(LinkTrouble::unreachable, LinkStep::reach, end.complaint);
  if (command && end.begun) {
    pass(LinkStep::reach, "by " + host_.command);
    pass(LinkStep::host_key, "left to the command");
    pass(LinkStep::login, "left to the command");
  }
  const std::string machine = value_of(end.output, "machine");
  if (machine.empty() && command && end.exit_code != 0)
    return try_without_shell(end.complaint.empty()
                                 ? "it ended with exit code " + std::to_string(end.exit_code) + " and no message"
                                 : end.complaint);
  if (end.lost) return;
  if (machine.empty())
    return fail(
        LinkTrouble::no_shell, LinkStep::architecture,
        "the login does not run commands: " + (end.complaint.empty() ? "no answer from its shell" : end.complaint) +
            "; it needs a shell like /bin/sh (csh and tcsh do not work)");
  if (const std::string shell = value_of(end.output, "login_shell"); !command && is_csh(shell))
    return fail(LinkTrouble::no_shell, LinkStep::architecture,
                "its login has the shell " + shell +
                    ", and csh and tcsh have a different command syntax; change the login shell there (chsh -s "
                    "/bin/sh), or use another user");
  const std::string system = value_of(end.output, "system");
  if (system != "Linux" || machine != programs_.machine)
    return fail(LinkTrouble::other_machine, LinkStep::architecture,
                "its machine type is different (" + system + " " + machine + "); the programs here are for Linux " +
                    programs_.machine);
  const std::string kernel = value_of(end.output, "kernel");
  if (const auto version = QVersionNumber::fromString(QString::fromStdString(kernel));
      !version.isNull() && version < kOldestKernel)
    return fail(LinkTrouble::other_machine, LinkStep::architecture,
                "its kernel is Linux " + kernel + ", and the programs need " + kOldestKernel.toString().toStdString() +
                    " or later; use a host with a newer system");
  pass(LinkStep::architecture, system + " " + kernel + " " + machine);

  const std::string asked = host_.work_folder.empty() ? hosts::kWorkFolder : host_.work_folder;
  ready_.work_folder = value_of(end.output, "folder");
  const std::string why = end.complaint.empty() ? "" : " (" + end.complaint + ")";
  if (end.exit_code == scripts::kCannotMake || ready_.work_folder.empty())
    return fail(LinkTrouble::work_folder, LinkStep::work_folder,
                "the work folder " + asked + " cannot be created" + why + "; choose another one for this host");
  if (end.exit_code == scripts::kCannotWrite)
    return fail(LinkTrouble::work_folder, LinkStep::work_folder,
                "the work folder " + ready_.work_folder + " cannot be written" + why +
                    "; free some space, or choose another one for this host");
  if (end.exit_code == scripts::kCannotExecute)
    return fail(LinkTrouble::work_folder, LinkStep::work_folder,
                "programs cannot be run from the work folder " + ready_.work_folder + why +
                    "; choose one on a file system not mounted noexec");
  if (end.exit_code != 0)
    return fail(LinkTrouble::work_folder, LinkStep::work_folder, "the work folder could not be checked" + why);
  pass(LinkStep::work_folder, ready_.work_folder);

  if (value_of(end.output, "placed") == "yes") {
    for (const Program& program : programs_.programs)
      ready_.programs[program.name] = ready_.work_folder + "/" + program.name;
    pass(LinkStep::upload, "using the programs in the work folder as they are");
    return done_(ready_);
  }
  const QByteArrayList lines = end.output.split('\n');
  for (const Program& program : programs_.programs) {
    ready_.programs[program.name] = ready_.work_folder + "/cache/" + cache_folder(program) + "/" + program.name;
    if (!lines.contains("have=" + QByteArray::fromStdString(program.name))) missing_.push_back(&program);
  }
  upload_next();
}

// A container with nothing but the programs in it: their folder is the work folder. One is asked for its version, so
// that a command that runs something else, or nothing at all, is not taken for a host.
void HostOpening::try_without_shell(const std::string& complaint) {
  if (!host_.work_folder.starts_with('/'))
    return fail(LinkTrouble::no_shell, LinkStep::architecture,
                "its command runs no shell: " + complaint +
                    "; does the command work by hand? If there is no shell, set the folder that holds the four "
                    "programs as the host's work folder");
  shell_patience_.start(bounds_.shell);
  script_ =
      std::make_unique<ScriptRun>(exec_({path_in(host_.work_folder, kAsked), "--version"}), QByteArray(),
                                  [this, complaint](const ScriptEnd& end) { on_tried_without_shell(end, complaint); });
}

void HostOpening::on_tried_without_shell(const ScriptEnd& end, const std::string& complaint) {
  shell_patience_.stop();
  if (end.lost) return;
  const std::string version = end.output.trimmed().toStdString();
  if (end.exit_code != 0 || !version.starts_with(std::string(kAsked) + " "))
    return fail(LinkTrouble::no_shell, LinkStep::architecture,
                "its command runs no shell (" + complaint + ") and no " + path_in(host_.work_folder, kAsked) + " (" +
                    (end.complaint.empty() ? "what it starts does not identify itself as one" : end.complaint) +
                    "); is the container or machine running?");
  ready_.shell = false;
  ready_.work_folder = host_.work_folder;
  for (const Program& program : programs_.programs)
    ready_.programs[program.name] = path_in(host_.work_folder, program.name);
  pass(LinkStep::architecture, "uses the programs that are there");
  pass(LinkStep::work_folder, host_.work_folder + ", without a shell: no log files are written there");
  pass(LinkStep::upload, version + " is used as it is");
  done_(ready_);
}

void HostOpening::upload_next() {
  if (uploaded_ == missing_.size()) {
    const size_t there = programs_.programs.size() - missing_.size();
    std::string text = std::to_string(missing_.size()) + " programs copied there";
    if (missing_.empty()) text = std::to_string(there) + " programs, already there";
    pass(LinkStep::upload, text);
    upload_patience_.stop();
    return done_(ready_);
  }
  const Program& program = *missing_[uploaded_];
  if (uploaded_ == 0) upload_patience_.start(bounds_.upload);
  piece_patience_.start(bounds_.piece);
  script_ = std::make_unique<ScriptRun>(
      exec_(shell(scripts::kUpload, {ready_.work_folder, program.name, cache_folder(program),
                                     std::to_string(program.content.size()), word_})),
      program.content, [this](const ScriptEnd& end) { on_uploaded(end); }, [this] { on_uploading(); });
}

void HostOpening::on_uploading() {
  piece_patience_.start(bounds_.piece);
  moved_();
}

void HostOpening::on_uploaded(const ScriptEnd& end) {
  piece_patience_.stop();
  if (end.lost) return;
  const std::string name = missing_[uploaded_]->name;
  const std::string why = end.complaint.empty() ? "" : " (" + end.complaint + ")";
  if (end.complaint.find("No space left") != std::string::npos || end.complaint.find("quota") != std::string::npos)
    return fail(LinkTrouble::upload, LinkStep::upload,
                name + " has no space left in " + ready_.work_folder + why +
                    "; free some space there, or choose another work folder");
  if (end.exit_code == scripts::kOtherContent)
    return fail(LinkTrouble::upload, LinkStep::upload, name + " arrived corrupted; try again");
  if (end.exit_code != 0)
    return fail(LinkTrouble::upload, LinkStep::upload,
                "copying " + name + " there was interrupted" + why + "; try again");
  uploaded_++;
  upload_next();
}

}  // namespace n2nq::launch
