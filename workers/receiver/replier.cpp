#include "workers/receiver/replier.h"

namespace n2nq::receiver {

void Replier::fill(bus::Batch& batch) const {
  batch.clear();
  for (size_t i = 0; i < owed_.size() && owed_[i].good; i++) {
    const Delivered& request = owed_[i];
    const auto reply = source_.at(request.index);
    if (!batch.has_room_for_reply(reply.payload.size())) return;
    batch.add_reply({.requester = request.sender,
                     .checksum = reply.checksum,
                     .index = request.index,
                     .read_ns = request.read_ns,
                     .replier = number_},
                    reply.payload);
  }
}

}  // namespace n2nq::receiver
