// How much of a background load one turn of the recorder's loop moves: 4 MiB, about a millisecond's work.
#pragma once

#include <cstddef>

namespace n2nq::recorder {

inline constexpr size_t kPieceBytes = 256 << 10;
inline constexpr int kPiecesATurn = 16;

}  // namespace n2nq::recorder
