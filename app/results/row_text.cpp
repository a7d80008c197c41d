#include "app/results/row_text.h"

namespace n2nq::results {

std::string campaign_text(const ResultRow& row) {
  if (!row.campaign) return "";
  return "#" + std::to_string(row.campaign->campaign) + " " + row.campaign_name + " " +
         std::to_string(row.campaign->point) + "." + std::to_string(row.campaign->repeat);
}

}  // namespace n2nq::results
