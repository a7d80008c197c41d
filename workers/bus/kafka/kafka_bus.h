// Apache Kafka, through librdkafka: a topic of the run, to which senders produce, and which receivers consume. A client
// for each of them. Thread: as of Bus.
#pragma once

#include <memory>

#include "workers/bus/bus.h"
#include "workers/bus/kafka/kafka_client.h"

namespace n2nq::bus {

// What the settings mean in librdkafka's words.
KafkaWay kafka_way(const BusOptions& options);
Result<std::unique_ptr<Bus>> make_kafka_bus(const BusOptions& options, const LoopParts& parts);
// ", librdkafka 2.0.2, OpenSSL 3.0.15"
std::string kafka_libraries(const BusOptions& options);

}  // namespace n2nq::bus
