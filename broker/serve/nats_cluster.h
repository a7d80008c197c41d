// What makes NATS servers of a run a cluster (their rows are in recipe.cpp), with or without JetStream. Any thread.
#pragma once

#include "broker/serve/recipe.h"

namespace n2nq::serve {

// Of the settings; empty for one server.
std::string nats_cluster(const Site& site);
// How many are in the cluster of one that says this of itself.
size_t nats_servers(std::string_view info);
// Behind the login: what only who leads all servers answers, and who leads the streams.
std::string jetstream_question();
bool jetstream_answers(std::string_view answer);
std::string jetstream_leader_question();
std::optional<size_t> jetstream_leader(const Site& site, std::string_view answer);

}  // namespace n2nq::serve
