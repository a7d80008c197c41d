// Durations in the unit of a column. As text::duration() they have three significant digits at least, but no parts of a
// nanosecond. Pure; any thread.
#pragma once

#include <string>

#include "app/text/quantity.h"

namespace n2nq::text {

std::string duration(double ns, const Scale& scale);  // "0.0841 ms" beside "20.1 ms"

}  // namespace n2nq::text
