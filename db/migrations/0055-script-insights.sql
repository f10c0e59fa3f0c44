-- What authors see about their scripts. A row counts the visits and first ratings of one UTC day under the version that was
-- current; it names nobody. Deleted after 400 days and with the script.
create table script_days (
  script_id integer not null references scripts (id) on delete cascade,
  day date not null,
  version_number integer not null,
  views integer not null default 0 check (views >= 0),
  downloads integer not null default 0 check (downloads >= 0),
  ratings integer not null default 0 check (ratings >= 0),
  rating_sum integer not null default 0 check (rating_sum >= 0),
  primary key (script_id, day, version_number)
) with (fillfactor = 80);
-- Rows are inserted day by day, so the oldest are found by block ranges.
create index script_days_by_day on script_days using brin (day);

-- Views by the host that linked to the script, without path or query. A bounded number of hosts per script and day; the
-- views of further hosts are counted under the empty host.
create table script_referrers (
  script_id integer not null references scripts (id) on delete cascade,
  day date not null,
  host text not null check (length(host) <= 253),
  views integer not null default 0 check (views >= 0),
  primary key (script_id, day, host)
) with (fillfactor = 80);
create index script_referrers_by_day on script_referrers using brin (day);
