// Waiting for what comes through the event loop.
#pragma once

#include <QtTest/QTest>
#include <functional>

#include "tests/helpers/deadline.h"

namespace n2nq::logs::test {

inline bool await(const std::function<bool()>& there, int seconds = 20) {
  return QTest::qWaitFor(there, seconds * 1000 * n2nq::test::patience());
}

}  // namespace n2nq::logs::test
