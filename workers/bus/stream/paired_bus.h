// A bus whose requesters and repliers have two links each in place of one, as requests and replies would wait for each
// other over one connection to its server: requests travel over one, replies over the other. Not for buses without a
// server, whose links meet each other. Of a pair the link for replies is there before the other begins, and ends behind
// it; where one is lost both are.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "workers/bus/link.h"
#include "workers/bus/stream/server_bus.h"

namespace n2nq::bus {

class PairedBus : public ServerBus {
 public:
  PairedBus(const BusOptions& options, Parts parts) : ServerBus(std::move(parts)), replies_(options.replies) {}
  std::unique_ptr<ForeignOutlet> make_outlet(LinkEvents& events, uint32_t number) final;
  std::unique_ptr<ForeignInlet> make_inlet(LinkEvents& events, uint32_t number) final;

 protected:
  // Else the replies to a requester come by what it sends by.
  virtual bool has_reply_inlets() const { return true; }
  virtual std::unique_ptr<ForeignOutlet> make_sender(LinkEvents& events, uint32_t number) = 0;
  virtual std::unique_ptr<ForeignInlet> make_receiver(LinkEvents& events, uint32_t number) = 0;
  // By which the replies to a requester come, and by which those of a replier go.
  virtual std::unique_ptr<ForeignInlet> make_reply_inlet(LinkEvents& events, uint32_t requester) = 0;
  virtual std::unique_ptr<ReplyOutlet> make_reply_outlet(LinkEvents& events, uint32_t replier) = 0;

 private:
  bool replies_;
};

}  // namespace n2nq::bus
