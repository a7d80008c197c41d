// One libFuzzer program; N2NQ_FUZZ_ENTRY names its target.
#include "tests/fuzz/entries.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  n2nq::fuzz::N2NQ_FUZZ_ENTRY({data, size});
  return 0;
}
