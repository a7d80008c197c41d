// A command on the host, over a channel of a session that does not block. The session's thread.
#pragma once

#include "app/remote/pump.h"
#include "app/ssh/handle.h"

namespace n2nq::ssh {

class ExecChannel : public remote::Channel {
 public:
  ExecChannel(ssh_session session, std::string command);
  ExecChannel(const ExecChannel&) = delete;
  ExecChannel& operator=(const ExecChannel&) = delete;
  ~ExecChannel() override;

  State advance() override;
  ssize_t read(Stream stream, char* data, size_t most) override;
  ssize_t write(const char* data, size_t size) override;
  void end_input() override;
  void signal(int number) override;
  remote::ExecEnd end() override { return end_; }

 private:
  enum class Phase { opening, asking, running, over };
  State give_up();

  static void on_exit_status(ssh_session, ssh_channel, int status, void* self);
  static void on_exit_signal(ssh_session, ssh_channel, const char* signal, int core, const char* message,
                             const char* language, void* self);
  static void on_close(ssh_session, ssh_channel, void* self);

  ssh_session session_;
  std::string command_;
  ChannelHandle channel_;
  ssh_channel_callbacks_struct callbacks_{};
  Phase phase_ = Phase::opening;
  bool closed_there_ = false;
  remote::ExecEnd end_;
};

}  // namespace n2nq::ssh
