#include "ui/window/shell_command.h"

#include "app/plan/plan_fields.h"

namespace n2nq::ui {
namespace {

std::string quoted(const std::string& word) {
  const char* const kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

Result<std::string> shell_command(const plan::PlanEditor& editor) {
  if (editor.path().empty()) return fail("Save the plan first: the command refers to its file.");
  auto saved = plan::read_plan_file(editor.path());
  if (!saved) return std::unexpected(saved.error());
  if (saved->runs != editor.file().runs) return fail("Save the plan first: its runs differ from those in its file.");
  std::string command = "n2nq-bench run " + quoted(editor.path());
  for (const plan::PlanField& field : plan::plan_fields()) {
    const std::string now = plan::given_text(field, editor.plan());
    if (now != plan::given_text(field, saved->base)) command += " --set " + quoted(std::string(field.key) + "=" + now);
  }
  return command;
}

}  // namespace n2nq::ui
