#include "broker/process/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "broker/base/exit_code.h"

namespace n2nq::process {

struct CommandLine::Parser {
  explicit Parser(const std::string& description) : app(description) {}
  CLI::App app;
};

CommandLine::CommandLine(std::string program, const std::string& description, const std::string& footer)
    : program_(std::move(program)), parser_(std::make_unique<Parser>(description)) {
  CLI::App& app = parser_->app;
  app.name(program_);
  app.footer(footer);
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", program_ + " " + N2NQ_VERSION, "Print the version and exit");
  app.get_formatter()->column_width(38);
}

CommandLine::~CommandLine() = default;

void CommandLine::option(const std::string& name, const std::string& form, const std::string& standard,
                         const std::string& help, Take take) {
  CLI::Option* option = parser_->app.add_option_function<std::string>(
      name,
      [name, take = std::move(take)](const std::string& text) {
        if (auto taken = take(text); !taken) throw CLI::ValidationError(name, taken.error().text);
      },
      help + (standard.empty() ? "" : " [" + standard + "]"));
  option->type_name(form);
  option->group(heading_);
}

void CommandLine::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help)->group(heading_);
}

void CommandLine::text(const std::string& name, std::string& value, const std::string& form, const std::string& help) {
  option(name, form, value, help, [&value, name](const std::string& given) -> Result<void> {
    if (given.empty()) return fail("is empty");
    value = given;
    return {};
  });
}

void CommandLine::duration(const std::string& name, int64_t& value_ns, const std::string& help) {
  option(name, "DURATION", format_duration(value_ns), help, [&value_ns](const std::string& given) -> Result<void> {
    auto ns = parse_duration(given);
    if (!ns) return std::unexpected(ns.error());
    value_ns = *ns;
    return {};
  });
}

void CommandLine::size_range(const std::string& name, SizeRange& value, const std::string& help) {
  option(name, "SIZE[..SIZE]", format_size(value.min), help, [&value](const std::string& given) -> Result<void> {
    auto range = parse_size_range(given);
    if (!range) return std::unexpected(range.error());
    value = *range;
    return {};
  });
}

void CommandLine::whole(const std::string& name, uint64_t& value, uint64_t min, uint64_t max, const std::string& help) {
  option(name, "N", std::to_string(value), help, [&value, min, max](const std::string& given) -> Result<void> {
    auto number = parse_whole(given);
    if (!number || *number < min || *number > max)
      return fail("'" + given + "' is out of range; write a whole number from " + std::to_string(min) + " to " +
                  std::to_string(max));
    value = *number;
    return {};
  });
}

void CommandLine::whole(const std::string& name, uint32_t& value, uint32_t min, uint32_t max, const std::string& help) {
  option(name, "N", std::to_string(value), help, [&value, min, max](const std::string& given) -> Result<void> {
    auto number = parse_whole(given);
    if (!number || *number < min || *number > max)
      return fail("'" + given + "' is out of range; write a whole number from " + std::to_string(min) + " to " +
                  std::to_string(max));
    value = static_cast<uint32_t>(*number);
    return {};
  });
}

bool CommandLine::given(const std::string& name) const {
  return parser_->app.count(name) > 0;
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  try {
    parser_->app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& asked) {  // --help, --version
    return parser_->app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
}

void CommandLine::settings(const std::string& name, std::map<std::string, std::string>& values,
                           const std::string& help) {
  option(name, "KEY=VALUE;...", "", help, [&values](const std::string& given) -> Result<void> {
    for (size_t at = 0; at < given.size();) {
      const size_t end = std::min(given.find(';', at), given.size());
      const std::string pair = given.substr(at, end - at);
      const size_t equals = pair.find('=');
      if (equals == std::string::npos || equals == 0) return fail("'" + pair + "' is not of the form KEY=VALUE");
      values[pair.substr(0, equals)] = pair.substr(equals + 1);
      at = end + 1;
    }
    return {};
  });
}

int CommandLine::usage_error(const std::string& text) const {
  std::string line = text;
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fprintf(stderr, "%s: %s (see %s --help)\n", program_.c_str(), line.c_str(), program_.c_str());
  return static_cast<int>(ExitCode::usage);
}

}  // namespace n2nq::process
