#include "app/record/date_text.h"

#include <QDateTime>

namespace n2nq::record {
namespace {

std::string date_text(const QDateTime& time) {
  return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")).toStdString();
}

}  // namespace

std::string local_time(int64_t utc_ns) {
  return date_text(QDateTime::fromMSecsSinceEpoch(utc_ns / 1'000'000));
}

std::string utc_time(int64_t utc_ns) {
  return date_text(QDateTime::fromMSecsSinceEpoch(utc_ns / 1'000'000, Qt::UTC)) + " UTC";
}

}  // namespace n2nq::record
