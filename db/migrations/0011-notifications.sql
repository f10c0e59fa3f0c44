-- One sequence for both, so that an id names one notification of either kind.
create sequence notification_ids;

-- What one member is told. Events of one kind about one thing share a row (`group_key`), which counts the people.
create table notifications (
  id bigint primary key default nextval('notification_ids'),
  member_id integer not null references members (id) on delete cascade,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  type text not null check (type in ('success', 'warning', 'error', 'info')),
  title text not null check (char_length(title) between 1 and 200),
  -- With an actor this is what they did; their name is put in front when it is read, so that it goes with the account.
  message text not null check (char_length(message) between 1 and 5000),
  link text check (link like '/%'),
  group_key text check (char_length(group_key) between 1 and 100),
  -- The newest of those who did it, and the first hundred of them all. No foreign keys: an id without a member is nobody.
  actor_id integer,
  actors integer[] not null default '{}',
  actor_count integer not null default 0 check (actor_count >= 0),
  is_read boolean not null default false,
  -- When the newest of the group happened.
  moved_at timestamptz not null default now()
);
create unique index notifications_group on notifications (member_id, group_key) where group_key is not null;
create index notifications_newest on notifications (member_id, moved_at desc, id desc);
create index notifications_unread on notifications (member_id) where not is_read;
create index notifications_age on notifications (moved_at);

-- What admins send to everybody: one row, however many members there are. Ids are taken under a lock and so are
-- committed in order, which lets members mark all up to one.
create table broadcasts (
  id bigint primary key default nextval('notification_ids'),
  type text not null check (type in ('success', 'warning', 'error', 'info')),
  title text not null check (char_length(title) between 1 and 200),
  message text not null check (char_length(message) between 1 and 5000),
  link text check (link like '/%'),
  sent_by integer references members (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);

-- What a member wants to hear, and up to where they have read and cleared what was sent to all.
create table inboxes (
  member_id integer primary key references members (id) on delete cascade,
  unwanted_kinds text[] not null default '{}',
  read_to bigint not null default 0,
  cleared_to bigint not null default 0,
  check (cleared_to <= read_to)
);

-- Single broadcasts that a member has read, or deleted, above those marks.
create table broadcast_marks (
  member_id integer not null references members (id) on delete cascade,
  broadcast_id bigint not null references broadcasts (id) on delete cascade,
  is_deleted boolean not null default false,
  primary key (member_id, broadcast_id)
);
create index broadcast_marks_by_broadcast on broadcast_marks (broadcast_id);

-- Tells every process whose sessions ended, so that open streams end with them.
create function tell_sessions_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', 'session ' || member_id) from (select distinct member_id from ended) e;
  return null;
end $$;
create trigger sessions_ended after delete on sessions
  referencing old table as ended for each statement execute function tell_sessions_ended();

create function tell_standing_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('live', 'session ' || new.id);
  return null;
end $$;
create trigger standing_changed after update of banned_until on members for each row
  when (new.banned_until is distinct from old.banned_until) execute function tell_standing_changed();
