#include "app/cli/commands.h"

#include "app/archive/archive_export.h"
#include "app/archive/archive_import.h"
#include "app/cli/exit_code.h"
#include "app/cli/result_choice.h"
#include "app/cli/status_line.h"
#include "app/place/data_folder.h"

namespace n2nq::cli {

int run_export_command(const ExportCommand& command) {
  if (is_result_file(command.file)) return run_result_export(command);
  const auto choice = choose_results(command.results, command.campaign.has_value(), command.data_dir);
  if (!choice) return complain(choice.error().code, choice.error().text);
  const auto exported = archive::export_archive(
      choice->folder.store(), {.results = choice->results, .campaign = command.campaign, .logs = command.logs},
      command.file);
  if (!exported) return complain(exit_code_of(exported.error()), exported.error().text);
  std::string text = archive::to_text(*exported, command.file);
  if (!exported->logs && exported->log_bytes > 0) text += "; --logs includes them";
  return static_cast<int>(print(text + "\n") ? BenchExit::passed : BenchExit::local_trouble);
}

int run_import_command(const ImportCommand& command) {
  const auto folder = place::open_data_folder(place::data_folder_path(command.data_dir));
  if (!folder) return complain(BenchExit::local_trouble, folder.error().text);
  const auto imported = archive::import_archive(command.file, folder->store(), folder->runs());
  if (!imported) return complain(exit_code_of(imported.error()), imported.error().text);
  return static_cast<int>(print(archive::to_text(*imported) + "\n") ? BenchExit::passed : BenchExit::local_trouble);
}

}  // namespace n2nq::cli
