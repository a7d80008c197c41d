#include <memory>

#include "broker/process/standard_streams.h"
#include "workers/fleet/fleet.h"
#include "workers/receiver/receiver_fleet.h"
#include "workers/receiver/receiver_options.h"

int main(int argc, char** argv) {
  n2nq::process::ensure_standard_streams();
  n2nq::receiver::ReceiverOptions options;
  if (auto code = n2nq::receiver::parse(argc, argv, options)) return *code;
  n2nq::fleet::Fleet fleet(n2nq::wire::Role::receiver, "receiver", options,
                           std::make_unique<n2nq::receiver::ReceiverFleet>(options));
  return static_cast<int>(fleet.run());
}
