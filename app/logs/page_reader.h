// Reads pages of one open file. Nothing is read but what the page shows and what lies between its lines; the first page
// also looks at the file's head, its end, and a few places between, to estimate how many lines there are. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/logs/line_walk.h"
#include "app/logs/page.h"

namespace n2nq::logs {

class PageReader {
 public:
  // `lines` may be shared with scans of the same file.
  PageReader(std::shared_ptr<const OpenFile> file, std::shared_ptr<LineIndex> lines);

  // `filter` null: all lines. Nothing if `stop` said so. `unfinished` gets the rows so far while it takes long.
  std::optional<Page> read(const PageRequest& request, const std::shared_ptr<const FilterIndex>& filter,
                           const Stop& stop, const std::function<void(const Page&)>& unfinished = {});

 private:
  LineWalk& walk_for(const std::shared_ptr<const FilterIndex>& filter, const Stop& stop);
  std::optional<int64_t> top_of(const PageRequest& request, LineWalk& walk);
  std::optional<int64_t> last_page(int rows, LineWalk& walk);
  void fill_down(Page& page, int64_t top, LineWalk& walk, int rows, const std::function<void(const Page&)>& unfinished);
  void fill_up(Page& page, LineWalk& walk, int rows);
  void number_rows(Page& page, LineWalk& walk);
  static void reconcile(Page& page, bool last);
  void measure_rows(Page& page);
  PageRow row_at(int64_t start);
  void look_at_head();
  void look_at_end();
  void look_about();
  void look_at_latencies();
  void tell_file(Page& page) const;

  std::shared_ptr<const OpenFile> file_;
  std::shared_ptr<LineIndex> lines_;
  BlockCache cache_;
  AllLines all_;
  std::unique_ptr<FilteredLines> filtered_;
  LogLayout layout_;
  int64_t head_looked_at_ = 0;
  int64_t end_looked_at_ = -1;
  bool finished_ = false;
  bool looked_about_ = false;
  int64_t latencies_of_ = 0;  // bytes of the file that p99_ns_ was made for
  std::optional<int64_t> p99_ns_;
};

}  // namespace n2nq::logs
