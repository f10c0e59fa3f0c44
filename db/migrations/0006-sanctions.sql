-- Bans, mutes and warnings, past and present. What counts now stands in members.banned_until and members.muted_until,
-- written in the same transaction; a warning counts until it ends.
create table sanctions (
  id integer generated always as identity primary key,
  member_id integer not null references members (id) on delete cascade,
  kind text not null check (kind in ('ban', 'mute', 'warning')),
  severity text check (severity in ('minor', 'major', 'severe')),
  reason text not null check (char_length(reason) between 1 and 1000),
  imposed_by integer references members (id) on delete set null,
  imposed_at timestamptz not null default now(),
  -- 'infinity' is for ever.
  ends_at timestamptz not null,
  lifted_by integer references members (id) on delete set null,
  lifted_at timestamptz,
  check ((severity is not null) = (kind = 'warning'))
);
create index sanctions_by_member on sanctions (member_id, imposed_at desc);
create index sanctions_active_warnings on sanctions (member_id, ends_at) where kind = 'warning' and lifted_at is null;

-- Who did what to whom. Rows are added and never changed or taken away, so they name members by id alone: the names go
-- with their accounts.
create table audit_log (
  id bigint generated always as identity primary key,
  actor_id integer not null,
  action text not null check (action ~ '^[a-z_]{1,40}$'),
  subject_type text not null check (subject_type ~ '^[a-z_]{1,40}$'),
  subject_id bigint not null,
  -- The member concerned, where there is one: themself, or the author of the thing.
  member_id integer,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now()
);
create index audit_log_by_actor on audit_log (actor_id, id desc);
create index audit_log_by_member on audit_log (member_id, id desc);
create index audit_log_by_action on audit_log (action, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
