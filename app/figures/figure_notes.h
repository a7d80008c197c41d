// What figures of one run have in common beside their points: notes, and what to say where there is nothing to see.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/figures/figures.h"

namespace n2nq::figures {

// "one clock", "± 3.0 us"
std::string clock_note(const FigureContext& context);
// "closed loop, 4 outstanding: hides waiting"; nothing where requests go by schedule.
void note_closed_loop(Figure& figure, const FigureContext& context);
// The clocks, the loop, and which messages are left out. Turnaround is by one clock, whatever hosts there are.
std::vector<std::string> latency_notes(const FigureContext& context);
std::vector<std::string> first_latency_notes(const FigureContext& context);  // of what figures show first
std::string first_latency_word(const FigureContext& context);                // "latency", "turnaround, intended"
inline constexpr const char* kNeverBegan = "This run ended before it began; see its log for the reason";
std::string no_latency_text(const FigureContext& context);
// Live, where there is nothing to see yet: what starts with a run, or, where one is under way, what has not come.
std::string not_yet_text(const FigureContext& context, const std::string& starts, const std::string& missing);
inline constexpr const char* kNoMessageYet = "No message received yet";
// The marks of a figure over time, and how many of them there is no room for.
void add_landmarks(Figure& figure, const FigureContext& context);
// What must be known beside a figure, in one line: " · " between.
std::string notes_text(const Figure& figure);
// Where messages go first: "queue's host".
std::string path_end(const FigureContext& context);

}  // namespace n2nq::figures
