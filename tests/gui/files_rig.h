// The window with its file dialogs, answered as a person would.
#pragma once

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <algorithm>

#include "tests/gui/window_rig.h"
#include "tests/helpers/process.h"

namespace n2nq::test {

class FilesRig : public WindowRig {
 protected:
  // The one that is open now, or comes.
  QFileDialog* file_dialog() const {
    QFileDialog* dialog = nullptr;
    EXPECT_TRUE(wait([&] {
      for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* found = qobject_cast<QFileDialog*>(widget); found != nullptr && found->isVisible()) dialog = found;
      return dialog != nullptr;
    }));
    return dialog;
  }
  // Types the path as a person would.
  void answer_file_dialog(const std::filesystem::path& path) {
    QFileDialog* dialog = file_dialog();
    ASSERT_NE(dialog, nullptr);
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    ASSERT_NE(name, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    // The pointer of a screen without a mouse rests where the list of completions opens, and would choose from it.
    name->setCompleter(nullptr);
    const QString wanted = QString::fromStdString(path.string());
    QPushButton* accept = nullptr;
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
      if (button->isDefault()) accept = button;
    ASSERT_NE(accept, nullptr) << "the dialog has no button to accept it";
    // Qt reads the folder on a thread of its own, and takes a name once it knows it: it looks for it at each key.
    const auto is_typed = [&] { return name->text() == wanted && accept->isEnabled(); };
    ASSERT_TRUE(wait([&] {
      if (is_typed()) return true;
      name->setFocus();
      QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(name, wanted);
      return is_typed();
    })) << name->text().toStdString();
    const QPointer<QFileDialog> open = dialog;
    ASSERT_TRUE(wait([&] {
      if (open != nullptr && open->isVisible()) QTest::mouseClick(accept, Qt::LeftButton);
      return open == nullptr || !open->isVisible();
    })) << "it has \""
        << name->text().toStdString() << "\"; " << question_of(*dialog);
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
  }
  // What it asks or complains of.
  static std::string question_of(const QFileDialog& dialog) {
    const auto* box = dialog.findChild<QMessageBox*>();
    return box == nullptr ? "no question is open" : box->text().toStdString();
  }
  // Anywhere in the window.
  bool page_says(const QString& text) const {
    const auto labels = window().findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](QLabel* one) { return one->isVisible() && one->text().contains(text); });
  }
};

}  // namespace n2nq::test
