#include "app/store/result_search.h"

#include <QRegularExpression>
#include <algorithm>

#include "app/record/date_text.h"
#include "app/record/tags.h"
#include "app/record/words.h"

namespace n2nq::store {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool looks_like_time(const QString& word) {
  static const QRegularExpression form(
      QStringLiteral(R"(^(\d{4}-\d{0,2}(-\d{0,2})?|\d{1,2}-\d{1,2}|\d{1,2}:\d{0,2}(:\d{0,2})?)$)"));
  return form.match(word).hasMatch();
}

bool digit_at(QStringView text, qsizetype at) {
  return at >= 0 && at < text.size() && text[at].isDigit();
}

// Whether a number goes on at `at`, by digits or behind a point, in steps of 1 or -1.
bool goes_on(QStringView text, qsizetype at, qsizetype step) {
  if (digit_at(text, at)) return true;
  return at >= 0 && at < text.size() && text[at] == u'.' && digit_at(text, at + step);
}

// The front of a date or of a time is enough: 2026-1 finds 2026-11, and 1:30 not 11:30.
bool has_time(QStringView text, const QString& word) {
  for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!digit_at(text, at - 1)) return true;
  return false;
}

bool has_word(QStringView text, const QString& word) {
  for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const bool cut_before = word.front().isDigit() && goes_on(text, at - 1, -1);
    const bool cut_behind = word.back().isDigit() && goes_on(text, at + word.size(), 1);
    if (!cut_before && !cut_behind) return true;
  }
  return false;
}

}  // namespace

QString searched_text(const ResultRow& row) {
  QStringList all{qt(row.name),          qt(to_text(row.verdict)),        qt(row.reason), qt(to_text(row.mode)),
                  qt(row.campaign_name), qt(record::tags_text(row.tags)), qt(row.notes)};
  all += qt(bus_text(row));
  if (!row.passed_limits.empty()) all += QStringLiteral("limit exceeded");
  if (row.requests) all += QStringLiteral("requests");
  if (row.responses) all += QStringLiteral("responses");
  // A campaign's point and repeat, as the list has them.
  if (row.campaign) all += QStringLiteral("%1.%2").arg(row.campaign->point).arg(row.campaign->repeat);
  return all.join(u' ').simplified().toLower() + u'\n' + qt(record::local_time(row.started_utc_ns));
}

ResultSearch::ResultSearch(const QString& words)
    : words_(words.simplified().toLower().split(u' ', Qt::SkipEmptyParts)) {
  // As a list is written: "4kB, 10".
  for (QString& word : words_)
    while (word.size() > 1 && word.endsWith(u',')) word.chop(1);
}

bool ResultSearch::finds(const ResultRow& row, const QString& searched) const {
  const qsizetype end = searched.lastIndexOf(u'\n');
  const QStringView texts = QStringView(searched).first(end);
  const QStringView time = QStringView(searched).sliced(end + 1);
  const QString number = QStringLiteral("#%1").arg(row.id);
  return std::ranges::all_of(words_, [&](const QString& word) {
    return has_word(texts, word) || word == number || (looks_like_time(word) && has_time(time, word));
  });
}

}  // namespace n2nq::store
