// Asks for a password, a passphrase, or what else a host wants to know. What is typed is handed over once and wiped
// from the field. UI thread.
#pragma once

#include <QDialog>
#include <optional>
#include <string>

#include "app/launch/host_link.h"

class QLineEdit;

namespace n2nq::ui {

class SecretQuestion : public QDialog {
  Q_OBJECT

 public:
  SecretQuestion(const launch::LinkQuestion& question, QWidget* parent);
  void done(int result) override;

 Q_SIGNALS:
  void answered(std::optional<std::string> text);  // once; nothing: it was given up

 private:
  QLineEdit* edit_;
  bool over_ = false;
};

}  // namespace n2nq::ui
