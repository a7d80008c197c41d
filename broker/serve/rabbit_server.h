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
std::vector<std::string> rabbit_known_command(const Site& site);
std::optional<size_t> rabbit_known(std::string_view answer);
std::vector<std::string> rabbit_leader_command(const Site& site);
std::optional<size_t> rabbit_leader(const Site& site, std::string_view answer);

}  // namespace n2nq::serve
