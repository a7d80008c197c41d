#include "broker/net/socket.h"
#include "broker/process/program_start.h"
#include "workers/recorder/recorder.h"

int main(int argc, char** argv) {
  n2nq::process::start_program();
  n2nq::process::end_without_memory("n2nq-recorder");
  n2nq::recorder::RecorderOptions options;
  if (auto code = n2nq::recorder::parse(argc, argv, options)) return *code;
  constexpr uint64_t kFiles = 65'536;  // a thousand processes, and their threads
  n2nq::net::raise_descriptor_limit(kFiles);
  n2nq::recorder::Recorder recorder(options);
  return static_cast<int>(recorder.run());
}
