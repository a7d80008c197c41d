#include "ui/services/service_filter.h"

#include <algorithm>
#include <array>
#include <string>

namespace n2nq::ui {
namespace {

using live::ServiceFigures;
using live::ServiceState;

template <ServiceState kState>
bool is(const ServiceFigures& figures) {
  return figures.state == kState;
}

template <int64_t control::Counts::* kCount>
bool any(const ServiceFigures& figures) {
  return figures.*kCount > 0;
}

// "s1-5" is the same as "1-5".
std::string_view without_role(std::string_view token) {
  if (token.size() > 1 && (token[0] == 's' || token[0] == 'r') && token[1] >= '0' && token[1] <= '9')
    token.remove_prefix(1);
  return token;
}

}  // namespace

const ServiceFilter::Word* ServiceFilter::find_word(std::string_view text) {
  static constexpr std::array kWords{
      Word{"absent", is<ServiceState::absent>},
      Word{"connecting", is<ServiceState::connecting>},
      Word{"joined", is<ServiceState::joined>},
      Word{"running", is<ServiceState::running>},
      Word{"paused", is<ServiceState::paused>},
      Word{"away", is<ServiceState::away>},
      Word{"stopped", is<ServiceState::stopped>},
      Word{"done", is<ServiceState::done>},
      Word{"disconnected", is<ServiceState::gone>},
      Word{"lost", any<&control::Counts::lost>},
      Word{"duplicates", any<&control::Counts::duplicates>},
      Word{"reordered", any<&control::Counts::reordered>},
      Word{"corrupt", any<&control::Counts::corrupt>},
      Word{"stalls", any<&control::Counts::log_stalls>},
  };
  const auto word = std::find_if(kWords.begin(), kWords.end(), [text](const Word& w) { return text == w.text; });
  return word == kWords.end() ? nullptr : &*word;
}

Result<void> ServiceFilter::take(std::string_view token) {
  if (const Word* word = find_word(token)) {
    words_.push_back(word);
    return {};
  }
  auto set = control::parse_services(without_role(token));
  if (!set || set->all())
    return fail("\"" + std::string(token) +
                "\" is unknown; enter numbers such as 1-5,9, a state such as disconnected, or lost");
  by_number_ = true;
  numbers_.push_back(std::move(*set));
  return {};
}

Result<ServiceFilter> ServiceFilter::parse(std::string_view text) {
  ServiceFilter filter;
  constexpr std::string_view kBetween = " ,\t";
  while (true) {
    const size_t start = text.find_first_not_of(kBetween);
    if (start == std::string_view::npos) return filter;
    text.remove_prefix(start);
    const std::string_view token = text.substr(0, text.find_first_of(kBetween));
    if (auto taken = filter.take(token); !taken) return std::unexpected(taken.error());
    text.remove_prefix(token.size());
  }
}

bool ServiceFilter::shows(const ServiceFigures& figures) const {
  const auto has_number = [&](const control::ServiceSet& set) { return set.contains(figures.number); };
  const auto fits = [&](const Word* word) { return word->fits(figures); };
  if (by_number_ && std::none_of(numbers_.begin(), numbers_.end(), has_number)) return false;
  return words_.empty() || std::any_of(words_.begin(), words_.end(), fits);
}

}  // namespace n2nq::ui
