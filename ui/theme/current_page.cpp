#include "ui/theme/current_page.h"

#include <QStackedWidget>

namespace n2nq::ui::theme {

void need_only_current(QStackedWidget& stack) {
  const auto fit = [&stack] {
    for (int i = 0; i < stack.count(); i++) {
      const QSizePolicy::Policy height = i == stack.currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
      stack.widget(i)->setSizePolicy(QSizePolicy::Preferred, height);
    }
  };
  QObject::connect(&stack, &QStackedWidget::currentChanged, &stack, fit);
  fit();
}

}  // namespace n2nq::ui::theme
