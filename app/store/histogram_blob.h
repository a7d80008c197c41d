// The buckets of a histogram as the store keeps them: docs/store.md, "Histograms". Any thread.
#pragma once

#include <QByteArray>
#include <vector>

#include "broker/base/result.h"
#include "workers/control/telemetry.h"

namespace n2nq::store {

QByteArray pack_buckets(const std::vector<control::BucketCount>& buckets);
Result<std::vector<control::BucketCount>> unpack_buckets(const QByteArray& blob);

}  // namespace n2nq::store
