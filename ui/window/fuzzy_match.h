// How well what was typed fits a name: as its beginning, as that of a word in it, within it, or letter by letter in
// their order ("qml" for "Queue mode load balancer"). Pure; any thread.
#pragma once

#include <QString>
#include <optional>

namespace n2nq::ui {

// More is better; nothing: it does not fit. Each word that was typed has to fit the name, or to be in `beside`, which
// counts little. Case does not matter.
std::optional<int> fuzzy_score(const QString& typed, const QString& name, const QString& beside = {});

}  // namespace n2nq::ui
