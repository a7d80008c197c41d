#include "app/run/address_lookup.h"

#include <mutex>
#include <thread>

#include "app/threads/post_box.h"

namespace n2nq::run {
namespace {

constexpr int kMostMs = 5000;

bool is_literal(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

// Lives in the UI thread as long as somebody waits for it.
class AddressLookup::Answer {
 public:
  explicit Answer(Done done) : done_(std::move(done)), box_(std::make_unique<threads::PostBox>()) {}

  void give_up() {
    const std::lock_guard lock(mutex_);
    box_.reset();
  }
  void come(Result<net::Endpoint> endpoint) {
    const std::lock_guard lock(mutex_);
    if (box_) box_->put([this, endpoint = std::move(endpoint)] { done_(endpoint); });
  }

 private:
  std::mutex mutex_;
  Done done_;
  std::unique_ptr<threads::PostBox> box_;
};

AddressLookup::AddressLookup(const std::string& address, Done done, Ask ask)
    : answer_(std::make_shared<Answer>(std::move(done))) {
  std::thread([answer = answer_, address, ask = std::move(ask)] { answer->come(ask(address)); }).detach();
}

AddressLookup::~AddressLookup() {
  answer_->give_up();
}

Result<net::Endpoint> AddressLookup::ask_name_servers(const std::string& address) {
  return net::resolve(address, kMostMs);
}

std::optional<Result<net::Endpoint>> AddressLookup::known(const std::string& address) {
  if (!is_literal(address)) return {};
  return net::resolve(address, 0);
}

}  // namespace n2nq::run
