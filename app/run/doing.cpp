#include "app/run/doing.h"

namespace n2nq::run {

std::string to_text(Doing doing) {
  switch (doing) {
    case Doing::not_started:
      return "not started";
    case Doing::preparing:
      return "preparing";
    case Doing::starting:
      return "starting";
    case Doing::waiting:
      return "waiting";
    case Doing::joining:
      return "joining";
    case Doing::joined:
      return "joined";
    case Doing::listening:
      return "listening";
    case Doing::running:
      return "running";
    case Doing::stopping:
      return "stopping";
    case Doing::ending:
      return "ending";
    case Doing::ended:
      return "ended";
    case Doing::ended_with_losses:
      return "ended, losses";
    case Doing::stopped:
      return "stopped";
    case Doing::incomplete:
      return "incomplete";
    case Doing::killed:
      return "killed";
    case Doing::failed:
      return "failed";
  }
  return "";
}

}  // namespace n2nq::run
