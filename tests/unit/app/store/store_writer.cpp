// store_writer PATH COUNT: once told to on stdin, opens the store and adds so many results, one after another.
#include <QCoreApplication>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "app/store/store.h"
#include "tests/unit/app/record/example_record.h"

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  if (argc != 3) return 2;
  std::puts("ready");
  std::fflush(stdout);
  std::string line;
  std::getline(std::cin, line);
  const auto store = n2nq::store::ResultStore::open(argv[1]);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().text.c_str());
    return 1;
  }
  for (int i = 0; i < std::atoi(argv[2]); i++) {
    const auto id = (*store)->add(n2nq::record::test::example_record());
    if (id) continue;
    std::fprintf(stderr, "%s\n", id.error().text.c_str());
    return 1;
  }
  return 0;
}
