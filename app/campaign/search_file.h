// The search of a campaign's file (docs/search.md). Values; any thread.
#pragma once

#include <nlohmann/json.hpp>

#include "app/campaign/search_spec.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// Its form; whether it can be made is for problem_of().
Result<SearchSpec> read_search(const nlohmann::json& json);
nlohmann::ordered_json search_object(const SearchSpec& search);

}  // namespace n2nq::campaign
