// What became of the messages of a run when one of its servers was killed, or ended by itself: the words of the note,
// and what the time series shows from then on. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/live/time_series.h"
#include "app/record/pauses.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// "server 2 (leader): killed by the bench", "server 2: kafka ... has ended by itself ..."
RunNote server_gone_note(const control::ServerGone& gone);

// Until when, since the begin, senders had more to send, though a bus that takes nothing may have kept them from it; 0:
// they sent all of it.
int64_t due_until_ns(const RunRecord& record, int64_t senders_done_ns);
// `due_until_ns`: as above; 0 where that is not known, too.
std::vector<Outage> outages(std::span<const live::SeriesPoint> slots, std::span<const RunNote> notes,
                            int64_t due_until_ns = 0);

// The longest time without a delivery after each server that was gone, where it lies: of no length where it was no
// longer than a slot. While the run goes on (`known` is not yet made) nothing may have come since: it then lasts to the
// end of time, as it does where that is what is known.
std::vector<Pause> silences(std::span<const live::SeriesPoint> slots, std::span<const RunNote> notes,
                            std::span<const Outage> known = {});

// "server 1 (leader) killed at 5.00 s"
std::string outage_title(const Outage& one);
// "no delivery for 8.00 s, none accepted for 7.40 s, as before after 11.2 s"; `answers`: the bus of the run gives some.
std::string outage_text(const Outage& one, bool answers);
// Of all of the run, in one line; empty: there was none.
std::string outages_text(const RunRecord& record);
// Of the first, "(and 1 more)".
std::string first_outage_text(const RunRecord& record);

}  // namespace n2nq::record
