// Counts what operator new is asked for in this test program, to show that steady state allocates nothing.
#pragma once

#include <cstdint>

namespace n2nq::test {

uint64_t allocations();

}  // namespace n2nq::test
