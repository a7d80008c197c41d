#include "app/cli/signal_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "broker/base/assert.h"

namespace n2nq::cli {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
// timeout(1), and others, signal a process and then its group: to us that is twice, and one wish.
constexpr int kOneWishMs = 500;

// The writing end of the pipe: all that a signal handler may use.
std::atomic<int> pipe_in = -1;

void on_signal(int number) {
  const int kept = errno;
  const auto byte = static_cast<unsigned char>(number);
  // A full pipe holds enough of them already.
  [[maybe_unused]] const ssize_t written = ::write(pipe_in, &byte, 1);
  errno = kept;
}

}  // namespace

SignalWatch::SignalWatch(QObject* parent) : QObject(parent) {
  N2NQ_ASSERT(pipe_in < 0);
  int ends[2] = {-1, -1};
  N2NQ_ASSERT(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  reader_ = Fd(ends[0]);
  pipe_in = ends[1];
  notifier_ = std::make_unique<QSocketNotifier>(reader_.get(), QSocketNotifier::Read);
  connect(notifier_.get(), &QSocketNotifier::activated, this, &SignalWatch::read_signals);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); i++) {
    ::sigaction(kSignals[i], nullptr, &former_[i]);
    // What whoever started us wants ignored stays so: nohup.
    if (former_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

SignalWatch::~SignalWatch() {
  for (size_t i = 0; i < kSignals.size(); i++) ::sigaction(kSignals[i], &former_[i], nullptr);
  notifier_.reset();
  reader_.reset();
  ::close(pipe_in.exchange(-1));
}

void SignalWatch::read_signals() {
  unsigned char number = 0;
  while (::read(reader_.get(), &number, 1) == 1) {
    if (last_.isValid() && last_.elapsed() < kOneWishMs) continue;
    last_.start();
    Q_EMIT asked_to_stop(number);
  }
}

}  // namespace n2nq::cli

#include "moc_signal_watch.cpp"
