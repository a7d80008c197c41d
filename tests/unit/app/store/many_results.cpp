#include "tests/unit/app/store/many_results.h"

#include <stdexcept>

#include "app/store/campaign_store.h"
#include "app/store/sql.h"
#include "app/store/store.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store::test {
namespace {

void run(Connection& store, const std::string& sql) {
  if (const auto done = store.run(sql); !done) throw std::runtime_error(done.error().text);
}

std::string expression_for(const std::string& column) {
  if (column == "name") return "'run ' || n.i";
  if (column == "started_utc_ns") return "r.started_utc_ns + n.i * 1000000000";
  if (column == "verdict") return "CASE n.i % 4 WHEN 0 THEN 'failed' ELSE 'passed' END";
  if (column == "campaign_id") return "CASE n.i % 3 WHEN 0 THEN 1 END";
  if (column == "campaign_point") return "CASE n.i % 3 WHEN 0 THEN n.i END";
  if (column == "campaign_repeat" || column == "campaign_attempt") return "CASE n.i % 3 WHEN 0 THEN 1 END";
  return "r." + column;
}

void copy_results(Connection& store, int64_t count) {
  std::string columns, values;
  auto names = store.query("SELECT name FROM pragma_table_info('results') WHERE name <> 'id'");
  while (names->next()) {
    const std::string name = names->value(0).toString().toStdString();
    columns += (columns.empty() ? "" : ", ") + name;
    values += (values.empty() ? "" : ", ") + expression_for(name);
  }
  run(store, "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < " + std::to_string(count) +
                 ") INSERT INTO results (" + columns + ") SELECT " + values + " FROM results r, n WHERE r.id = 1");
}

}  // namespace

void make_results(const std::string& path, int64_t count, int64_t histogram_bytes) {
  (void)ResultStore::open(path).value()->add(record::test::example_record("run 1")).value();
  (void)CampaignStore::open(path).value()->add("sizes", "{}").value();
  auto store = Connection::open(path, Access::read_write, std::chrono::seconds(5)).value();
  run(store, "BEGIN");
  if (count > 1) copy_results(store, count);
  std::string figures;
  auto names = store.query("SELECT name FROM pragma_table_info('figures') WHERE name <> 'result_id'");
  while (names->next()) figures += ", f." + names->value(0).toString().toStdString();
  run(store,
      "INSERT INTO figures SELECT r.id" + figures + " FROM figures f, results r WHERE f.result_id = 1 AND r.id > 1");
  run(store, "DELETE FROM histograms");
  run(store,
      "INSERT INTO histograms (result_id, name, count, min_ns, max_ns, sum_ns, sum_squares, buckets) SELECT id, "
      "'latency_ns', 1, 0, 0, 0, 0, zeroblob(" +
          std::to_string(histogram_bytes) + ") FROM results");
  run(store, "INSERT INTO tags (result_id, tag) SELECT id, 'night' FROM results WHERE id % 5 = 0");
  run(store, "INSERT INTO stars (result_id) SELECT id FROM results WHERE id % 10 = 0");
  run(store, "COMMIT");
}

}  // namespace n2nq::store::test
