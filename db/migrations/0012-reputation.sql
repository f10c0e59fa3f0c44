-- Where every point of reputation comes from. members.reputation is the kept sum of a member's rows.
create table reputation_ledger (
  id integer generated always as identity primary key,
  receiver_id integer not null references members (id) on delete cascade,
  -- Who gave the point or set the total. A point stays when its giver's account goes, without the name.
  giver_id integer references members (id) on delete set null,
  -- 'start' is what a member had before there was a ledger.
  kind text not null check (kind in ('gift', 'adjustment', 'start')),
  points integer not null check (points <> 0),
  -- The UTC day of a gift, by the database's clock.
  day date not null default (now() at time zone 'UTC')::date,
  created_at timestamptz not null default now(),
  check (kind <> 'gift' or points = 1),
  check (giver_id <> receiver_id or kind <> 'gift')
);
-- One point per target and day; also what counts a giver's day.
create unique index reputation_gifts_once on reputation_ledger (giver_id, day, receiver_id) where kind = 'gift';
create index reputation_ledger_by_receiver on reputation_ledger (receiver_id, id desc);
create index reputation_ledger_by_giver on reputation_ledger (giver_id) where giver_id is not null;

insert into reputation_ledger (receiver_id, kind, points)
  select id, 'start', reputation from members where reputation <> 0;
