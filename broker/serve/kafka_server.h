// What it takes to start a Kafka server for a run (its row is in recipe.cpp): in KRaft mode, alone or one of a
// cluster, in a folder of its own. Any thread.
#pragma once

#include "broker/serve/recipe.h"

namespace n2nq::serve {

// Where apache/kafka has its libraries.
constexpr std::string_view kKafkaInImages = "/opt/kafka/libs";
Result<void> check_kafka(const std::map<std::string, std::string>& settings);
std::optional<std::string> find_kafka();
std::string kafka_version(const std::string& folder);
std::string kafka_cluster(const Site& site);
std::vector<std::string> kafka_command(const Site& site, const std::string& program);
std::string kafka_settings(const Site& site);
std::string kafka_question(const Site& site);
std::optional<Said> kafka_said(std::string_view answer);
// Whoever leads most partitions.
std::string kafka_leader_question(const Site& site);
std::optional<size_t> kafka_leader(const Site& site, std::string_view answer);

}  // namespace n2nq::serve
