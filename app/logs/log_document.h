// A log file as a window shows it: watched, paged, filtered and searched, none of it in the thread that asks.
// Everything that takes reading happens in three threads of its own, whose results arrive by signal. The file may not
// be there yet, may grow, be cut, replaced or deleted at any time. UI thread.
#pragma once

#include <QObject>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/logs/file_watch.h"
#include "app/logs/filter_index.h"
#include "app/logs/log_search.h"
#include "app/logs/page_reader.h"
#include "app/threads/wish_thread.h"

namespace n2nq::logs {

struct SearchOutcome {
  enum class Kind { text, index, slowest, line, copy };
  Kind kind = Kind::text;
  bool cancelled = false;
  bool found = false;
  int64_t start = 0;                    // of the line
  int64_t offset = 0;                   // of what was found in it
  bool wrapped = false;                 // round the end of the file
  int64_t asked = 0;                    // the index, or the number of the line, that was asked for
  int64_t value = 0;                    // slowest: ns; line: its number
  std::optional<RunStretch> stretch{};  // slowest: what it is of, if not of all
  bool lateness = false;                // slowest: a sender's lateness, not a latency
  std::string text{};                   // copy: the lines
  std::string trouble{};                // what went wrong, and what to do
};

class LogDocument : public QObject {
  Q_OBJECT

 public:
  explicit LogDocument(std::string path, QObject* parent = nullptr);
  ~LogDocument() override;

  // One stat; opens what is new. To be called now and then while somebody looks.
  void look();
  const std::string& path() const { return watch_.path(); }
  bool is_open() const { return watch_.file() != nullptr; }
  bool is_gone() const { return gone_; }                           // deleted, but still open here
  const std::string& trouble() const { return watch_.trouble(); }  // why it cannot be read, and what to do
  int64_t size() const { return is_open() ? watch_.size() : 0; }
  LineCount lines() const;
  bool changed_lately() const { return watch_.changed_lately(); }  // it was, when last looked at
  const LogLayout& layout() const { return layout_; }

  SearchScope scope() const;  // what a search would look at now

  // The answer is page(), by page_arrived(); an older request that is still open is dropped.
  void ask_page(const PageRequest& request);
  bool page_pending() const { return page_pending_; }
  const Page& page() const { return page_; }

  // Empty: all lines. What is wrong with it is told by filter_trouble(), at the latest when the columns are known.
  void set_filter(const std::string& text);
  const std::string& filter_text() const { return filter_text_; }
  const std::string& filter_trouble() const { return filter_trouble_; }
  uint64_t filter_number() const { return filter_asked_; }  // another one for every filter
  bool filtered() const { return filter_ != nullptr; }
  int64_t matches() const { return filter_ ? filter_->state().matches : 0; }
  int64_t looked_to() const { return filter_ ? filter_->state().looked_to : 0; }
  bool filter_busy() const { return filter_busy_; }

  // One at a time: a new one ends the previous one. Only lines that the filter lets through are found and copied.
  void find(const TextQuery& query, int64_t from, bool backwards);
  void find_slowest(const std::optional<RunStretch>& stretch = {});
  void find_index(int64_t index, int64_t from);
  void find_line(int64_t number);
  void copy(int64_t first, int64_t last);
  void cancel();
  bool searching() const { return searching_; }
  double search_share() const { return search_share_; }  // of the file, 0 to 1

 Q_SIGNALS:
  void changed(n2nq::logs::FileEvent event);
  void page_arrived();
  void filter_changed();  // another filter, more matches, or it is done
  void search_changed();  // begun, further, or over
  void search_ended(const n2nq::logs::SearchOutcome& outcome);

 private Q_SLOTS:
  void take_news();

 private:
  // What the threads have to say, and to which of the things asked for it belongs.
  struct News {
    bool told = false;  // take_news() is on its way
    std::optional<Page> page;
    uint64_t page_number = 0;
    bool page_last = false;
    uint64_t filter_number = 0;
    bool filter_done = false;
    uint64_t search_number = 0;
    double share = 0;
    std::optional<SearchOutcome> outcome;

    // An answer to an older search goes: it must not be taken for one to this.
    void concerns_search(uint64_t number) {
      if (std::exchange(search_number, number) != number) outcome.reset();
    }
  };
  using SearchTask = std::function<SearchOutcome(const SearchScope&, const SearchWatch&)>;

  void begin_file();
  void apply_filter();
  void scan_filter();
  void search(SearchOutcome::Kind kind, SearchTask task);
  void tell(const std::function<void(News&)>& change);
  void take_page(Page page, bool last);
  void take_filter_news(bool done);
  void take_search_news(News& news);

  FileWatch watch_;
  bool gone_ = false;
  std::shared_ptr<LineIndex> lines_;
  std::shared_ptr<PageReader> reader_;  // used in the page thread only
  LogLayout layout_;
  Page page_;
  uint64_t page_asked_ = 0;
  bool page_pending_ = false;
  std::string filter_text_;
  std::string filter_trouble_;
  std::shared_ptr<FilterIndex> filter_;
  uint64_t filter_asked_ = 0;
  bool filter_busy_ = false;
  bool filter_again_ = false;  // the file grew meanwhile
  uint64_t search_asked_ = 0;
  bool searching_ = false;
  double search_share_ = 0;
  std::mutex news_mutex_;
  News news_;
  std::unique_ptr<threads::WishThread> pages_, filters_, searches_;
};

}  // namespace n2nq::logs
