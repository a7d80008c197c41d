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
constexpr size_t kMostSteps = 499;

const std::vector<ReceiverFilter>& filters_of(const PlanFile& file) {
  return file.base.queue.requests.filters;
}

}  // namespace

PlanEditor::PlanEditor(std::string kept_path, QObject* parent)
    : PlanEditor(std::move(kept_path), [] { return now_ns(); }, parent) {}

PlanEditor::PlanEditor(std::string kept_path, std::function<int64_t()> now, QObject* parent)
    : QObject(parent),
      kept_path_(std::move(kept_path)),
      now_(std::move(now)),
      history_(kMostSteps, {.origin = std::make_shared<Origin>()}) {
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
  Step& first = history_.now();
  first.file = std::move(kept->file);
  first.origin->path = kept->path;
  first.origin->came = first.file;
  first.draft = std::move(kept->draft);
  if (kept->path.empty()) return;
  if (auto saved = read_plan_file(kept->path)) first.origin->saved = std::move(*saved);
}

const PlanFile& PlanEditor::file() const {
  return history_.now().file;
}

const std::string& PlanEditor::path() const {
  return history_.now().origin->path;
}

const PlanFile& PlanEditor::came() const {
  return history_.now().origin->came;
}

bool PlanEditor::modified() const {
  return !(file() == history_.now().origin->saved);
}

void PlanEditor::edit(const std::string& what, const std::function<void(PlanFile&)>& change) {
  PlanFile edited = file();
  change(edited);
  if (edited == file()) return;
  end_step_if_late();
  Step next{.file = std::move(edited), .origin = history_.now().origin};
  if (filters_of(next.file) == filters_of(file())) next.draft = draft();
  history_.edit(std::move(next), what);
  last_edit_ns_ = now_();
  on_changed();
}

void PlanEditor::end_step_if_late() {
  if (now_() - last_edit_ns_ >= kSameEditNs) history_.end_step();
}

bool PlanEditor::can_undo() const {
  return history_.before() != nullptr || last_held_text() != nullptr;
}

bool PlanEditor::can_redo() const {
  return history_.after() != nullptr;
}

std::string PlanEditor::undo_text() const {
  if (const HeldText* text = last_held_text()) return "Undo " + text->what;
  return can_undo() ? "Undo " + history_.undo_label() : "Undo";
}

std::string PlanEditor::redo_text() const {
  return can_redo() ? "Redo " + history_.redo_label() : "Redo";
}

void PlanEditor::undo() {
  if (last_held_text() != nullptr) return discard_text();
  if (can_undo()) go_to(&History<Step>::undo);
}

void PlanEditor::hold_text(QObject* field, const std::string& what, std::function<void()> discard) {
  const auto held = std::ranges::find_if(held_, [field](const HeldText& text) { return text.field == field; });
  const bool longer = held != held_.end() && held->step == history_.steps() && held + 1 == held_.end();
  if (longer) return;
  if (held != held_.end()) held_.erase(held);
  const bool same = history_.continues(what);
  held_.push_back({.field = field,
                   .what = what,
                   .discard = std::move(discard),
                   .step = history_.steps(),
                   .continues = same && now_() - last_edit_ns_ < kSameEditNs});
  if (!same) history_.end_step();
  Q_EMIT changed();
}

void PlanEditor::let_go_of_text(QObject* field) {
  if (std::erase_if(held_, [field](const HeldText& text) { return text.field == field; }) > 0) Q_EMIT changed();
}

const PlanEditor::HeldText* PlanEditor::last_held_text() const {
  const auto held = std::find_if(held_.rbegin(), held_.rend(), [this](const HeldText& text) {
    return text.field != nullptr && text.step == history_.steps();
  });
  return held == held_.rend() ? nullptr : &*held;
}

void PlanEditor::discard_text() {
  const HeldText text = *last_held_text();
  std::erase_if(held_, [&text](const HeldText& one) { return one.field == text.field; });
  text.discard();
  if (text.continues) return go_to(&History<Step>::undo);
  history_.end_step();
  Q_EMIT changed();
}

// What was half typed was typed for the plan that goes.
void PlanEditor::discard_all_text() {
  for (const HeldText& text : std::exchange(held_, {}))
    if (text.field != nullptr) text.discard();
}

void PlanEditor::redo() {
  if (can_redo()) go_to(&History<Step>::redo);
}

// A draft stays while the step is not about what it is a draft of.
void PlanEditor::go_to(void (History<Step>::*way)()) {
  const Step left = history_.now();
  (history_.*way)();
  Step& next = history_.now();
  if (next.origin == left.origin && filters_of(next.file) == filters_of(left.file)) next.draft = left.draft;
  const bool other = next.origin != left.origin;
  on_changed();
  if (other) Q_EMIT opened();
}

const std::optional<std::vector<ReceiverFilter>>& PlanEditor::draft() const {
  return history_.now().draft;
}

void PlanEditor::set_draft(const std::vector<ReceiverFilter>& filters) {
  history_.now().draft = filters == filters_of(file()) ? std::nullopt : std::optional(filters);
  keep_soon();
}

void PlanEditor::reset(PlanFile file, std::string path) {
  discard_all_text();
  auto origin = std::make_shared<Origin>(Origin{.path = std::move(path), .came = file});
  if (!origin->path.empty()) origin->saved = file;
  history_.add({.file = std::move(file), .origin = std::move(origin)}, "another plan");
  on_changed();
  Q_EMIT opened();
}

Result<void> PlanEditor::save(const std::string& path) {
  if (auto written = write_plan_file(path, file()); !written) return written;
  Origin& origin = *history_.now().origin;
  origin.path = path;
  origin.saved = file();
  history_.end_step();
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

#include "moc_plan_editor.cpp"
