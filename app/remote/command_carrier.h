// Processes of a command host: each is a child of this computer that passes stdin and stdout on, started from a
// template such as `docker exec -i box {command}`, in which {role}, {number}, {cpus} and {memory} are replaced as well.
// One thread has all of them. UI thread.
#pragma once

#include <atomic>
#include <thread>

#include "app/remote/carrier.h"
#include "app/remote/inbox.h"

namespace n2nq::remote {

// The words of a template, quoted as in a shell ('...', "...", \), which no shell gets to see.
Result<std::vector<std::string>> words_of(const std::string& command);

class CommandCarrier : public Carrier {
 public:
  CommandCarrier(std::string host, std::string command, CarrierEvents events);
  ~CommandCarrier() override;

  void open() override;
  void close() override;
  std::unique_ptr<Exec> exec(const std::vector<std::string>& arguments, const Occasion& occasion) override;
  bool signals_reach() const override { return false; }

 private:
  void run();

  std::string host_;
  std::string command_;
  CarrierEvents events_;
  std::vector<std::string> words_;
  std::unique_ptr<Inbox<ExecRequest>> inbox_;
  std::thread thread_;
  threads::PostBox box_;
};

}  // namespace n2nq::remote
