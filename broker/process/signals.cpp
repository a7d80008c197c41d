#include "broker/process/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>

#include <csignal>

#include "broker/base/assert.h"

namespace n2nq::process {

Signals::Signals(net::EventLoop& loop, std::function<void(int)> on_signal)
    : loop_(loop), on_signal_(std::move(on_signal)) {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = Fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  N2NQ_ASSERT(fd_.valid());
  loop_.add(fd_.get(), net::EventLoop::kRead, this);
}

Signals::~Signals() {
  loop_.remove(fd_.get(), this);
}

void Signals::on_events(uint32_t) {
  signalfd_siginfo info;
  while (::read(fd_.get(), &info, sizeof info) == sizeof info) on_signal_(static_cast<int>(info.ssi_signo));
}

}  // namespace n2nq::process
