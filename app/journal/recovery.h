// What is made of a journal, line by line. Any thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/record/final_record.h"
#include "app/record/run_record.h"

namespace n2nq::journal {

class Recovery {
 public:
  explicit Recovery(const std::string& folder) { record_.folder = folder; }

  // False: it is damaged, and what it held may be taken in part.
  bool take_start(const nlohmann::json& line);
  bool has_other_form() const { return other_form_; }  // take_start() failed by that: it is of another build
  bool take(const nlohmann::json& line);
  record::RunRecord finish();

 private:
  bool take_services(const nlohmann::json& rows);
  bool take_histograms(const nlohmann::json& gains);
  bool take_series(const nlohmann::json& rows);
  bool take_notes(const nlohmann::json& rows);
  bool take_requests(const nlohmann::json& rows);
  bool take_filters(const nlohmann::json& line);
  bool take_processes(const nlohmann::json& rows);
  bool take_machines(const nlohmann::json& rows);
  bool take_workers(const nlohmann::json& rows);
  void say_where_files_are(const char* what_became_of_them);
  record::HistogramRecord histogram_of(const std::string& name) const;
  uint64_t accepted_at_least() const;

  struct Gained {
    control::HistogramMoments moments{};
    std::map<int32_t, uint64_t> buckets{};
  };
  record::RunRecord record_;
  bool other_form_ = false;
  bool begun_ = false;
  int64_t since_begin_ns_ = 0;
  live::ServiceFigures senders_{}, receivers_{};
  std::map<std::pair<Role, uint32_t>, live::ServiceFigures> services_;
  std::map<std::string, Gained> histograms_;
  record::FinalRecord final_;
};

}  // namespace n2nq::journal
