#include "app/store/histogram_blob.h"

#include <QtEndian>

namespace n2nq::store {
namespace {

constexpr qsizetype kBucketBytes = 12;
constexpr qsizetype kLengthBytes = 4;
// More than all buckets of both signs; a blob that promises more is damaged, and no memory is given to it.
constexpr quint32 kLargest = 4 << 20;

}  // namespace

QByteArray pack_buckets(const std::vector<control::BucketCount>& buckets) {
  QByteArray plain(static_cast<qsizetype>(buckets.size()) * kBucketBytes, Qt::Uninitialized);
  char* at = plain.data();
  for (const auto& bucket : buckets) {
    qToLittleEndian<qint32>(bucket.index, at);
    qToLittleEndian<quint64>(bucket.count, at + 4);
    at += kBucketBytes;
  }
  return qCompress(plain);
}

Result<std::vector<control::BucketCount>> unpack_buckets(const QByteArray& blob) {
  if (blob.size() < kLengthBytes) return fail("a histogram is damaged: it is too short");
  const auto length = qFromBigEndian<quint32>(blob.constData());
  if (length == 0) return std::vector<control::BucketCount>();
  if (length > kLargest || length % kBucketBytes != 0) return fail("a histogram is damaged: its length is wrong");
  const QByteArray plain = qUncompress(blob);
  if (plain.size() != static_cast<qsizetype>(length)) return fail("a histogram is damaged: it cannot be unpacked");
  std::vector<control::BucketCount> buckets;
  buckets.reserve(length / kBucketBytes);
  for (const char* at = plain.constData(); at != plain.constData() + plain.size(); at += kBucketBytes)
    buckets.push_back({.index = qFromLittleEndian<qint32>(at), .count = qFromLittleEndian<quint64>(at + 4)});
  return buckets;
}

}  // namespace n2nq::store
