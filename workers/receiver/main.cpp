#include <memory>

#include "broker/process/limited.h"
#include "broker/process/program_start.h"
#include "workers/fleet/fleet.h"
#include "workers/receiver/receiver_fleet.h"
#include "workers/receiver/receiver_options.h"

int main(int argc, char** argv) {
  n2nq::process::start_program();
  n2nq::process::end_without_memory("n2nq-receiver");
  n2nq::receiver::ReceiverOptions options;
  if (auto code = n2nq::receiver::parse(argc, argv, options)) return *code;
  if (auto code = n2nq::process::hold_to(options.limits, "n2nq-receiver", argv)) return *code;
  n2nq::fleet::Fleet fleet(n2nq::wire::Role::receiver, "receiver", options,
                           std::make_unique<n2nq::receiver::ReceiverFleet>(options));
  return static_cast<int>(fleet.run());
}
