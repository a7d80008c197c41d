#include "workers/bus/nats/jetstream.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace n2nq::bus {
namespace {

using nlohmann::json;

constexpr std::string_view kApi = "$JS.API.";
constexpr std::string_view kAcknowledgement = "$JS.ACK.";
constexpr int64_t kForgottenAfterNs = 86'400'000'000'000;  // a consumer that nobody asks for
constexpr int64_t kUsualWindowNs = 120'000'000'000;        // as it is shipped

constexpr int kMostPulls = 20'000;  // of all who share a consumer: 10,000 receivers have two each

}  // namespace

std::string JetStreamWay::ask_for(const std::string& whom, std::string_view answer_to,
                                  std::string_view nobody_to) const {
  return publish(subject + ".nobody", nobody_to, "") + publish(whom, answer_to, "") + std::string(kNatsPing);
}

std::string JetStreamWay::create_stream(std::string_view answer_to) const {
  const json settings = {{"name", stream},
                         {"subjects", {subject}},
                         {"retention", "limits"},
                         {"discard", "old"},
                         {"storage", storage},
                         {"num_replicas", replicas},
                         {"duplicate_window", deduplication_ns > 0 ? deduplication_ns : kUsualWindowNs}};
  return publish(std::string(kApi) + "STREAM.CREATE." + stream, answer_to, settings.dump());
}

std::string JetStreamWay::create_consumer(uint32_t receiver, std::string_view answer_to) const {
  json settings = {{"durable_name", consumer(receiver)},
                   {"deliver_policy", "all"},
                   {"ack_policy", acknowledge},
                   {"replay_policy", "instant"},
                   {"inactive_threshold", kForgottenAfterNs}};
  if (!to_all) settings["max_waiting"] = kMostPulls;
  if (acknowledge != "none") settings.update({{"ack_wait", take_over_ns}, {"max_ack_pending", pending}});
  const json asked = {{"stream_name", stream}, {"config", settings}};
  return publish(std::string(kApi) + "CONSUMER.DURABLE.CREATE." + stream + "." + consumer(receiver), answer_to,
                 asked.dump());
}

std::string JetStreamWay::pull(uint32_t receiver, uint64_t messages, std::string_view answer_to) const {
  return publish(std::string(kApi) + "CONSUMER.MSG.NEXT." + stream + "." + consumer(receiver), answer_to,
                 "{\"batch\":" + std::to_string(messages) + ",\"expires\":" + std::to_string(kPullNs) + "}");
}

std::string JetStreamWay::ask_for_stream(std::string_view answer_to) const {
  return publish(std::string(kApi) + "STREAM.INFO." + stream, answer_to, "");
}

std::string JetStreamWay::ask_for_consumer(uint32_t receiver, std::string_view answer_to) const {
  return publish(std::string(kApi) + "CONSUMER.INFO." + stream + "." + consumer(receiver), answer_to, "");
}

std::string JetStreamWay::delete_consumer(uint32_t receiver, std::string_view answer_to) const {
  return publish(std::string(kApi) + "CONSUMER.DELETE." + stream + "." + consumer(receiver), answer_to, "");
}

std::string JetStreamWay::delete_stream(std::string_view answer_to) const {
  return publish(std::string(kApi) + "STREAM.DELETE." + stream, answer_to, "");
}

std::optional<JetStreamAnswer> jetstream_answer(const NatsOp& message) {
  if (message.status == kNatsNobodyThere)
    return JetStreamAnswer{.error = "nobody answers: there is no JetStream, or no such stream", .for_now = true};
  if (message.status != 0)
    return JetStreamAnswer{.error = std::to_string(message.status) + " " + std::string(message.text)};
  const std::string_view text = message.payload_text();
  const bool plain =
      text.find("\"error\"") == std::string_view::npos && text.find("\"duplicate\"") == std::string_view::npos;
  if (plain && text.starts_with("{\"stream\"")) return JetStreamAnswer{};  // of each message
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  JetStreamAnswer answer;
  if (const auto error = object.find("error"); error != object.end() && error->is_object()) {
    const auto words = error->find("description");
    answer.error = words != error->end() && words->is_string() ? words->get<std::string>() : "an error without words";
    const auto code = error->find("code");
    const int number = code != error->end() && code->is_number_integer() ? code->get<int>() : 0;
    answer.for_now = number == kNatsNobodyThere;
    answer.missing = number == kNatsNotFound;
  }
  if (const auto twice = object.find("duplicate"); twice != object.end() && twice->is_boolean())
    answer.duplicate = twice->get<bool>();
  return answer;
}

std::optional<uint64_t> receivers_by(const NatsOp& message) {
  const json object = json::parse(message.payload_text(), nullptr, false);
  if (!object.is_object() || object.contains("error")) return std::nullopt;
  const auto number = [](const json& of, const char* name) {
    const auto found = of.find(name);
    return found != of.end() && found->is_number_unsigned() ? std::optional(found->get<uint64_t>()) : std::nullopt;
  };
  if (const auto state = object.find("state"); state != object.end() && state->is_object())
    return number(*state, "consumer_count");
  const auto waiting = number(object, "num_waiting"), pending = number(object, "num_ack_pending");
  return waiting && pending ? std::optional(*waiting + *pending) : std::nullopt;
}

// $JS.ACK.STREAM.CONSUMER.DELIVERIES.…, or with domain and account in front of the stream.
uint64_t deliveries_of(std::string_view acknowledge_to) {
  if (!acknowledge_to.starts_with(kAcknowledgement)) return 0;
  const auto dots = static_cast<size_t>(std::ranges::count(acknowledge_to, '.'));
  size_t behind = dots >= 10 ? 6 : 4;
  while (behind-- > 0) acknowledge_to.remove_prefix(std::min(acknowledge_to.find('.'), acknowledge_to.size() - 1) + 1);
  uint64_t times = 0;
  std::from_chars(acknowledge_to.data(), acknowledge_to.data() + acknowledge_to.size(), times);
  return times;
}

}  // namespace n2nq::bus
