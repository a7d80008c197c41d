#include "app/cli/commands.h"

#include "app/cli/compare_text.h"
#include "app/cli/exit_code.h"
#include "app/cli/junit_reports.h"
#include "app/cli/status_line.h"
#include "app/place/data_folder.h"
#include "app/store/store.h"

namespace n2nq::cli {
namespace {

using Ids = std::vector<int64_t>;

std::expected<Ids, Trouble> ids_of(const std::string& name, const std::string& text) {
  auto ids = compare::parse_results(text);
  if (!ids) return std::unexpected(Trouble{BenchExit::usage, name + ": " + ids.error().text});
  return std::move(*ids);
}

std::expected<compare::Side, Trouble> side_of(const std::string& name, const Ids& ids,
                                              const store::ResultStore& store) {
  auto side = compare::load_side(name, ids, [&store](int64_t id) -> Result<record::RunRecord> {
    if (store.presence(id) == store::Presence::deleted)
      return fail("result #" + std::to_string(id) + " was deleted; restore it in the window first");
    return store.load(id);
  });
  if (!side) return std::unexpected(Trouble{BenchExit::usage, name + ": " + side.error().text});
  return std::move(*side);
}

std::expected<std::unique_ptr<store::ResultStore>, Trouble> open_store(const std::string& data_dir) {
  const auto folder = place::open_data_folder_to_read(place::data_folder_path(data_dir));
  if (!folder) return std::unexpected(Trouble{BenchExit::local_trouble, folder.error().text});
  auto store = store::ResultStore::open(folder->store());
  if (!store) return std::unexpected(Trouble{BenchExit::local_trouble, store.error().text});
  return std::move(*store);
}

std::expected<CompareResult, Trouble> compared(const CompareCommand& command) {
  CompareResult result;
  for (const std::string& text : command.fail_if) {
    auto condition = compare::parse_condition(text);
    if (!condition) return std::unexpected(Trouble{BenchExit::usage, "--fail-if: " + condition.error().text});
    result.conditions.push_back({.condition = std::move(*condition)});
  }
  const auto of_a = ids_of("A", command.a);
  if (!of_a) return std::unexpected(of_a.error());
  const auto of_b = ids_of("B", command.b);
  if (!of_b) return std::unexpected(of_b.error());
  if (const auto twice = compare::in_both(*of_a, *of_b))
    return std::unexpected(Trouble{BenchExit::usage, "result #" + std::to_string(*twice) + " is on both sides"});
  const auto store = open_store(command.data_dir);
  if (!store) return std::unexpected(store.error());
  auto a = side_of("A", *of_a, **store);
  if (!a) return std::unexpected(a.error());
  auto b = side_of("B", *of_b, **store);
  if (!b) return std::unexpected(b.error());
  result.a = std::move(*a);
  result.b = std::move(*b);
  result.metrics = compare::compare_sides(result.a, result.b);
  result.remarks = compare::all_remarks(result.a, result.b, /*with_settings=*/true);
  for (auto& [condition, judgement] : result.conditions) judgement = compare::judge(condition, result.a, result.b);
  return result;
}

}  // namespace

int run_compare_command(const CompareCommand& command) {
  JunitFile junit(command.junit);
  const Step prepared = junit.prepare();
  const auto result = prepared ? compared(command) : std::unexpected(prepared.error());
  if (!result) {
    junit.write(failure_report("n2nq-bench compare", "compare", result.error()));
    say(result.error().text);
    if (command.json) print(failure_json(result.error().text) + "\n");
    return static_cast<int>(result.error().code);
  }
  const bool written = junit.write(compare_report(*result));
  const std::string text = command.json ? to_json(*result) + "\n" : to_table(*result);
  if (!print(text)) return complain(BenchExit::local_trouble, "the comparison could not be written to stdout");
  const BenchExit code = exit_code_of(outcome_of(result->conditions));
  return static_cast<int>(written || code != BenchExit::passed ? code : BenchExit::local_trouble);
}

}  // namespace n2nq::cli
