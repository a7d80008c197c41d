// What figures of one run have in common beside their points: notes, and what to say where there is nothing to see.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/figures/figures.h"

namespace n2nq::figures {

// "one clock", "± 3.0 us"
std::string clock_note(const FigureContext& context);
// The same, and which messages are left out.
std::vector<std::string> latency_notes(const FigureContext& context);
std::string no_latency_text(const FigureContext& context);
// The marks of a figure over time, and how many of them there is no room for.
void add_landmarks(Figure& figure, const FigureContext& context);
// "1 message", "1,200 messages"
std::string amount(uint64_t n, const std::string& noun);

}  // namespace n2nq::figures
