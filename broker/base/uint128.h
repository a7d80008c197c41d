// Products of two 64-bit numbers, which g++ and clang++ offer as an extension.
#pragma once

namespace n2nq {

__extension__ using uint128 = unsigned __int128;

}  // namespace n2nq
