// What the desktop opens: a folder, a file, a page of the web. Pure but for the desktop; UI thread.
#pragma once

#include <QString>
#include <functional>

class QUrl;

namespace n2nq::ui::theme {

using Opener = std::function<bool(const QUrl&)>;  // false: there is no program for it; null: the desktop

// What to tell the user, because nothing opened it; empty: something did.
QString open_outside(const QString& path, const Opener& opener = {});
QString open_outside(const QUrl& url, const Opener& opener = {});

}  // namespace n2nq::ui::theme
