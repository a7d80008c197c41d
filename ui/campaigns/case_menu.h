// The menu of what a campaign can be made from: the seven cases of the thesis and other studies, each with the question
// that it answers, a file, or the plan in force. UI thread.
#pragma once

#include <QMenu>
#include <span>

namespace n2nq::ui {

class CaseMenu : public QMenu {
  Q_OBJECT

 public:
  explicit CaseMenu(QWidget* parent = nullptr);
  static QString compare_help();

 Q_SIGNALS:
  void bundled(const QString& resource);
  void file();
  void from_plan();
  void buses_of_plan();
  void limit_of_plan();

 private:
  void add_bundled(QMenu& menu, bool quick);
  void add_cases(QMenu& menu, const QString& heading, const QString& suffix);
  void add_studies(QMenu& menu, const QString& heading, std::span<const char* const> studies, const QString& suffix);
  void add_case(QMenu& menu, const QString& name, const QString& resource);
};

}  // namespace n2nq::ui
