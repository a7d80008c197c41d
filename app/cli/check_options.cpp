#include "app/cli/check_options.h"

namespace n2nq::cli {

void add_fail_if(CLI::App& sub, std::vector<std::string>& conditions) {
  sub.add_option("--fail-if", conditions, "A condition that must not be met; may be repeated")
      ->type_name("CONDITION")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_output(CLI::App& sub, const std::string& option, const std::string& ending, std::string& file,
                const std::string& help) {
  sub.add_option_function<std::string>(
         option,
         [&file, option, ending](const std::string& given) {
           if (!given.ends_with(ending))
             throw CLI::ValidationError(option, "'" + given + "' is not a name that ends in " + ending);
           file = given;
         },
         help)
      ->type_name("FILE" + ending);
}

void add_junit(CLI::App& sub, std::string& file) {
  add_output(sub, "--junit", ".xml", file, "Write the outcome to this file as JUnit XML, for CI servers");
}

}  // namespace n2nq::cli
