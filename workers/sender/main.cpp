#include <memory>

#include "broker/process/limited.h"
#include "broker/process/program_start.h"
#include "workers/fleet/fleet.h"
#include "workers/sender/sender_fleet.h"
#include "workers/sender/sender_options.h"

int main(int argc, char** argv) {
  n2nq::process::start_program();
  n2nq::process::end_without_memory("n2nq-sender");
  n2nq::sender::SenderOptions options;
  if (auto code = n2nq::sender::parse(argc, argv, options)) return *code;
  if (auto code = n2nq::process::hold_to(options.limits, "n2nq-sender", argv)) return *code;
  n2nq::fleet::Fleet fleet(n2nq::wire::Role::sender, "sender", options,
                           std::make_unique<n2nq::sender::SenderFleet>(options));
  return static_cast<int>(fleet.run());
}
