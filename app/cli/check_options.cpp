#include "app/cli/check_options.h"

namespace n2nq::cli {

void add_fail_if(CLI::App& sub, std::vector<std::string>& conditions) {
  sub.add_option("--fail-if", conditions, "A condition that must not be met; may be repeated")
      ->type_name("CONDITION")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// By its ending: a plan that is named in its place by mistake stays what it is.
void add_junit(CLI::App& sub, std::string& file) {
  sub.add_option_function<std::string>(
         "--junit",
         [&file](const std::string& given) {
           if (!given.ends_with(".xml"))
             throw CLI::ValidationError("--junit", "'" + given + "' is not a name that ends in .xml");
           file = given;
         },
         "Write the outcome to this file as JUnit XML, for CI servers")
      ->type_name("FILE.xml");
}

}  // namespace n2nq::cli
