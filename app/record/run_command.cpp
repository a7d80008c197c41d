#include "app/record/run_command.h"

#include "app/plan/plan_file.h"

namespace n2nq::record {

std::string file_name_of(const std::string& name) {
  std::string file;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (plain)
      file.push_back(c);
    else if (!file.empty() && file.back() != '-')
      file.push_back('-');
  }
  while (file.starts_with('.') || file.starts_with('-')) file.erase(0, 1);
  while (file.ends_with('-')) file.pop_back();
  return file.empty() ? "plan" : file;
}

std::string run_command(const plan::RunPlan& plan) {
  const std::string file = file_name_of(plan.name) + ".json";
  std::string json = plan::to_json({.base = plan, .runs = {}});
  while (json.ends_with('\n')) json.pop_back();
  // Quoted, so that the shell takes it as it is; no line of JSON is this word.
  return "cat > " + file + " <<'END_OF_PLAN'\n" + json + "\nEND_OF_PLAN\nn2nq-bench run " + file + "\n";
}

}  // namespace n2nq::record
