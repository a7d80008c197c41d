#include "app/plan/plan_editor.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/plan/kept_plan.h"
#include "app/plan/whole_file.h"
#include "broker/base/clock.h"

namespace n2nq::plan {
namespace {

constexpr int64_t kSameEditNs = 2'000'000'000;
constexpr std::chrono::milliseconds kKeepAfter{500};
constexpr size_t kMostSteps = 500;

const std::vector<ReceiverFilter>& filters_of(const PlanFile& file) {
  return file.base.queue.requests.filters;
}

}  // namespace

PlanEditor::PlanEditor(std::string kept_path, QObject* parent)
    : PlanEditor(std::move(kept_path), [] { return now_ns(); }, parent) {}

PlanEditor::PlanEditor(std::string kept_path, std::function<int64_t()> now, QObject* parent)
    : QObject(parent), kept_path_(std::move(kept_path)), now_(std::move(now)) {
  steps_.push_back({.file = {}, .what = {}, .origin = std::make_shared<Origin>()});
  take_up();
  keep_soon_.setSingleShot(true);
  keep_soon_.setInterval(kKeepAfter);
  connect(&keep_soon_, &QTimer::timeout, this, [this] {
    auto kept = keep();
    const auto trouble = kept ? std::nullopt : std::optional(kept.error().text);
    if (trouble == trouble_) return;
    trouble_ = trouble;
    Q_EMIT changed();
  });
}

PlanEditor::~PlanEditor() {
  // Nobody is left to be told; the plan on disk stays as it was.
  (void)keep();
}

void PlanEditor::take_up() {
  std::error_code error;
  if (kept_path_.empty() || !std::filesystem::exists(kept_path_, error)) return;
  auto text = read_whole_file(kept_path_);
  auto kept = text ? parse_kept_plan(*text) : std::unexpected(text.error());
  if (!kept) {
    const std::string aside = put_aside(kept_path_);
    trouble_ =
        "The last plan could not be loaded: " + kept.error().text +
        (aside.empty() ? ". It could not be moved away either: check " + kept_path_ : ". Its file is now " + aside);
    return;
  }
  kept_text_ = std::move(*text);
  Step& first = steps_.front();
  first.file = std::move(kept->file);
  first.origin->path = kept->path;
  first.draft = std::move(kept->draft);
  if (kept->path.empty()) return;
  if (auto saved = read_plan_file(kept->path)) first.origin->saved = std::move(*saved);
}

const PlanFile& PlanEditor::file() const {
  return steps_[at_].file;
}

const std::string& PlanEditor::path() const {
  return steps_[at_].origin->path;
}

bool PlanEditor::modified() const {
  return !(file() == steps_[at_].origin->saved);
}

void PlanEditor::edit(const std::string& what, const std::function<void(PlanFile&)>& change) {
  PlanFile edited = file();
  change(edited);
  if (edited == file()) return;
  const int64_t now = now_();
  Step& newest = steps_[at_];
  auto draft = filters_of(edited) == filters_of(newest.file) ? newest.draft : std::nullopt;
  if (last_edit_ns_ && now - *last_edit_ns_ < kSameEditNs && newest.what == what)
    newest.file = std::move(edited);
  else
    add_step({.file = std::move(edited), .what = what, .origin = newest.origin});
  steps_[at_].draft = std::move(draft);
  last_edit_ns_ = now;
  on_changed();
}

void PlanEditor::add_step(Step step) {
  steps_.resize(at_ + 1);
  steps_.push_back(std::move(step));
  if (steps_.size() > kMostSteps) {
    steps_.erase(steps_.begin());
    for (HeldText& text : held_) text.step -= text.step > 0 ? 1 : 0;
  }
  at_ = steps_.size() - 1;
  last_edit_ns_.reset();
}

bool PlanEditor::can_undo() const {
  return at_ > 0 || last_held_text() != nullptr;
}

bool PlanEditor::can_redo() const {
  return at_ + 1 < steps_.size();
}

std::string PlanEditor::undo_text() const {
  if (const HeldText* text = last_held_text()) return "Undo " + text->what;
  return can_undo() ? "Undo " + steps_[at_].what : "Undo";
}

std::string PlanEditor::redo_text() const {
  return can_redo() ? "Redo " + steps_[at_ + 1].what : "Redo";
}

void PlanEditor::undo() {
  if (last_held_text() != nullptr) return discard_text();
  if (at_ > 0) go_to(at_ - 1);
}

void PlanEditor::hold_text(QObject* field, const std::string& what, std::function<void()> discard) {
  const auto held = std::ranges::find_if(held_, [field](const HeldText& text) { return text.field == field; });
  const bool longer = held != held_.end() && held->step == at_ && held + 1 == held_.end();
  if (longer) return;
  if (held != held_.end()) held_.erase(held);
  const bool same = at_ > 0 && last_edit_ns_ && steps_[at_].what == what;
  held_.push_back({.field = field,
                   .what = what,
                   .discard = std::move(discard),
                   .step = at_,
                   .continues = same && now_() - *last_edit_ns_ < kSameEditNs});
  if (!same) last_edit_ns_.reset();
  Q_EMIT changed();
}

void PlanEditor::let_go_of_text(QObject* field) {
  if (std::erase_if(held_, [field](const HeldText& text) { return text.field == field; }) > 0) Q_EMIT changed();
}

const PlanEditor::HeldText* PlanEditor::last_held_text() const {
  const auto held = std::find_if(held_.rbegin(), held_.rend(),
                                 [this](const HeldText& text) { return text.field != nullptr && text.step == at_; });
  return held == held_.rend() ? nullptr : &*held;
}

void PlanEditor::discard_text() {
  const HeldText text = *last_held_text();
  std::erase_if(held_, [&text](const HeldText& one) { return one.field == text.field; });
  text.discard();
  if (text.continues) return go_to(at_ - 1);
  last_edit_ns_.reset();
  Q_EMIT changed();
}

// What was half typed was typed for the plan that goes.
void PlanEditor::discard_all_text() {
  for (const HeldText& text : std::exchange(held_, {}))
    if (text.field != nullptr) text.discard();
}

void PlanEditor::redo() {
  if (can_redo()) go_to(at_ + 1);
}

// A draft stays while the step is not about what it is a draft of.
void PlanEditor::go_to(size_t step) {
  const Step& left = steps_[at_];
  Step& next = steps_[step];
  if (next.origin == left.origin && filters_of(next.file) == filters_of(left.file)) next.draft = left.draft;
  at_ = step;
  last_edit_ns_.reset();
  on_changed();
}

const std::optional<std::vector<ReceiverFilter>>& PlanEditor::draft() const {
  return steps_[at_].draft;
}

void PlanEditor::set_draft(const std::vector<ReceiverFilter>& filters) {
  steps_[at_].draft = filters == filters_of(file()) ? std::nullopt : std::optional(filters);
  keep_soon();
}

void PlanEditor::reset(PlanFile file, std::string path) {
  discard_all_text();
  auto origin = std::make_shared<Origin>(std::move(path), PlanFile());
  if (!origin->path.empty()) origin->saved = file;
  add_step({.file = std::move(file), .what = "another plan", .origin = std::move(origin)});
  on_changed();
}

Result<void> PlanEditor::open(const std::string& path) {
  auto file = read_plan_file(path);
  if (!file) return std::unexpected(file.error());
  reset(std::move(*file), path);
  return {};
}

Result<void> PlanEditor::save(const std::string& path) {
  if (auto written = write_plan_file(path, file()); !written) return written;
  *steps_[at_].origin = {.path = path, .saved = file()};
  last_edit_ns_.reset();
  on_changed();
  return {};
}

void PlanEditor::on_changed() {
  keep_soon();
  Q_EMIT changed();
}

void PlanEditor::keep_soon() {
  if (!kept_path_.empty()) keep_soon_.start();
}

Result<void> PlanEditor::keep() {
  keep_soon_.stop();
  if (kept_path_.empty()) return {};
  const std::string text = to_json(KeptPlan{.file = file(), .path = path(), .draft = draft()});
  if (text == kept_text_) return {};
  std::error_code ignored;  // the write says it better
  std::filesystem::create_directories(std::filesystem::path(kept_path_).parent_path(), ignored);
  auto written = write_whole_file(kept_path_, text);
  if (written) kept_text_ = text;
  return written;
}

}  // namespace n2nq::plan
