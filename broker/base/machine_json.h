// The facts of a computer as members of a JSON object, by their names; null where a number cannot be told. For any
// ordered or sorted object of nlohmann's library, which this folder does not know.
#pragma once

#include "broker/base/machine_facts.h"

namespace n2nq {

template <class Json>
struct MachineJson {
  Json& object;

  template <class Fact>
  void operator()(const char* name, const Fact& fact) {
    object[name] = fact;
  }
  void operator()(const char* name, const std::optional<double>& fact) {
    object[name] = fact ? Json(*fact) : Json(nullptr);
  }
};

template <class Json>
void put_machine(Json& object, const MachineFacts& facts) {
  MachineJson<Json> writer{object};
  machine_fields(writer, facts);
}

}  // namespace n2nq
