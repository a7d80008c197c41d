// What a command line may have been meant to say, where it has words that are not known.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace n2nq::cli {

// The command of `app` whose name is near to that word.
std::optional<std::string> near_command(const CLI::App& app, const std::string& word);

// What is wrong, and what was probably meant. `file`: what was taken for the file to open, if anything was.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::string& file);

}  // namespace n2nq::cli
