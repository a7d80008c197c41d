#include "broker/serve/recipe.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace n2nq::serve {
namespace {

std::string host_of(const net::Endpoint& endpoint) {
  const std::string text = endpoint.text();
  std::string host = text.substr(0, text.rfind(':'));
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return host;
}

// As settings and commands may have a word of any letters.
std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text + "\"";
}

constexpr const char* kAppendFsync = "append_fsync";

std::string append_fsync_of(const std::map<std::string, std::string>& settings) {
  const auto found = settings.find(kAppendFsync);
  return found == settings.end() ? "off" : found->second;
}

Result<void> check_redis(const std::map<std::string, std::string>& settings) {
  const std::string fsync = append_fsync_of(settings);
  const bool known = settings.size() == settings.count(kAppendFsync);
  if (known && (fsync == "off" || fsync == "no" || fsync == "everysec" || fsync == "always")) return {};
  return fail("a Redis server can be given append_fsync=off, no, everysec or always");
}

// It makes no snapshots, and cuts off nobody for being behind: what a receiver misses should be the load's doing.
std::string redis_settings(const Site& site) {
  const std::string host = host_of(site.listen);
  std::string text = "bind " + (host == "::" ? "0.0.0.0 ::" : host) + "\nport " + std::to_string(site.listen.port()) +
                     "\ndir " + quoted(site.folder) +
                     "\nsave \"\"\nauto-aof-rewrite-percentage 0\ndaemonize no\nmaxclients "
                     "100000\nclient-output-buffer-limit pubsub 0 0 0\n";
  const std::string fsync = append_fsync_of(site.settings);
  text += fsync == "off" ? "appendonly no\n" : "appendonly yes\nappendfsync " + fsync + "\n";
  if (!site.password.empty()) text += "requirepass " + quoted(site.password) + "\nprotected-mode no\n";
  return text;
}

std::string redis_question(const Site& site) {
  return (site.password.empty() ? "" : "AUTH " + quoted(site.password) + "\r\n") + "INFO server\r\n";
}

constexpr Recipe kRecipes[] = {{.kind = "redis",
                                .title = "Redis",
                                .program = "redis-server",
                                .install = "sudo apt install redis-server",
                                .arguments = [](const Site&) { return std::vector<std::string>{"-"}; },
                                .input = redis_settings,
                                .question = redis_question,
                                .version_behind = "redis_version:",
                                .process_behind = "process_id:",
                                .patience_ns = 6'000'000'000,
                                .check = check_redis}};

}  // namespace

const Recipe* find_recipe(std::string_view kind) {
  const auto found = std::ranges::find(kRecipes, kind, &Recipe::kind);
  return found == std::end(kRecipes) ? nullptr : &*found;
}

std::string recipe_names() {
  std::string names;
  for (const Recipe& recipe : kRecipes) names += (names.empty() ? "" : ", ") + std::string(recipe.kind);
  return names;
}

Result<std::string> find_program(const Recipe& recipe) {
  const char* path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = folders.substr(at, end - at) + "/" + std::string(recipe.program);
    if (end > at && ::access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return fail(std::string(recipe.program) +
              " is not installed where the queue runs; install it there: " + std::string(recipe.install));
}

}  // namespace n2nq::serve
