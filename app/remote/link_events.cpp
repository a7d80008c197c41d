#include "app/remote/link_events.h"

namespace n2nq::remote {

std::string to_text(LinkStep step) {
  switch (step) {
    case LinkStep::reach:
      return "reach";
    case LinkStep::host_key:
      return "host key";
    case LinkStep::login:
      return "login";
    case LinkStep::architecture:
      return "architecture";
    case LinkStep::work_folder:
      return "work folder";
    case LinkStep::upload:
      return "upload";
  }
  return "";
}

}  // namespace n2nq::remote
