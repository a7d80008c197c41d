// What must be known beside a figure, as one line of text.
#pragma once

#include <QString>
#include <QStringList>

#include "app/figures/figure.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {

inline QString notes_text(const figures::Figure& figure) {
  QStringList notes;
  for (const std::string& note : figure.notes) notes.append(theme::qt(note));
  return notes.join(QString::fromUtf8(" · "));
}

}  // namespace n2nq::ui::charts
