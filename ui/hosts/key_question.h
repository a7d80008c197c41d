// Asks whether a key that is not known yet is the host's: accepted for good, or refused. UI thread.
#pragma once

#include <QDialog>

#include "app/launch/host_link.h"

namespace n2nq::ui {

class KeyQuestion : public QDialog {
  Q_OBJECT

 public:
  KeyQuestion(const launch::LinkQuestion& question, QWidget* parent);
};

}  // namespace n2nq::ui
