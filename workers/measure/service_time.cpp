#include "workers/measure/service_time.h"

#include <string>

#include "broker/base/units.h"
#include "workers/measure/exponential.h"

namespace n2nq::measure {

Result<ServiceTime> parse_service_time(std::string_view text) {
  if (text == "none") return ServiceTime{};
  const size_t colon = text.find(':');
  const std::string_view kind = colon == std::string_view::npos ? "fixed" : text.substr(0, colon);
  const auto mean_ns = parse_duration(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if ((kind != "fixed" && kind != "exponential") || !mean_ns)
    return fail("'" + std::string(text) + "' is not a service time; write none, fixed:5ms or exponential:5ms");
  if (*mean_ns < 1 || *mean_ns > kLongestServiceNs)
    return fail("'" + std::string(text) + "' is out of range; a service time is from 1ns to 1h, or none");
  return ServiceTime{.kind = kind == "fixed" ? ServiceTime::Kind::fixed : ServiceTime::Kind::exponential,
                     .mean_ns = *mean_ns};
}

int64_t ServiceTimes::next_ns() {
  return time_.kind == ServiceTime::Kind::exponential ? exponential_ns(time_.mean_ns, random_.next()) : time_.mean_ns;
}

}  // namespace n2nq::measure
