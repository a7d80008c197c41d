#include "app/record/machine.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <concepts>
#include <nlohmann/json.hpp>

#include "app/record/run_record.h"

namespace n2nq::record {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr char compiler[] =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "g++ " __VERSION__;
#endif

// As results of every version have it: the averages together, and a word for what cannot be told.
struct FactWriter {
  Ordered machine = Ordered::object();

  void operator()(const char* name, const std::string& fact) { machine[name] = fact.empty() ? "unknown" : fact; }
  template <std::integral Number>
  void operator()(const char* name, Number fact) {
    machine[name] = fact;
  }
  void operator()(const char*, const std::optional<double>& average) {
    if (average) machine["load_averages"].push_back(*average);
  }
};

}  // namespace

MachineFacts as_kept(MachineFacts facts) {
  constexpr qsizetype kKeptDigits = 32;
  if (facts.machine_id.empty()) return facts;
  facts.machine_id = QMessageAuthenticationCode::hash("n2nq-bench", QByteArray::fromStdString(facts.machine_id),
                                                      QCryptographicHash::Sha256)
                         .toHex()
                         .left(kKeptDigits)
                         .toStdString();
  return facts;
}

std::string machine_json() {
  FactWriter writer;
  const MachineFacts facts = as_kept(read_machine_facts());
  machine_fields(writer, facts);
  Ordered& machine = writer.machine;
  machine["bench"] = N2NQ_VERSION;
  machine["qt"] = qVersion();
  machine["compiler"] = compiler;
  return machine.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace n2nq::record
