// What was deleted on a page and can be restored, the latest first: the notice that offers it, and what the keys of
// undo do. UI thread.
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {

class MessageBar;

class Removals : public QObject {
  Q_OBJECT

 public:
  using BringBack = std::function<void(const std::vector<int64_t>& ids)>;

  // Says what it says in `message`, which outlives it.
  Removals(MessageBar& message, BringBack bring_back, QObject* parent);

  // `step`: how far what else can be undone on the page was then.
  void add(std::vector<int64_t> ids, const QString& text, size_t step = 0);
  // Could not be restored, for this trouble, and can be later.
  void keep(std::vector<int64_t> ids, const QString& trouble, size_t step = 0);
  void forget(int64_t id);             // it is back by other means
  std::optional<size_t> step() const;  // of the latest; nothing: there is none
  void undo();

 private:
  struct Removal {
    std::vector<int64_t> ids;
    size_t step;
  };
  void offer(Status status, const QString& text);

  MessageBar& message_;
  BringBack bring_back_;
  std::vector<Removal> removed_;  // the latest last
};

}  // namespace n2nq::ui::theme
