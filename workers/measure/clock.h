// The clocks under the names that measuring code uses; see broker/base/clock.h.
#pragma once

#include "broker/base/clock.h"

namespace n2nq::measure {

using n2nq::clock_id;
using n2nq::clock_id_from;
using n2nq::now_ns;
using n2nq::read_clock_ns;
using n2nq::utc_text;
using n2nq::wall_ns;

}  // namespace n2nq::measure
