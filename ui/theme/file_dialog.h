// Dialogs for files, all alike: gone once closed, and the keys are the window's again.
#pragma once

#include <QFileDialog>

namespace n2nq::ui::theme {

// They open none of the files that they list. The desktop's own dialogs, and Qt's as it is, look into them to tell what
// they are; and whoever closes a file takes from this process all locks on it, so that a list of the data folder would
// leave the store of results without its own, to be destroyed by the next program that uses it.
QFileDialog* file_dialog(QWidget* parent, const QString& title, const QString& folder = {}, const QString& filter = {});

}  // namespace n2nq::ui::theme
