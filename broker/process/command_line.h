// The options of a program: what each takes, how it is checked, and the one line that tells a person what was wrong.
// The only place that knows the parser behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "broker/base/join.h"
#include "broker/base/result.h"
#include "broker/base/units.h"

namespace n2nq::process {

class CommandLine {
 public:
  // `footer` follows the options in --help: examples and exit codes.
  CommandLine(std::string program, const std::string& description, const std::string& footer);
  ~CommandLine();

  // The options added from now on stand under this heading in --help.
  void heading(std::string text) { heading_ = std::move(text); }
  // They work, but --help does not list them.
  void hidden() { heading_.clear(); }

  // `value` holds the default and gets what was given. `form` is what --help shows for the value.
  using Take = std::function<Result<void>(const std::string& text)>;
  void option(const std::string& name, const std::string& form, const std::string& standard, const std::string& help,
              Take take);
  void flag(const std::string& name, bool& value, const std::string& help);
  void text(const std::string& name, std::string& value, const std::string& form, const std::string& help);
  void duration(const std::string& name, int64_t& value_ns, const std::string& help);
  void size_range(const std::string& name, SizeRange& value, const std::string& help);
  void whole(const std::string& name, uint64_t& value, uint64_t min, uint64_t max, const std::string& help);
  void whole(const std::string& name, uint32_t& value, uint32_t min, uint32_t max, const std::string& help);

  template <class T>
  void choice(const std::string& name, T& value, std::vector<std::pair<std::string, T>> choices,
              const std::string& help);

  // Whether the option was given; after parse().
  bool given(const std::string& name) const;

  // Nothing: go on. Else the exit code: help and version have been printed, or the usage error.
  std::optional<int> parse(int argc, char** argv);
  // KEY=VALUE;...
  void settings(const std::string& name, std::map<std::string, std::string>& values, const std::string& help);
  // One line on stderr; returns the exit code of usage errors.
  int usage_error(const std::string& text) const;

 private:
  struct Parser;
  std::string program_;
  std::string heading_ = "Options";
  std::unique_ptr<Parser> parser_;
};

template <class T>
void CommandLine::choice(const std::string& name, T& value, std::vector<std::pair<std::string, T>> choices,
                         const std::string& help) {
  std::string form;
  std::string standard;
  for (const auto& [word, meaning] : choices) {
    add_part(form, "|", word);
    if (meaning == value) standard = word;
  }
  option(name, form, standard, help, [&value, choices, form](const std::string& given) -> Result<void> {
    for (const auto& [word, meaning] : choices) {
      if (word != given) continue;
      value = meaning;
      return {};
    }
    return fail("'" + given + "' is not one of its values; choose one of " + form);
  });
}

}  // namespace n2nq::process
