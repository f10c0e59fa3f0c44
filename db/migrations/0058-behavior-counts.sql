-- Listed scripts per capability, host and status of their card, as moderators see them. Counted again in the background.
create table behavior_counts (
  kind text not null check (kind in ('capability', 'host', 'status')),
  name text not null,
  scripts integer not null check (scripts >= 0),
  counted_at timestamptz not null default now(),
  primary key (kind, name)
);
create index behavior_counts_by_scripts on behavior_counts (kind, scripts desc, name);
create index behavior_hosts_new on behavior_hosts (first_seen_at desc);
