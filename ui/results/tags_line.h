// The tags of the selected result, to read and to change. UI thread.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QLineEdit;

namespace n2nq::ui {

class TagsLine : public QWidget {
  Q_OBJECT

 public:
  explicit TagsLine(QWidget* parent = nullptr);

  // Why they cannot be changed, if so. What is typed but not kept yet stays while it is the same result.
  void show_tags(std::optional<int64_t> result, const std::vector<std::string>& tags, const QString& read_only);

 Q_SIGNALS:
  void wanted(int64_t result, const QString& tags);  // by Enter, or where the line is left

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void ask();

  QLineEdit* edit_;
  std::optional<int64_t> result_;
  QString kept_;
};

}  // namespace n2nq::ui
