#include "app/hosts/ssh_config.h"

#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "app/plan/whole_file.h"
#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::hosts {
namespace {

constexpr int kDeepestInclude = 16;

using Words = std::vector<std::string>;

// A setting, and the patterns of all the Host lines that it stands below (one for each file on the way to it).
struct Setting {
  std::string key{};  // lower case
  std::string value{};
  std::vector<Words> conditions{};
};

// By blanks, quotation marks holding together; a first "=" counts as a blank.
Words words_of(std::string_view line) {
  Words words;
  std::string word;
  bool quoted = false;
  bool open = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
      open = true;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\r' || (c == '=' && words.size() + (open ? 1 : 0) <= 1))) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else if (!quoted && c == '#' && !open) {
      break;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool matches(const Words& patterns, const std::string& name) {
  bool any = false;
  for (const std::string& pattern : patterns) {
    const bool negated = pattern.starts_with('!');
    if (::fnmatch(pattern.c_str() + (negated ? 1 : 0), name.c_str(), 0) != 0) continue;
    if (negated) return false;
    any = true;
  }
  return any;
}

bool is_pattern(const std::string& name) {
  return name.find_first_of("*?!") != std::string::npos;
}

class Reader {
 public:
  explicit Reader(std::string home) : home_(std::move(home)) {}

  Result<void> read(const std::string& path, const std::vector<Words>& outside = {}, int depth = 0) {
    if (depth > kDeepestInclude) return fail(path + ": it includes itself, or is nested too deeply");
    const auto text = plan::read_whole_file(path);
    if (!text) return std::unexpected(text.error());
    std::vector<Words> conditions = outside;
    size_t begin = 0;
    while (begin <= text->size()) {
      const size_t end = std::min(text->find('\n', begin), text->size());
      Words words = words_of(std::string_view(*text).substr(begin, end - begin));
      begin = end + 1;
      if (words.size() < 2) continue;
      const std::string key = lower(words.front());
      words.erase(words.begin());
      if (auto taken = take(key, words, conditions, outside, path, depth); !taken) return taken;
    }
    return {};
  }

  std::optional<std::string> value(const std::string& key, const std::string& name) const {
    for (const Setting& setting : settings_)
      if (setting.key == key &&
          std::ranges::all_of(setting.conditions, [&name](const Words& patterns) { return matches(patterns, name); }))
        return setting.value;
    return {};
  }
  const Words& names() const { return names_; }
  Words& notes() { return notes_; }
  const std::string& home() const { return home_; }

 private:
  Result<void> take(const std::string& key, const Words& words, std::vector<Words>& conditions,
                    const std::vector<Words>& outside, const std::string& path, int depth) {
    if (key == "host" || key == "match") {
      conditions = outside;
      if (key == "host") {
        conditions.push_back(words);
        for (const std::string& name : words)
          if (!is_pattern(name) && std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
      } else if (lower(words.front()) != "all") {
        conditions.emplace_back();  // nothing matches
        notes_.push_back(path + ": what follows \"Match\" is ignored");
      }
    } else if (key == "include") {
      for (const std::string& pattern : words)
        if (auto included = include(pattern, conditions, depth); !included) return included;
    } else {
      settings_.push_back({.key = key, .value = words.front(), .conditions = conditions});
    }
    return {};
  }

  Result<void> include(std::string pattern, const std::vector<Words>& conditions, int depth) {
    if (pattern.starts_with("~/")) pattern = home_ + pattern.substr(1);
    if (!pattern.starts_with('/')) pattern = home_ + "/.ssh/" + pattern;
    glob_t found{};
    const bool any = ::glob(pattern.c_str(), 0, nullptr, &found) == 0;
    Words paths;
    for (size_t i = 0; any && i < found.gl_pathc; i++) paths.emplace_back(found.gl_pathv[i]);
    ::globfree(&found);
    for (const std::string& path : paths) {
      if (std::filesystem::is_directory(path)) continue;
      if (auto read_it = read(path, conditions, depth + 1); !read_it) return read_it;
    }
    return {};
  }

  std::string home_;
  std::vector<Setting> settings_;
  Words names_;
  Words notes_;
};

// %h, %r and the like, where they can be told without connecting.
std::string filled(const std::string& text, const std::map<char, std::string>& tokens) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    const auto token = text[i] == '%' && i + 1 < text.size() ? tokens.find(text[i + 1]) : tokens.end();
    if (token == tokens.end()) {
      out += text[i];
    } else {
      out += token->second;
      i++;
    }
  }
  return out;
}

// USER@HOST:PORT, all but the host left out at will; [HOST]:PORT where it has colons itself.
struct Target {
  std::string user{}, host{};
  std::optional<uint16_t> port{};
};

Target target_of(std::string text) {
  Target target;
  if (text.starts_with("ssh://")) text = text.substr(6);
  if (const size_t at = text.rfind('@'); at != std::string::npos) {
    target.user = text.substr(0, at);
    text = text.substr(at + 1);
  }
  const size_t colon = text.rfind(':');
  const bool bracketed = text.starts_with('[');
  if (colon != std::string::npos && (bracketed ? text[colon - 1] == ']' : text.find(':') == colon)) {
    if (const auto port = parse_whole(std::string_view(text).substr(colon + 1)); port && *port >= 1 && *port <= 65535)
      target.port = static_cast<uint16_t>(*port);
    text = text.substr(0, colon);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  target.host = text;
  return target;
}

class Importer {
 public:
  explicit Importer(Reader& reader) : reader_(reader) {}

  Imported all() {
    for (const std::string& name : reader_.names()) add(name);
    Imported imported{.notes = std::move(reader_.notes())};
    // Those that are only gone through stand behind those that somebody named.
    for (const bool named : {true, false})
      for (Host& host : hosts_)
        if ((std::ranges::find(reader_.names(), host.name) != reader_.names().end()) == named)
          imported.hosts.push_back(host);
    return imported;
  }

 private:
  bool known(const std::string& name) const { return std::ranges::find(hosts_, name, &Host::name) != hosts_.end(); }

  Host plain(const std::string& name) const {
    Host host{.name = name, .address = name};
    if (const auto address = reader_.value("hostname", name))
      host.address = filled(*address, {{'h', name}, {'%', "%"}});
    if (const auto user = reader_.value("user", name)) host.user = *user;
    if (const auto port = reader_.value("port", name); port && parse_whole(*port).value_or(0) - 1 < 65535u)
      host.port = static_cast<uint16_t>(*parse_whole(*port));
    if (const auto key = reader_.value("identityfile", name); key && lower(*key) != "none") {
      host.key_file =
          filled(*key, {{'h', host.address}, {'r', host.user}, {'n', name}, {'d', reader_.home()}, {'%', "%"}});
      if (host.key_file.starts_with("~/")) host.key_file = reader_.home() + host.key_file.substr(1);
    }
    return host;
  }

  void add(const std::string& name) {
    if (known(name)) return;
    hosts_.push_back(plain(name));
    const size_t index = hosts_.size() - 1;
    if (const auto jump = reader_.value("proxyjump", name)) {
      if (lower(*jump) != "none") hosts_[index].jump = last_of(*jump);
    } else if (const auto command = reader_.value("proxycommand", name); command && lower(*command) != "none") {
      reader_.notes().push_back(name + ": its ProxyCommand is not imported; give it a jump host, or make it a " +
                                "command host: \"ssh " + name + " {command}\"");
    }
  }

  // A way of several hosts, each reached through the previous one; the last has the name that counts.
  std::string last_of(const std::string& way) {
    std::string before;
    size_t begin = 0;
    while (begin <= way.size()) {
      const size_t end = std::min(way.find(',', begin), way.size());
      const std::string stop(way.substr(begin, end - begin));
      begin = end + 1;
      if (!stop.empty()) before = add_stop(stop, before);
    }
    return before;
  }

  std::string add_stop(const std::string& text, const std::string& before) {
    const Target target = target_of(text);
    const bool plain_name = target.user.empty() && !target.port;
    if (plain_name && before.empty()) {
      add(target.host);
      return target.host;
    }
    const std::string name = text + (before.empty() ? "" : " through " + before);
    if (known(name)) return name;
    Host host = plain(target.host);
    host.name = name;
    host.jump = before;
    if (!target.user.empty()) host.user = target.user;
    if (target.port) host.port = *target.port;
    hosts_.push_back(host);
    return name;
  }

  Reader& reader_;
  std::vector<Host> hosts_;
};

}  // namespace

Result<Imported> import_ssh_config(const std::string& path, const std::string& home) {
  Reader reader(home);
  if (auto read = reader.read(path); !read) return std::unexpected(read.error());
  return Importer(reader).all();
}

Merged merge(HostList& list, const std::vector<Host>& hosts) {
  Merged merged;
  std::vector<Host> waiting;
  for (const Host& host : hosts)
    if (find_host(list, host.name) != nullptr)
      merged.there_already.push_back(host.name);
    else
      waiting.push_back(host);
  // One that jumps through another can only come after it.
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < waiting.size();) {
      HostList with = list;
      with.hosts.push_back(waiting[i]);
      if (!check(with)) {
        i++;
        continue;
      }
      list = std::move(with);
      merged.added.push_back(waiting[i].name);
      waiting.erase(waiting.begin() + static_cast<ptrdiff_t>(i));
      moved = true;
    }
  }
  for (const Host& host : waiting) {
    HostList with = list;
    with.hosts.push_back(host);
    const auto trouble = trouble_of(with);
    N2NQ_ASSERT(trouble);
    merged.refused.push_back(host.name + ": " + (trouble->host ? trouble->field + ": " : "") + trouble->text);
  }
  return merged;
}

}  // namespace n2nq::hosts
