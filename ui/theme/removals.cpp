#include "ui/theme/removals.h"

#include <utility>

#include "ui/theme/message_bar.h"

namespace n2nq::ui::theme {

Removals::Removals(MessageBar& message, BringBack bring_back, QObject* parent)
    : QObject(parent), message_(message), bring_back_(std::move(bring_back)) {}

void Removals::add(std::vector<int64_t> ids, const QString& text, size_t step) {
  removed_.push_back({.ids = std::move(ids), .step = step});
  offer(Status::info, text);
}

void Removals::keep(std::vector<int64_t> ids, const QString& trouble, size_t step) {
  removed_.push_back({.ids = std::move(ids), .step = step});
  offer(Status::bad, trouble);
}

void Removals::forget(int64_t id) {
  for (Removal& removal : removed_) std::erase(removal.ids, id);
  std::erase_if(removed_, [](const Removal& removal) { return removal.ids.empty(); });
}

std::optional<size_t> Removals::step() const {
  return removed_.empty() ? std::nullopt : std::optional(removed_.back().step);
}

void Removals::undo() {
  if (removed_.empty()) return message_.say(Status::info, tr("Nothing was deleted since the bench started."));
  const Removal latest = std::move(removed_.back());
  removed_.pop_back();
  message_.hide();
  // Not where something else is to be undone before.
  if (!removed_.empty() && removed_.back().step == latest.step)
    offer(Status::info, tr("Restored. More was deleted before (Ctrl+Z)."));
  bring_back_(latest.ids);
}

void Removals::offer(Status status, const QString& text) {
  message_.offer(status, text, tr("Undo"), [this] { undo(); });
}

}  // namespace n2nq::ui::theme

#include "moc_removals.cpp"
