#include "app/archive/archive_export.h"
#include "app/archive/archive_import.h"
#include "app/text/quantity.h"

namespace n2nq::archive {
namespace {

constexpr size_t kMostNamed = 12;

// "#12, #13, ..."
std::string numbers_text(const std::vector<int64_t>& ids) {
  std::string out;
  for (size_t i = 0; i < ids.size() && i < kMostNamed; i++) out += (i == 0 ? "#" : ", #") + std::to_string(ids[i]);
  return ids.size() > kMostNamed ? out + ", ..." : out;
}

}  // namespace

std::string to_text(const Exported& exported, const std::string& path) {
  std::string out = exported.campaign.empty() ? "" : "campaign \"" + exported.campaign + "\": ";
  out += text::amount(exported.results, "result") + " written to " + path + " (" +
         text::bytes(static_cast<double>(exported.archive_bytes)) + ")";
  if (exported.log_bytes == 0) return out;
  const std::string size = text::bytes(static_cast<double>(exported.log_bytes));
  return out + (exported.logs ? ", with the logs of " + size : ", without the logs, which need " + size);
}

std::string to_text(const Imported& imported) {
  std::string out = imported.campaign
                        ? "campaign " + std::to_string(*imported.campaign) + " \"" + imported.campaign_name + "\": "
                        : "";
  const size_t added = imported.added.size();
  const size_t here = imported.here_already.size();
  if (added > 0 || here == 0)
    out += text::amount(added, "result") + " imported" + (added == 0 ? "" : " (" + numbers_text(imported.added) + ")");
  if (added > 0 && here > 0) out += "; ";
  if (here > 0)
    out += (added > 0 ? text::count(static_cast<int64_t>(here)) : text::amount(here, "result")) + " already here (" +
           numbers_text(imported.here_already) + ")";
  return out;
}

std::optional<int64_t> first_of(const Imported& imported) {
  if (!imported.added.empty()) return imported.added.front();
  if (!imported.here_already.empty()) return imported.here_already.front();
  return std::nullopt;
}

bool is_archive_name(const std::string& path) {
  return path.ends_with(".n2nq");
}

}  // namespace n2nq::archive
