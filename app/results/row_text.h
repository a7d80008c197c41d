// What a list of results says of one. Any thread.
#pragma once

#include <string>

#include "app/results/store.h"

namespace n2nq::results {

// The campaign with its number, and which point and repeat it is: "#3 thesis 1 (quick) 10.2"; empty: of none.
std::string campaign_text(const ResultRow& row);

}  // namespace n2nq::results
