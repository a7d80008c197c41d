#include "app/cli/usage_hint.h"

#include <filesystem>
#include <vector>

#include "app/text/nearest_word.h"

namespace n2nq::cli {
namespace {

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// The command that was called, down to the last of its parts.
const CLI::App& called(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : called(*commands.back());
}

}  // namespace

std::optional<std::string> near_command(const CLI::App& app, const std::string& word) {
  return text::nearest_word(word, commands_of(app));
}

std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::string& file) {
  const CLI::App& command = called(app);
  std::error_code ignored;
  if (&command == &app && !file.empty() && !std::filesystem::exists(file, ignored))
    if (const auto meant = near_command(app, file))
      return "\"" + file + "\" is neither a command nor a file; did you mean " + *meant + "?";
  // Where a word is not known, what is missing is often what it was meant to be.
  for (const std::string& word : command.remaining()) {
    const std::string name = word.substr(0, word.find('='));
    const auto meant =
        name.starts_with('-') ? text::nearest_word(name, options_of(command)) : near_command(command, name);
    if (meant) return "The following argument was not expected: " + name + "; did you mean " + *meant + "?";
  }
  return error.what();
}

}  // namespace n2nq::cli
