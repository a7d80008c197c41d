// The fields of one host. What is typed is handed over field by field when it is done; text that cannot be taken stays
// where it is, with the reason beneath it, also while another host is looked at. UI thread.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/hosts/host_fields.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPlainTextEdit;

namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class HostLineEdit;

class HostEditor : public QWidget {
  Q_OBJECT

 public:
  explicit HostEditor(QWidget* parent = nullptr);

  // Nothing: no host is chosen.
  void show_host(const hosts::HostList& list, std::optional<size_t> index);
  // After edited(): the list does not take it, and why. Its text stays as a draft.
  void refuse(const std::string& key, const QString& reason);
  void set_locked(const QString& reason);  // empty: unlocked
  void ask_for_name();
  void hand_over();  // what is being typed right now

 Q_SIGNALS:
  // A field was changed. Whoever hears it shows the host again, or refuses.
  void edited(const std::string& key, const n2nq::hosts::Host& host);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Field {
    std::string key{};
    QString help{};
    std::optional<hosts::Host::Kind> only{};
    QLabel* label = nullptr;
    QWidget* widget = nullptr;
    HostLineEdit* line = nullptr;  // of those that are lines of text
    theme::StatusLabel* trouble = nullptr;
  };
  struct Draft {
    QString text{};
    QString reason{};
  };
  void build();
  Field& add(const char* key, const char* label, const char* full_name, const char* help, QWidget* widget,
             std::optional<hosts::Host::Kind> only, bool whole_row);
  void add_text(const char* key, bool whole_row);
  void next_row();
  Field& find(const std::string& key);
  void take(Field& field);
  void take_notes();
  void give_up(Field& field);
  void show_field(Field& field);
  void show_trouble(Field& field);
  void show_lock();
  void fill_jumps(const hosts::HostList& list);

  QGridLayout* grid_;
  std::vector<Field> fields_;
  QComboBox* kind_ = nullptr;
  QComboBox* jump_ = nullptr;
  QPlainTextEdit* notes_ = nullptr;
  std::optional<hosts::Host> host_;
  std::map<std::string, std::map<std::string, Draft>> drafts_;  // by host, by field
  QString locked_;
  int row_ = 0;
  int column_ = 0;
};

}  // namespace n2nq::ui
