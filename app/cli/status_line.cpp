#include "app/cli/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "app/plan/plain_text.h"

namespace n2nq::cli {
namespace {

size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

void say(const std::string& text) {
  std::fprintf(stderr, "n2nq-bench: %s\n", plan::without_controls(text).c_str());  // hosts and files are quoted
}

int complain(BenchExit code, const std::string& text) {
  say(text);
  return static_cast<int>(code);
}

bool print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return std::fflush(stdout) == 0 && written;
}

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const std::string& said) {
  const std::string line = plan::without_controls(said);
  if (!terminal_) {
    if (line != last_) std::fprintf(stderr, "%s\n", line.c_str());
    last_ = line;
    return;
  }
  std::fprintf(stderr, "\r\033[K%s", line.substr(0, terminal_width() - 1).c_str());
  std::fflush(stderr);
  open_ = true;
}

void StatusLine::end() {
  if (open_) std::fputc('\n', stderr);
  open_ = false;
}

}  // namespace n2nq::cli
