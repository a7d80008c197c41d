// What it takes to start a RabbitMQ server for a run (its row is in recipe.cpp): alone, or one of a cluster, with a
// name service of Erlang of its own, in a folder of its own. Any thread.
#pragma once

#include "broker/serve/recipe.h"

namespace n2nq::serve {

Result<void> check_rabbitmq(const std::map<std::string, std::string>& settings);
std::string rabbit_version(const std::string& program);
std::vector<std::string> rabbit_command(const Site& site, const std::string& program);
std::string rabbit_settings(const Site& site);
std::string rabbit_question(const Site& site);
std::optional<Said> rabbit_said(std::string_view answer);
std::optional<size_t> rabbit_known(const Site& site);
std::optional<size_t> find_rabbit_leader(const Site& site);

}  // namespace n2nq::serve
