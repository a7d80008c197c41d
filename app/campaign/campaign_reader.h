// Reads campaigns for the window on a thread of its own, with a store of its own: the list, one campaign with its
// results, a figure of it, what a draft campaign comes to. Of what is asked for of one kind only the
// newest is answered. Signals come in the thread of this object.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/campaign/campaign_form.h"
#include "app/campaign/estimate.h"
#include "app/campaign/points.h"
#include "app/figures/figure.h"
#include "app/hosts/host_list.h"
#include "app/store/campaign_store.h"
#include "app/threads/wish_thread.h"

namespace n2nq::campaign {

struct ListedCampaign {
  store::CampaignRow row{};
  bool search = false;
  uint64_t done = 0;               // runs that are made and did not fail
  std::optional<uint64_t> runs{};  // that it comes to; nothing: that turns out, or its definition cannot be read here
};

// A campaign with what is kept of it.
struct Look {
  store::CampaignRow row{};
  Campaign campaign{};
  std::vector<Point> points{};
  std::vector<record::RunRecord> records{};  // without histograms and rows
};
using SharedLook = std::shared_ptr<const Look>;

// What a draft campaign comes to.
struct Check {
  std::optional<std::string> problem{};  // why it cannot be started
  std::vector<FieldProblem> search_problems{};
  Campaign campaign{};                    // as far as it could be read
  std::vector<std::string> buses_here{};  // their kinds, whose servers are started on this computer
  bool reads_external = false;            // hosts are to be chosen for it
  Estimate estimate{};
  std::optional<int64_t> free_bytes{};
  bool too_large = false;  // for the disk; the problem says so
};
Check check(const CampaignForm& form, const hosts::HostList& hosts, const std::string& data_folder);

class CampaignReader : public QObject {
  Q_OBJECT

 public:
  CampaignReader(std::string store_path, std::string data_folder, QObject* parent = nullptr);
  ~CampaignReader() override;  // waits for what is in progress

  void list();
  void look(int64_t id);
  // `number`: of the campaign's figures, from 0; `as`: looked at like this. Of a search it is its own.
  void draw(SharedLook look, size_t number, FigureSpec as);
  void check_form(CampaignForm form, hosts::HostList hosts);

 Q_SIGNALS:
  void listed(const std::vector<n2nq::campaign::ListedCampaign>& campaigns);
  void looked(const n2nq::campaign::SharedLook& look);
  void drawn(qint64 campaign, int number, const n2nq::figures::Figure& figure);
  void checked(const n2nq::campaign::Check& check);
  void gone(qint64 campaign);  // one that was to be looked at: it was deleted
  void trouble(const QString& text);

 private:
  struct Stores;
  enum Kind { kList, kLook, kDraw, kCheck };
  using Task = threads::WishThread::Task;
  using Answer = threads::PostBox::Call;

  // On the thread.
  Answer read_list();
  Answer read(int64_t id);
  Answer drawing_of(const Look& look, size_t number, const FigureSpec& as);
  Answer in_trouble(std::string text);
  ListedCampaign listed_one(const Stores& stores, store::CampaignRow row);

  const std::string store_path_;
  const std::string data_folder_;
  // Of searches: how many results there were, and how many runs they came to. Of the thread.
  std::map<int64_t, std::pair<uint64_t, uint64_t>> searches_;
  int64_t looked_at_ = 0;
  struct Drawn {
    int64_t campaign = 0;
    size_t number = 0;
    FigureSpec as{};
    bool operator==(const Drawn&) const = default;
  };
  std::optional<Drawn> drawn_{};
  threads::WishThread thread_;
};

}  // namespace n2nq::campaign
