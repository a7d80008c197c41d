#include "app/ssh/exec_channel.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <utility>

namespace n2nq::ssh {
namespace {

constexpr size_t kChannelPartBytes = 32 * 1024;

// RFC 4254, 6.10.
constexpr std::array<std::pair<int, const char*>, 13> kSignals{{{SIGABRT, "ABRT"},
                                                                {SIGALRM, "ALRM"},
                                                                {SIGFPE, "FPE"},
                                                                {SIGHUP, "HUP"},
                                                                {SIGILL, "ILL"},
                                                                {SIGINT, "INT"},
                                                                {SIGKILL, "KILL"},
                                                                {SIGPIPE, "PIPE"},
                                                                {SIGQUIT, "QUIT"},
                                                                {SIGSEGV, "SEGV"},
                                                                {SIGTERM, "TERM"},
                                                                {SIGUSR1, "USR1"},
                                                                {SIGUSR2, "USR2"}}};

// -1: none that the standard knows.
int signal_of(const std::string& name) {
  for (const auto& [number, text] : kSignals)
    if (name == text) return number;
  return -1;
}

const char* name_of(int signal) {
  for (const auto& [number, text] : kSignals)
    if (number == signal) return text;
  return "TERM";
}

}  // namespace

ExecChannel::ExecChannel(ssh_session session, std::string command)
    : session_(session), command_(std::move(command)), channel_(ssh_channel_new(session)) {
  callbacks_.userdata = this;
  callbacks_.channel_exit_status_function = &ExecChannel::on_exit_status;
  callbacks_.channel_exit_signal_function = &ExecChannel::on_exit_signal;
  callbacks_.channel_close_function = &ExecChannel::on_close;
  ssh_callbacks_init(&callbacks_);
  if (channel_) ssh_set_channel_callbacks(channel_.get(), &callbacks_);
}

ExecChannel::~ExecChannel() {
  if (channel_) ssh_remove_channel_callbacks(channel_.get(), &callbacks_);
}

remote::Channel::State ExecChannel::advance() {
  if (!channel_) return give_up();
  if (phase_ == Phase::opening) {
    const int result = ssh_channel_open_session(channel_.get());
    if (result == SSH_AGAIN) return State::opening;
    if (result != SSH_OK) return give_up();
    phase_ = Phase::asking;
  }
  if (phase_ == Phase::asking) {
    const int result = ssh_channel_request_exec(channel_.get(), command_.c_str());
    if (result == SSH_AGAIN) return State::opening;
    if (result != SSH_OK) return give_up();
    phase_ = Phase::running;
    end_.begun = true;
  }
  if (phase_ == Phase::running && closed_there_) phase_ = Phase::over;
  return phase_ == Phase::over ? State::over : State::open;
}

remote::Channel::State ExecChannel::give_up() {
  phase_ = Phase::over;
  end_.text = "the host accepts no further commands: " + error_of(session_);
  return State::over;
}

ssize_t ExecChannel::read(Stream stream, char* data, size_t most) {
  if (!end_.begun) return 0;
  const int n = ssh_channel_read_nonblocking(channel_.get(), data, static_cast<uint32_t>(most), stream == Stream::err);
  return std::max(n, 0);
}

ssize_t ExecChannel::write(const char* data, size_t size) {
  if (closed_there_ || !end_.begun) return -1;
  const size_t n = std::min({size, kChannelPartBytes, static_cast<size_t>(ssh_channel_window_size(channel_.get()))});
  if (n == 0) return 0;
  const int written = ssh_channel_write(channel_.get(), data, static_cast<uint32_t>(n));
  return written == SSH_AGAIN ? 0 : written;
}

void ExecChannel::end_input() {
  if (!closed_there_ && end_.begun) ssh_channel_send_eof(channel_.get());
}

void ExecChannel::signal(int number) {
  if (!closed_there_ && end_.begun) ssh_channel_request_send_signal(channel_.get(), name_of(number));
}

void ExecChannel::on_exit_status(ssh_session, ssh_channel, int status, void* self) {
  static_cast<ExecChannel*>(self)->end_.exit_code = status;
}

void ExecChannel::on_exit_signal(ssh_session, ssh_channel, const char* signal, int, const char*, const char*,
                                 void* self) {
  static_cast<ExecChannel*>(self)->end_.signal = signal_of(signal);
}

void ExecChannel::on_close(ssh_session, ssh_channel, void* self) {
  static_cast<ExecChannel*>(self)->closed_there_ = true;
}

}  // namespace n2nq::ssh
