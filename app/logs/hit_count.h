// How many of the lines that are shown have a text, and which of them the current one is: counted on a thread of its
// own, going on where the file grows, with four bytes for 256 KiB of it. UI thread.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/logs/filter_index.h"
#include "app/logs/log_search.h"
#include "app/threads/wish_thread.h"

namespace n2nq::logs {

class LogDocument;

class HitCount : public QObject {
  Q_OBJECT

 public:
  explicit HitCount(LogDocument& document, QObject* parent = nullptr);
  ~HitCount() override;

  void set_query(const std::optional<TextQuery>& query);  // nothing: nothing is counted
  void set_place(int64_t start);                          // the line that begins there is the current one; -1: none is

  bool is_asked() const { return hits_ != nullptr; }
  int64_t lines() const { return hits_ ? hits_->state().matches : 0; }  // so far
  bool is_counted() const { return counted_; }
  int64_t number() const { return number_; }  // of the current line among them, from 1; 0: not known

 Q_SIGNALS:
  void changed();  // counted, or the number is known; not while it counts

 private:
  void begin();
  void look_again();
  void count();
  void find_number();

  LogDocument& document_;
  std::optional<TextQuery> query_;
  SearchScope scope_;
  uint64_t filter_ = 0;  // of the document, that scope_ has
  std::shared_ptr<FilterIndex> hits_;
  bool counted_ = false;
  int64_t place_ = -1;
  int64_t number_ = 0;
  std::unique_ptr<threads::WishThread> thread_;
};

}  // namespace n2nq::logs
