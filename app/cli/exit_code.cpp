#include "app/cli/exit_code.h"

namespace n2nq::cli {
namespace {

using record::Verdict;

int weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return 0;
    case Verdict::lost_allowed:
      return 1;
    case Verdict::stopped:
      return 2;
    case Verdict::exceeded:
      return 3;
    case Verdict::limit:
      return 4;
    case Verdict::failed:
      return 5;
    case Verdict::cut_off:
      return 6;
  }
  return 5;
}

}  // namespace

record::Verdict worse_of(Verdict a, Verdict b) {
  return weight(b) > weight(a) ? b : a;
}

BenchExit exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
    case Verdict::lost_allowed:
      return BenchExit::passed;
    case Verdict::stopped:
      return BenchExit::stopped;
    case Verdict::exceeded:
    case Verdict::limit:
    case Verdict::failed:
    case Verdict::cut_off:
      return BenchExit::failed;
  }
  return BenchExit::failed;
}

BenchExit exit_code_of(launch::LinkTrouble trouble) {
  return trouble == launch::LinkTrouble::unknown_key ? BenchExit::unknown_key : BenchExit::host_trouble;
}

BenchExit exit_code_of(const Error& error) {
  return error.error_number != 0 ? BenchExit::local_trouble : BenchExit::usage;
}

}  // namespace n2nq::cli
