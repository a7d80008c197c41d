// `n2nq-broker relay`: the bare relay as a program. Thread: main.
#pragma once

namespace n2nq::relay {

// With wire::kRelayWord, and what follows it. Until SIGTERM; returns the exit code.
int run_relay(int argc, char** argv);

}  // namespace n2nq::relay
