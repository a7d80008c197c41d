#include "app/findings/study.h"

#include <algorithm>
#include <array>

#include "app/findings/shipped_case.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::findings {
namespace {

constexpr std::string_view kThesis = "thesis ";
constexpr std::string_view kQuick = " (quick)";

struct Study {
  std::string_view name, title;
};
constexpr std::array kStudies{Study{"thesis containers", "Services in containers"},
                              Study{"seed 001", "Kafka against RabbitMQ"},
                              Study{"seed 001 rabbitmq", "Parameters of RabbitMQ"},
                              Study{"seed 001 kafka", "Parameters of Kafka"},
                              Study{"seed 002", "Bus against HTTP"},
                              Study{"seed 002 resources", "Processors and memory of a service"},
                              Study{"seed 003", "WebSocket against HTTP"},
                              Study{"seed 003 day", "Pings through a day"},
                              Study{"seed 004", "One queue against partitions"},
                              Study{"seed 004 kafka", "A hot key in Kafka"},
                              Study{"peers latency", "Buses beside a relay, latency"},
                              Study{"peers throughput", "Buses beside a relay, throughput"},
                              Study{"waiting for service", "Waiting for service"}};

}  // namespace

std::optional<uint32_t> number_in_thesis(std::string_view study_case) {
  if (!study_case.starts_with(kThesis)) return std::nullopt;
  const auto number = parse_whole(study_case.substr(kThesis.size()));
  return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

std::string title_of(std::string_view study_case) {
  if (const auto number = number_in_thesis(study_case)) return "Thesis, case " + std::to_string(*number);
  const auto study = std::ranges::find(kStudies, study_case, &Study::name);
  return std::string(study == kStudies.end() ? study_case : study->title);
}

bool is_quick(std::string_view campaign) {
  return campaign.ends_with(kQuick);
}

std::string_view study_of(std::string_view campaign) {
  return is_quick(campaign) ? campaign.substr(0, campaign.size() - kQuick.size()) : campaign;
}

// What is somebody's own stays as it is written.
std::string shown_name(std::string_view campaign) {
  const std::string_view study = study_of(campaign);
  const bool other = number_in_thesis(study) && find_case(study) == nullptr;  // "thesis 8"
  const std::string title = title_of(study);
  return other || title == study ? std::string(campaign) : title + (is_quick(campaign) ? ", quick" : "");
}

std::string study_word(std::string_view study_case) {
  return number_in_thesis(study_case) ? "thesis" : "study";
}

std::string whose(std::string_view study_case) {
  return number_in_thesis(study_case) ? "the thesis'" : "the study's";
}

std::string figures_text(const Finding& finding) {
  if (finding.figures.empty()) return {};
  return (finding.figures.size() > 1 ? "figures " : "figure ") + join(finding.figures, ", ");
}

std::string study_head(std::string_view study_case) {
  return text::capital(study_word(study_case));
}

}  // namespace n2nq::findings
