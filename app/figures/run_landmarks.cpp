#include "app/figures/run_landmarks.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace n2nq::figures {
namespace {

constexpr double kAtOnce = 1e8;  // ns
constexpr size_t kMostLandmarks = 40;

// The words of the run's log, which session_course.cpp writes, and what a mark says for them.
std::string mark_of(const std::string& note) {
  const auto has = [&](std::string_view part) { return note.find(part) != std::string::npos; };
  const std::string subject = note.substr(0, std::min(note.find(": "), note.size()));
  if (note == "killed by the user") return "killed";
  if (has(": killed by signal")) return subject + " killed";
  if (note.ends_with("stopped by the user")) return subject == note ? "stopped" : subject + " stopped";
  // Logs of older benches say "passed".
  if (note.starts_with("limit exceeded: ") || note.starts_with("limit passed: ")) return "limit exceeded";
  return {};
}

}  // namespace

std::vector<Landmark> landmarks_of(const Happenings& happenings) {
  std::vector<Landmark> landmarks;
  if (happenings.warmup_ns > 0)
    landmarks.push_back({.label = "end of warm-up", .x = static_cast<double>(happenings.warmup_ns)});
  for (const record::RequestRecord& request : happenings.requests)
    if (request.since_begin_ns > 0)
      landmarks.push_back({.label = "request changed", .x = static_cast<double>(request.since_begin_ns)});
  for (const record::RunNote& note : happenings.notes) {
    if (note.since_begin_ns.value_or(0) <= 0) continue;
    if (std::string mark = mark_of(note.text); !mark.empty())
      landmarks.push_back({.label = std::move(mark), .x = static_cast<double>(*note.since_begin_ns)});
  }
  std::ranges::stable_sort(landmarks, {}, &Landmark::x);
  const auto again = std::ranges::unique(landmarks, [](const Landmark& one, const Landmark& next) {
    return one.label == next.label && next.x - one.x < kAtOnce;
  });
  landmarks.erase(again.begin(), again.end());
  if (landmarks.size() > kMostLandmarks) landmarks.resize(kMostLandmarks);
  return landmarks;
}

}  // namespace n2nq::figures
