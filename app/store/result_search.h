// Which results a user's words mean: "4kB, 10" means the one of that name, not one that was started at ten. Any thread.
#pragma once

#include <QString>
#include <QStringList>

#include "app/store/store.h"

namespace n2nq::store {

// What is looked through, in lower case: plan, verdict with its reason, mode, options, campaign, tags and notes; in its
// last line the local time.
QString searched_text(const ResultRow& row);

// Each word must be in it. Numbers stand for themselves: 10 is neither in 100 nor in 0.10. What looks like a date or a
// time ("2026-03", "10:30") is looked for in the time too; "#12" is the result of that number.
class ResultSearch {
 public:
  ResultSearch() = default;
  explicit ResultSearch(const QString& words);

  bool empty() const { return words_.isEmpty(); }
  bool finds(const ResultRow& row, const QString& searched) const;
  bool operator==(const ResultSearch&) const = default;

 private:
  QStringList words_;  // in lower case
};

}  // namespace n2nq::store
