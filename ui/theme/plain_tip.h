// Tooltips of texts that come from outside: workers, files, plans, what was typed. Qt takes what looks like HTML as
// such; these are shown letter by letter. UI thread.
#pragma once

#include <QString>

namespace n2nq::ui::theme {

// Shown as `text` reads, whatever is in it. Texts that Qt would not mistake are left as they are.
QString plain_tip(const QString& text);
// In lines that find room on a screen: Qt breaks none.
QString in_lines(QString text);

}  // namespace n2nq::ui::theme
