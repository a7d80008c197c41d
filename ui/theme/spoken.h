// What Qt leaves unsaid to assistive technologies. UI thread.
#pragma once

#include <QString>

class QLineEdit;

namespace n2nq::ui::theme {

// Labels that have a name of their own, as figures and states do, also say what they show: Qt gives the name or the
// text, never both; of a drop-down list what is chosen. Once, before the first window.
void make_labels_speak();

// A button in the line that empties it, with a name.
void add_clear_button(QLineEdit& line, const QString& name);

}  // namespace n2nq::ui::theme
