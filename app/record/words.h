// The words by which files and the store name the values of an enum: stable, whatever the window calls them. Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/live/service_figures.h"
#include "app/record/run_record.h"

namespace n2nq::record {

std::string_view word_of(Role role);
std::string_view word_of(plan::Mode mode);
std::string_view word_of(Severity severity);
std::string_view word_of(live::ServiceState state);
std::string_view word_of(Layer layer);
std::string_view word_of(EventKind kind);  // empty: none
std::string_view word_of(Trust trust);
std::string word_of(Verdict verdict);

bool from_word(std::string_view word, Role& role);
bool from_word(std::string_view word, plan::Mode& mode);
bool from_word(std::string_view word, Severity& severity);
bool from_word(std::string_view word, live::ServiceState& state);
bool from_word(std::string_view word, Layer& layer);
bool from_word(std::string_view word, EventKind& kind);
bool from_word(std::string_view word, Trust& trust);
bool from_word(std::string_view word, Verdict& verdict);

}  // namespace n2nq::record
