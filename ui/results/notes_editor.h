// What the user writes about a result: kept as it is typed. UI thread.
#pragma once

#include <QPlainTextEdit>
#include <QTimer>
#include <map>
#include <optional>

#include "app/store/store.h"

class QLabel;

namespace n2nq::ui {

class NotesEditor : public QWidget {
  Q_OBJECT

 public:
  explicit NotesEditor(store::ResultStore& store, QWidget* parent = nullptr);
  ~NotesEditor() override;  // keeps what is not kept yet

  void show_notes(std::optional<int64_t> result);

 Q_SIGNALS:
  void kept(int64_t result, const QString& text);
  void trouble(const QString& text);  // once, until it could be kept, or its result is gone

 private:
  void keep();
  void give_up(int64_t result);
  void say(const QString& text);

  store::ResultStore& store_;
  std::optional<int64_t> result_;
  QPlainTextEdit* edit_;
  QLabel* said_;
  QTimer* keep_soon_;
  std::map<int64_t, QString> unsaved_;  // by result: one that could not be saved may not be the one that is shown
  bool failing_ = false;
};

}  // namespace n2nq::ui
